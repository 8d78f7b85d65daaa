// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/convolution.h"

#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/network/window.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <array>

namespace cutaway::compute {

namespace {

/// A convolution whose arguments are all known. Weights: output channels, input channels of a group, kernel; of a
/// transposed convolution: input channels, output channels of a group, kernel.
struct Convolution {
    Images input, output;
    Window window;
    std::int64_t groups = 1;
    bool isTransposed = false;
    std::vector<double> x, weight, bias;

    std::int64_t inputPlace(std::int64_t image, std::int64_t channel, const Triple &position) const
    {
        return (image * input.channels + channel) * countOf(input.size) + placeOf(position, input.size);
    }
    std::int64_t outputPlace(std::int64_t image, std::int64_t channel, const Triple &position) const
    {
        return (image * output.channels + channel) * countOf(output.size) + placeOf(position, output.size);
    }
    double weightAt(std::int64_t in, std::int64_t out, const Triple &k) const
    {
        const std::int64_t inPerGroup = input.channels / groups, outPerGroup = output.channels / groups;
        const std::int64_t pair =
            isTransposed ? in * outPerGroup + out % outPerGroup : out * inPerGroup + in % inPerGroup;
        return weight[static_cast<std::size_t>(pair * countOf(window.kernel) + placeOf(k, window.kernel))];
    }
};

/// The positions p, from `first` to before `end`, for which p·stride + offset lies in a dimension of `size` elements.
struct Reach {
    std::int64_t first, end;
};

Reach reachOf(std::int64_t count, std::int64_t offset, std::int64_t stride, std::int64_t size)
{
    const std::int64_t first = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
    const std::int64_t end = size - offset <= 0 ? 0 : (size - offset - 1) / stride + 1;
    return {std::min(first, count), std::clamp(end, std::min(first, count), count)};
}

/// Adds the contribution of one input channel to one output channel. The size `small` is that of the tensor with an
/// element for each position of the kernel's window: the output or, if the convolution is transposed, the input.
void addPair(const Convolution &c, std::int64_t image, std::int64_t in, std::int64_t out, std::vector<double> &result)
{
    const Triple &small = c.isTransposed ? c.input.size : c.output.size;
    const Triple &large = c.isTransposed ? c.output.size : c.input.size;
    const double *x = c.x.data() + c.inputPlace(image, in, {});
    double *y = result.data() + c.outputPlace(image, out, {});
    forEachPosition(c.window.kernel, [&](const Triple &k) {
        const double weight = c.weightAt(in, out, k);
        Triple offset{};
        std::array<Reach, 3> reach{};
        for (std::size_t d = 0; d < 3; ++d) {
            offset[d] = k[d] * c.window.dilation[d] - c.window.before[d];
            reach[d] = reachOf(small[d], offset[d], c.window.stride[d], large[d]);
        }
        const std::int64_t step = c.window.stride[2];
        for (std::int64_t a = reach[0].first; a < reach[0].end; ++a)
            for (std::int64_t b = reach[1].first; b < reach[1].end; ++b) {
                const std::int64_t smallRow = (a * small[1] + b) * small[2];
                const std::int64_t largeRow =
                    ((a * c.window.stride[0] + offset[0]) * large[1] + b * c.window.stride[1] + offset[1]) * large[2]
                    + offset[2];
                if (c.isTransposed)
                    for (std::int64_t i = reach[2].first; i < reach[2].end; ++i)
                        y[largeRow + i * step] += weight * x[smallRow + i];
                else if (step == 1)
                    for (std::int64_t i = reach[2].first; i < reach[2].end; ++i)
                        y[smallRow + i] += weight * x[largeRow + i];
                else
                    for (std::int64_t i = reach[2].first; i < reach[2].end; ++i)
                        y[smallRow + i] += weight * x[largeRow + i * step];
            }
    });
}

/// Flattens the planes of a convolution with a kernel of one element and a stride of one, for longer loops.
Convolution flattened(Convolution c)
{
    const bool isPlain = countOf(c.window.kernel) == 1 && countOf(c.window.stride) == 1
        && c.window.before == Triple{0, 0, 0} && c.input.size == c.output.size;
    if (isPlain)
        c.input.size = c.output.size = {1, 1, countOf(c.output.size)};
    return c;
}

std::vector<double> computed(const Convolution &c)
{
    std::vector<double> result(static_cast<std::size_t>(c.output.count * c.output.channels * countOf(c.output.size)));
    for (std::size_t i = 0; i < result.size() && !c.bias.empty(); ++i)
        result[i] = c.bias[i / static_cast<std::size_t>(countOf(c.output.size)) % c.bias.size()];
    const std::int64_t inPerGroup = c.input.channels / c.groups, outPerGroup = c.output.channels / c.groups;
    for (std::int64_t image = 0; image < c.output.count; ++image)
        for (std::int64_t out = 0; out < c.output.channels; ++out)
            for (std::int64_t in = 0; in < inPerGroup; ++in)
                addPair(c, image, out / outPerGroup * inPerGroup + in, out, result);
    return result;
}

bool fits(const Convolution &c)
{
    const std::int64_t in = c.input.channels, out = c.output.channels;
    if (c.groups < 1 || in % c.groups != 0 || out % c.groups != 0 || (!c.bias.empty() && std::ssize(c.bias) != out))
        return false;
    const std::int64_t perGroup = out / c.groups;
    const double pairs = static_cast<double>(in) * static_cast<double>(perGroup) * static_cast<double>(c.output.count);
    const auto positions = static_cast<double>(countOf(c.isTransposed ? c.input.size : c.output.size));
    return std::ssize(c.weight) == in * perGroup * countOf(c.window.kernel)
        && pairs * positions * static_cast<double>(countOf(c.window.kernel)) < maxProducts;
}

/// Whether the padding follows from the size of the result.
bool hasDerivedPadding(const ops::ConvolutionArguments &given)
{
    return given.outputSize || std::ranges::any_of(*given.windows, [](const ops::Window &window) {
               return window.autoPad != ops::AutoPad::NotSet;
           });
}

/// The window of a transposed convolution whose padding follows from the result's sizes. An odd remainder is cut off at
/// the beginning, or at the end if auto_pad is SAME_UPPER.
std::optional<Window> cutWindow(const ops::ConvolutionArguments &given, const Triple &input, const Triple &output)
{
    ops::Windows plain = *given.windows;
    for (ops::Window &window : plain) {
        window.autoPad = ops::AutoPad::NotSet;
        window.before = window.after = std::int64_t{0};
    }
    auto window = windowOf(plain, input, output);
    for (std::size_t i = 0; window && i < plain.size(); ++i) {
        const std::size_t d = 3 - plain.size() + i;
        const auto more = given.outputPadding ? ops::number((*given.outputPadding)[i]) : std::nullopt;
        if (!more)
            return std::nullopt;
        const std::int64_t covered =
            window->stride[d] * (input[d] - 1) + *more + window->dilation[d] * (window->kernel[d] - 1) + 1;
        const std::int64_t cut = std::max<std::int64_t>(covered - output[d], 0);
        const bool isUpper = (*given.windows)[i].autoPad == ops::AutoPad::SameUpper;
        window->before[d] = isUpper ? cut / 2 : cut - cut / 2;
    }
    return window;
}

} // namespace

std::optional<Array> convolved(const Call &call, const Array &x, const Array &weight, const Array *bias)
{
    const auto given = ops::convolutionArguments(call.facts());
    const auto shape = call.shape();
    const auto groups = given ? ops::number(given->groups) : std::nullopt;
    if (!groups || !given->windows || given->windows->empty() || !given->transposed || !shape)
        return std::nullopt;
    const std::size_t spatial = given->windows->size();
    const auto input = imagesOf(x.shape, spatial), output = imagesOf(*shape, spatial);
    const bool isCut = *given->transposed && hasDerivedPadding(*given);
    const auto window = !input || !output ? std::nullopt
        : isCut                           ? cutWindow(*given, input->size, output->size)
                                          : windowOf(*given->windows, input->size, output->size);
    if (!window)
        return std::nullopt;
    const Convolution c{*input,
                        *output,
                        *window,
                        *groups,
                        *given->transposed,
                        floatsOf(x),
                        floatsOf(weight),
                        bias ? floatsOf(*bias) : std::vector<double>()};
    return fits(c) ? std::optional(Array{ir::DType::Float64, *shape, computed(flattened(c))}) : std::nullopt;
}

Answer convolution(const Call &call)
{
    const auto given = ops::convolutionArguments(call.facts());
    if (!given)
        return std::nullopt;
    const Array *x = call.array(given->input), *weight = call.array(given->weight), *bias = call.array(given->bias);
    if (!x || !weight || (call.facts().has(given->bias) && !bias))
        return std::nullopt;
    return answer(convolved(call, *x, *weight, bias));
}

} // namespace cutaway::compute
