// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/matrix_product.h"
#include "core/evaluate/rules.h"
#include "core/evaluate/window.h"

#include <array>

namespace cutaway::evaluate {

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

std::optional<bool> isTransposed(const Call &call)
{
    return call.kind() == "convtranspose" ? std::optional(true) : call.flag("transposed", false);
}

/// Padding words say another thing of transposed convolutions; none is known to be written.
bool hasUnusualPadding(const Call &call)
{
    const std::string_view word = call.facts().text("auto_pad");
    return (!word.empty() && word != "NOTSET") || call.facts().has("output_shape");
}

Answer convolution(const Call &call)
{
    const Array *x = call.array(0), *weight = call.array(1), *bias = call.array(2);
    const auto shape = call.shape();
    if (!x || !weight || !shape || (call.facts().has(2) && !bias) || weight->shape.size() < 3)
        return std::nullopt;
    const std::size_t spatial = weight->shape.size() - 2;
    const auto input = imagesOf(x->shape, spatial), output = imagesOf(*shape, spatial),
               kernel = imagesOf(weight->shape, spatial);
    const auto transposes = isTransposed(call);
    const auto groups = call.integer("groups", "group", 1);
    if (!input || !output || !kernel || !transposes || !groups || (*transposes && hasUnusualPadding(call)))
        return std::nullopt;
    const auto window = windowOf(call, spatial, kernel->size, {1, 1, 1}, input->size, output->size);
    if (!window)
        return std::nullopt;
    const Convolution c{*input,      *output,      *window,           *groups,
                        *transposes, floatsOf(*x), floatsOf(*weight), bias ? floatsOf(*bias) : std::vector<double>()};
    return fits(c) ? answer(Array{ir::DType::Float64, *shape, computed(c)}) : std::nullopt;
}

constexpr auto convolutionRows = std::to_array<RuleRow>({{"conv convtranspose", convolution}});

} // namespace

std::span<const RuleRow> convolutionRules() { return convolutionRows; }

} // namespace cutaway::evaluate
