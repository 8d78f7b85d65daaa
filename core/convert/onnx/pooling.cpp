// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include "core/ops/arguments/pool_arguments.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

using L = Lowering;

/// A pool's input with the dimensions that ONNX wants, and how to make its results those of torch.
struct Batched {
    Term input;
    bool isUnbatched = false;
    Term back(const Term &made) const { return isUnbatched ? made.made->squeeze(made, {0}) : made; }
};

Batched batched(L &l, const ops::PoolArguments &given)
{
    const bool isUnbatched = l.tensor(given.input).rank() == *given.spatialRank + 1;
    return {isUnbatched ? l.unsqueeze(l[given.input], {0}) : l[given.input], isUnbatched};
}

L::Attributes windowAttributes(L &l, const ops::PoolArguments &given)
{
    std::vector<std::int64_t> kernels, strides, dilations, pads;
    for (const ops::Window &window : *given.windows) {
        kernels.push_back(l.known(ops::number(window.kernel), "the window is"));
        strides.push_back(l.known(ops::number(window.stride), "the stride is"));
        dilations.push_back(l.known(ops::number(window.dilation), "the dilation is"));
        pads.push_back(l.known(ops::number(window.before), "the padding is"));
    }
    for (std::size_t i = 0; i < given.windows->size(); ++i)
        pads.push_back(pads[i]);
    L::Attributes made{{"kernel_shape", L::list(kernels)},
                       {"strides", L::list(strides)},
                       {"pads", L::list(pads)},
                       {"ceil_mode", std::int64_t{l.known(given.ceilMode, "the rounding is")}}};
    if (std::ranges::any_of(dilations, [](std::int64_t n) { return n != 1; }))
        made.emplace_back("dilations", L::list(dilations));
    return made;
}

Results maxPoolRule(L &l)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.windows)
        return l.refuse("its windows are not known");
    const Batched x = batched(l, given);
    const auto attributes = windowAttributes(l, given);
    if (l.resultCount() < 2 || !l.isRead(1))
        return {x.back(l.make("MaxPool", {x.input}, attributes)), Lowered()};
    // torch counts places in one plane, ONNX in the whole tensor
    const auto made = l.makeAll("MaxPool", {x.input}, attributes, {x.input.dtype, ir::DType::Int64});
    const auto shape = l.tensor(given.input).shape;
    const ir::Dim plane = ops::product(std::span(shape).last(*given.spatialRank));
    return {x.back(made[0]), x.back(l.make("Mod", {made[1], l.size(plane)}))};
}

Results averagePoolRule(L &l)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.windows)
        return l.refuse("its windows are not known");
    const bool isPadded =
        std::ranges::any_of(*given.windows, [](const ops::Window &w) { return ops::number(w.before) != 0; });
    if (*given.ceilMode && isPadded) // ONNX Runtime counts what lies past the padding
        return l.refuse("padding and rounding up");
    const Batched x = batched(l, given);
    L::Attributes attributes = windowAttributes(l, given);
    const bool counts = l.known(given.countIncludePad, "what it counts is");
    const bool countsPadding = given.divisorOverride || (isPadded && counts);
    attributes.emplace_back("count_include_pad", std::int64_t{countsPadding});
    const Term made = l.make("AveragePool", {x.input}, attributes);
    if (!given.divisorOverride)
        return {x.back(made)};
    if (*given.ceilMode)
        return l.refuse("a divisor of its own and rounding up");
    ir::Dim elements = ops::one;
    for (const ops::Window &window : *given.windows)
        elements = ops::times(elements, window.kernel);
    const auto count = l.known(ops::number(elements), "the window is");
    const auto divisor = l.known(*given.divisorOverride, "the divisor is");
    return {x.back(made * (static_cast<double>(count) / static_cast<double>(divisor)))};
}

/// How many elements each window along a dimension counts, by PyTorch's rules.
struct WindowCounts {
    std::int64_t behind = 0; ///< zeros after, so that all windows are whole
    std::vector<float> counts;
};

WindowCounts windowCounts(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t before,
                          bool roundsUp, bool countsPadding)
{
    const std::int64_t span = size + 2 * before - kernel + (roundsUp ? stride - 1 : 0);
    std::int64_t windows = span / stride + 1;
    if (roundsUp && (windows - 1) * stride >= size + before) // it would begin past the elements
        --windows;
    WindowCounts made;
    for (std::int64_t i = 0; i < windows; ++i) {
        const std::int64_t start = i * stride - before, end = std::min(start + kernel, size + before);
        const std::int64_t inside = std::min(end, size) - std::max<std::int64_t>(start, 0);
        made.counts.push_back(static_cast<float>(countsPadding ? end - start : inside));
    }
    made.behind = std::max<std::int64_t>(0, (windows - 1) * stride + kernel - size - before);
    return made;
}

/// Sums of windows of the input with zeros around it, divided by how many elements each counts.
Results countedAverageRule(L &l)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.windows)
        return l.refuse("its windows are not known");
    const auto shape = l.tensor(given.input).shape;
    const Batched x = batched(l, given);
    const auto spatial = std::span(shape).last(*given.spatialRank);
    const std::size_t rank = *given.spatialRank + 2;
    std::vector<std::int64_t> pads(2 * rank), kernels, strides;
    double elements = 1;
    Term divisor = l.scalar(1, x.input.dtype);
    for (std::size_t i = 0; i < spatial.size(); ++i) {
        const ops::Window &window = (*given.windows)[i];
        kernels.push_back(l.known(ops::number(window.kernel), "the window is"));
        strides.push_back(l.known(ops::number(window.stride), "the stride is"));
        const auto size = l.known(ops::number(spatial[i]), "the input's size is");
        const auto before = l.known(ops::number(window.before), "the padding is");
        if (l.isRefused() || strides[i] <= 0 || size > std::int64_t{1} << 20)
            return l.refuse("a size beyond what is counted");
        const WindowCounts counts = windowCounts(size, kernels[i], strides[i], before, *given.ceilMode,
                                                 l.known(given.countIncludePad, "what it counts is"));
        pads[2 + i] = before;
        pads[rank + 2 + i] = counts.behind;
        elements *= static_cast<double>(kernels[i]);
        std::vector<std::int64_t> sizes(spatial.size() - i, 1);
        sizes.front() = -1;
        divisor = divisor * l.cast(l.reshape(l.floats(counts.counts), sizes), x.input.dtype);
    }
    const Term padded = l.make("Pad", {x.input, l.ints(pads)});
    const Term sums =
        l.make("AveragePool", {padded}, {{"kernel_shape", L::list(kernels)}, {"strides", L::list(strides)}}) * elements;
    if (given.divisorOverride)
        return {x.back(sums / static_cast<double>(l.known(*given.divisorOverride, "the divisor is")))};
    return {x.back(sums / divisor)};
}

/// As a pool with windows, if each is as large as the others.
std::optional<L::Attributes> windowsOfAdaptive(std::span<const ir::Dim> sizes, const std::vector<ir::Dim> &wanted)
{
    std::vector<std::int64_t> kernels;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto size = ops::number(sizes[i]), count = ops::number(wanted[i]);
        if (!ops::isKnown(wanted[i]) || (ops::isKnown(sizes[i]) && ops::isSame(sizes[i], wanted[i]))) {
            kernels.push_back(1);
            continue;
        }
        if (!size || !count || *count <= 0 || *size % *count != 0)
            return std::nullopt;
        kernels.push_back(*size / *count);
    }
    return L::Attributes{{"kernel_shape", L::list(kernels)}, {"strides", L::list(kernels)}};
}

Results adaptivePoolRule(L &l)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.outputSize || !*given.outputSize)
        return l.refuse("the result's size is not known");
    if (l.resultCount() > 1 && l.isRead(1))
        return l.refuse("the places of the largest elements");
    const auto shape = l.tensor(given.input).shape;
    const std::vector<ir::Dim> &wanted = **given.outputSize;
    const bool isAverage = l.rule().target == "Average";
    const Batched x = batched(l, given);
    if (std::ranges::all_of(wanted, ops::isOne))
        return {x.back(applied(isAverage ? "GlobalAveragePool" : "GlobalMaxPool", x.input)), Lowered()};
    const auto attributes = windowsOfAdaptive(std::span(shape).last(*given.spatialRank), wanted);
    if (!attributes)
        return l.refuse("the input's size is no known multiple of the result's");
    return {x.back(l.make(isAverage ? "AveragePool" : "MaxPool", {x.input}, *attributes)), Lowered()};
}

constexpr LoweringRule poolingTable[] = {
    {"aten::max_pool1d aten::max_pool2d aten::max_pool3d aten::max_pool2d_with_indices aten::max_pool3d_with_indices "
     "aten::max_pool1d_with_indices",
     maxPoolRule},
    {"aten::avg_pool1d aten::avg_pool2d aten::avg_pool3d", averagePoolRule},
    {"aten::avg_pool1d aten::avg_pool2d aten::avg_pool3d", countedAverageRule},
    {"aten::adaptive_avg_pool1d aten::adaptive_avg_pool2d aten::adaptive_avg_pool3d aten::_adaptive_avg_pool2d "
     "aten::_adaptive_avg_pool3d",
     adaptivePoolRule, "Average"},
    {"aten::adaptive_max_pool1d aten::adaptive_max_pool2d aten::adaptive_max_pool3d", adaptivePoolRule, "Max"},
};

} // namespace

std::span<const LoweringRule> poolingRules() { return poolingTable; }

} // namespace cutaway::convert
