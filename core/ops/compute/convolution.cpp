// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/compute/matrix_product.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/window.h"

#include <algorithm>

namespace cutaway::compute {

namespace {

/// A convolution that is understood. Weights: output channels, input channels of a group, kernel; of a transposed one
/// input channels, output channels of a group, kernel.
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
    /// The larger side's position that a position of the smaller one and a kernel position meet at.
    Triple met(const Triple &position, const Triple &k) const
    {
        Triple at{};
        for (std::size_t d = 0; d < 3; ++d)
            at[d] = position[d] * window.stride[d] - window.before[d] + k[d] * window.dilation[d];
        return at;
    }
};

double &at(std::vector<double> &list, std::int64_t place) { return list[static_cast<std::size_t>(place)]; }

void addPair(const Convolution &c, std::int64_t image, std::int64_t in, std::int64_t out, std::vector<double> &result)
{
    forEachPosition(c.window.kernel, [&](const Triple &k) {
        const double weight = c.weightAt(in, out, k);
        forEachPosition(c.isTransposed ? c.input.size : c.output.size, [&](const Triple &position) {
            const Triple other = c.met(position, k);
            if (!isInside(other, c.isTransposed ? c.output.size : c.input.size))
                return;
            const Triple &from = c.isTransposed ? position : other, &to = c.isTransposed ? other : position;
            at(result, c.outputPlace(image, out, to)) +=
                weight * c.x[static_cast<std::size_t>(c.inputPlace(image, in, from))];
        });
    });
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

/// Padding that follows from the size of the result.
bool hasDerivedPadding(const ops::ConvolutionArguments &given)
{
    return given.outputSize || std::ranges::any_of(*given.windows, [](const ops::Window &window) {
               return window.autoPad != ops::AutoPad::NotSet;
           });
}

} // namespace

Answer convolution(const Call &call)
{
    const auto given = ops::convolutionArguments(call.facts());
    if (!given || !given->windows || given->windows->empty() || !given->transposed
        || (*given->transposed && hasDerivedPadding(*given)))
        return std::nullopt;
    const Array *x = call.array(given->input), *weight = call.array(given->weight), *bias = call.array(given->bias);
    const auto shape = call.shape();
    const auto groups = ops::number(given->groups);
    if (!x || !weight || !shape || !groups || (call.facts().has(given->bias) && !bias))
        return std::nullopt;
    const std::size_t spatial = given->windows->size();
    const auto input = imagesOf(x->shape, spatial), output = imagesOf(*shape, spatial);
    const auto window = input && output ? windowOf(*given->windows, input->size, output->size) : std::nullopt;
    if (!window)
        return std::nullopt;
    const Convolution c{*input,
                        *output,
                        *window,
                        *groups,
                        *given->transposed,
                        floatsOf(*x),
                        floatsOf(*weight),
                        bias ? floatsOf(*bias) : std::vector<double>()};
    return fits(c) ? answer(Array{ir::DType::Float64, *shape, computed(c)}) : std::nullopt;
}

} // namespace cutaway::compute
