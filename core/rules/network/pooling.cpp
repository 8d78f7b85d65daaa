// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/windowed.h"

#include <algorithm>
#include <limits>

// The rules for pools and for padding of images.

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

Parts adaptiveMean(D &d, AtenName target, std::size_t spatial)
{
    const auto result = d.result();
    if (result.rank() < spatial)
        return d.refuse("its result has too few dimensions");
    std::vector<std::int64_t> dims;
    bool isGlobal = true;
    for (std::size_t i = 0; i < spatial; ++i) {
        dims.push_back(-static_cast<std::int64_t>(i) - 1);
        isGlobal = isGlobal && ops::isOne(result.shape[result.rank() - 1 - i]);
    }
    if (isGlobal)
        return {mean(d["self"], dims, true)};
    return {d.make(target, {d["self"], d.sizes(std::span(result.shape).last(spatial))})};
}

Parts maxPool(D &d, AtenName target)
{
    return {
        d.makeAll(target, {d["self"], d["kernel_size"], d["stride"], d["padding"], d["dilation"], d["ceil_mode"]}, 2)
            .front()};
}

/// Makes a pool over one dimension a pool over two, with windows of height 1.
Parts maxPoolOfLine(D &d)
{
    const auto kernel = d.integers("kernel_size"), stride = d.integers("stride"), padding = d.integers("padding"),
               dilation = d.integers("dilation");
    if (kernel.size() != 1 || padding.size() != 1 || dilation.size() != 1 || stride.size() > 1)
        return d.refuse("its windows are of several dimensions");
    const std::int64_t step = stride.empty() ? kernel.front() : stride.front();
    const auto pool = d.makeAll("max_pool2d_with_indices",
                                {unsqueeze(d["self"], -2), D::list({1, kernel.front()}), D::list({1, step}),
                                 D::list({0, padding.front()}), D::list({1, dilation.front()}), d["ceil_mode"]},
                                2);
    Parts parts;
    for (std::size_t i = 0; i < d.resultCount() && i < pool.size(); ++i)
        parts.emplace_back(squeeze(pool[i], -2));
    return parts;
}

Parts adaptiveMaxOfLine(D &d)
{
    const auto size = d.integers("output_size");
    if (size.size() != 1)
        return d.refuse("its result is of several dimensions");
    const auto pool = d.makeAll("adaptive_max_pool2d", {unsqueeze(d["self"], -2), D::list({1, size.front()})}, 2);
    return {squeeze(pool[0], -2), squeeze(pool[1], -2)};
}

/// Pads each dimension at each end with the elements from its other end.
Parts paddedAround(D &d, Term x, const D::Numbers &padding)
{
    const auto known = d.tensor(x);
    for (std::size_t i = 0; i < padding.size() / 2; ++i) {
        if (i >= known.rank())
            return d.refuse("it pads more dimensions than there are");
        const std::size_t dim = known.rank() - 1 - i;
        const std::int64_t size = d.known(ops::number(known.shape[dim]), "the size that it pads is");
        const std::int64_t before = padding[2 * i], after = padding[2 * i + 1];
        if (before < 0 || after < 0 || before > size || after > size)
            return d.refuse("it pads by more than a dimension has, or by less than nothing");
        std::vector<Term> parts;
        if (before > 0)
            parts.push_back(slice(x, dim, size - before, size));
        parts.push_back(x);
        if (after > 0)
            parts.push_back(slice(x, dim, std::int64_t{0}, after));
        if (parts.size() > 1)
            x = concat(parts, static_cast<std::int64_t>(dim));
    }
    return {x};
}

Parts padded(D &d)
{
    const Term x = d["self"];
    const std::string_view mode = d.text("mode");
    if (mode == "constant")
        return {d.make("constant_pad_nd", {x, d["pad"], d.has("value") ? d["value"] : d.term(std::int64_t{0})})};
    const D::Numbers padding = d.integers("pad");
    if (padding.empty() || padding.size() > 6 || padding.size() % 2 != 0)
        return d.refuse("its padding is not of one to three dimensions");
    if (mode == "circular")
        return paddedAround(d, x, padding);
    if (mode != "reflect" && mode != "replicate")
        return d.refuse("its mode is not known");
    return {d.make(AtenName::computed(
                       formatted("{}_pad{}d", mode == "reflect" ? "reflection" : "replication", padding.size() / 2)),
                   {x, D::list(padding)})};
}

/// Replicates the ends of a tensor that has one spatial dimension: by replication_pad2d, as an image of height 1.
Parts replicatedLine(D &d)
{
    const D::Numbers padding = d.integers("padding");
    if (padding.size() != 2)
        return d.refuse("its padding is of several dimensions");
    return {squeeze(
        d.make("replication_pad2d", {unsqueeze(d["self"], -2), D::list({padding.front(), padding.back(), 0, 0})}), -2)};
}

/// Puts elements back to the positions in their image from which a pool took them; the other elements are zero.
template <std::size_t spatial>
Parts unpooled(D &d)
{
    const auto known = d.tensor("self"), places = d.tensor("indices"), result = d.result();
    if (known.rank() <= spatial || places.dtype != ir::DType::Int64 || places.shape != known.shape
        || result.rank() != known.rank())
        return d.refuse("its places are not one for each element");
    const std::size_t outer = known.rank() - spatial;
    const ir::Dim images = ops::product(std::span(known.shape).first(outer));
    const auto size = ops::number(ops::product(std::span(result.shape).last(spatial)));
    const std::int64_t count = d.known(ops::number(images), "the number of images is");
    ir::Shape ofEach(known.rank(), ops::one);
    std::copy_n(known.shape.begin(), outer, ofEach.begin());
    const Term offset = reshape(d.arange(count), ofEach) * d.term(d.known(size, "the size of its result is"));
    const ir::Shape all{ops::elementsOf(known.shape)};
    const Term place = reshape(d["indices"] + offset, all), elements = reshape(d["self"], all);
    const Term zeros = d.full({ops::elementsOf(result.shape)}, std::int64_t{0}, known.dtype);
    return {reshape(d.make("index_put", {zeros, ir::List{{place.operand}}, elements}), result.shape)};
}

/// Returns the positions that windows read along a padded dimension of this size, as a matrix [element of the window,
/// window].
Term readPlaces(D &d, std::int64_t size, std::int64_t kernel, std::int64_t dilation, std::int64_t stride)
{
    const auto reach = kernel < 1 ? std::nullopt : checkedMultiply(kernel - 1, dilation);
    if (!reach || dilation < 1 || stride < 1 || size <= *reach) {
        d.refuse("its windows make no sense");
        return d.term({});
    }
    const Term starts = d.arange((size - *reach - 1) / stride + 1) * d.term(stride);
    const Term steps = d.arange(kernel) * d.term(dilation);
    const Term ofWindows = unsqueeze(starts, 0), ofElements = unsqueeze(steps, -1);
    return ofWindows + ofElements;
}

/// Makes columns of the windows of an image.
Parts columnsOfImage(D &d)
{
    const auto known = d.tensor("self"), result = d.result();
    const auto kernel = d.integers("kernel_size"), dilation = d.integers("dilation"), padding = d.integers("padding"),
               stride = d.integers("stride");
    if (known.rank() < 3 || known.rank() > 4)
        return d.refuse("it is no image");
    for (const auto &pair : {kernel, dilation, padding, stride})
        if (pair.size() != 2)
            return d.refuse("its windows are not of two dimensions");
    const std::size_t outer = known.rank() - 2; // the dimensions before the image: the channels, perhaps after a batch
    ir::List places{std::vector<ir::Operand>(outer)};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t size = d.known(ops::number(known.shape[outer + i]), "the size of the image is");
        const auto added = checkedMultiply<std::int64_t>(padding[i], 2);
        const auto padded = added ? checkedAdd(*added, size) : std::nullopt;
        if (padding[i] < 0 || !padded)
            return d.refuse("its padding is below 0, or too large");
        const Term read = readPlaces(d, *padded, kernel[i], dilation[i], stride[i]);
        places.items.push_back(i == 0 ? unsqueeze(unsqueeze(read, -1), -1) : read);
    }
    const Term image =
        d.make("constant_pad_nd", {d["self"], D::list({padding[1], padding[1], padding[0], padding[0]}), 0.0});
    const Term windows = d.make("index.Tensor", {image, places});
    return {reshape(transposed(windows, outer + 1, outer + 2), result.shape)};
}

constexpr DecompositionRule poolingDecompositions[] = {
    {"aten::adaptive_avg_pool2d", [](D &d) { return adaptiveMean(d, "_adaptive_avg_pool2d", 2); }},
    {"aten::adaptive_avg_pool3d", [](D &d) { return adaptiveMean(d, "_adaptive_avg_pool3d", 3); }},
    {"aten::adaptive_max_pool1d", adaptiveMaxOfLine},
    {"aten::im2col", columnsOfImage},
    {"aten::max_pool1d", maxPoolOfLine},
    {"aten::max_pool1d_with_indices", maxPoolOfLine},
    {"aten::max_pool2d", [](D &d) { return maxPool(d, "max_pool2d_with_indices"); }},
    {"aten::max_pool3d", [](D &d) { return maxPool(d, "max_pool3d_with_indices"); }},
    {"aten::max_unpool2d", unpooled<2>},
    {"aten::max_unpool3d", unpooled<3>},
    {"aten::pad", padded},
    {"aten::replication_pad1d", replicatedLine},
};

// ---- from ONNX

using N = OnnxNode;
using Numbers = N::Numbers;

/// torch's indices refer to one plane, ONNX's to the entire tensor.
Parts placedMaxPool(N &n, const KnownWindows &windows, bool ceilMode)
{
    const auto x = n.tensor(0);
    const auto batch = ops::number(x.shape[0]), channels = ops::number(x.shape[1]);
    const auto count = batch && channels ? checkedMultiply(*batch, *channels) : std::nullopt;
    if (windows.kernel.size() != 2 || !canPad(windows) || n.integer("storage_order", 0) != 0 || !count)
        return n.refuse("torch has no such places of the largest elements");
    const auto made = n.makeAll("max_pool2d_with_indices",
                                {n[0], N::list(windows.kernel), N::list(windows.stride), N::list(windows.before),
                                 N::list(windows.dilation), ceilMode},
                                2);
    const Term planes = reshape(n.arange(*count), {*batch, *channels, ops::one, ops::one});
    const Term plane = n.make("mul.Scalar", {planes, n.size(ops::times(x.shape[2], x.shape[3]))});
    return {made[0], made[1] + plane};
}

Parts maxPool(N &n)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const auto windows = knownWindows(given.windows, n.tensor(0), n.result());
    if (!windows || !given.ceilMode)
        return n.refuse(std::string(unknownWindows));
    if (!ir::isFloating(n.dtype(0)))
        return n.refuse("torch pools floats alone");
    if (n.resultCount() > 1)
        return placedMaxPool(n, *windows, *given.ceilMode);
    const bool fits = canPad(*windows);
    const Term data = fits ? n[0] : padded(n[0], *windows, -std::numeric_limits<double>::infinity());
    const Numbers padding = fits ? windows->before : Numbers(windows->before.size());
    return {n.make(AtenName::computed(formatted("max_pool{}d", windows->kernel.size())),
                   {data, N::list(windows->kernel), N::list(windows->stride), N::list(padding),
                    N::list(windows->dilation), *given.ceilMode})};
}

Parts averagePool(N &n) { return {averagePooled(n, n[0])}; }

/// Computes (Σ |x|^p)^(1/p) from the average over `count` elements.
Term rootOfPowers(const Term &average, double count, double p)
{
    const Term sum = average * count;
    return p == 1 ? sum
        : p == 2  ? applied("sqrt", sum)
                  : sum.made->make("pow.Tensor_Scalar", {sum, ir::Operand(1 / p)});
}

Term powerOf(const Term &x, double p)
{
    return p == 2 ? x * x : x.made->make("pow.Tensor_Scalar", {applied("abs", x), ir::Operand(p)});
}

/// Returns p, which is a float before operator set 2.
double exponentOf(N &n) { return n.opset() < 2 ? n.number("p", 2) : static_cast<double>(n.integer("p", 2)); }

Parts lpPool(N &n)
{
    const ops::PoolArguments given = ops::poolArguments(n.call());
    const auto windows = knownWindows(given.windows, n.tensor(0), n.result());
    if (!windows || !given.ceilMode)
        return n.refuse(std::string(unknownWindows));
    if (*given.ceilMode || std::ranges::any_of(windows->dilation, [](auto d) { return d != 1; }))
        return n.refuse("torch's average pools, of which it is made, have no dilation, nor such ends");
    const Term powers = padded(powerOf(n[0], exponentOf(n)), *windows, 0);
    const Term average = n.make(AtenName::computed(formatted("avg_pool{}d", windows->kernel.size())),
                                {powers, N::list(windows->kernel), N::list(windows->stride)});
    double count = 1;
    for (const std::int64_t size : windows->kernel)
        count *= static_cast<double>(size);
    return {rootOfPowers(average, count, exponentOf(n))};
}

/// Returns all dimensions after the channels.
Numbers placesOf(N &n)
{
    Numbers dims = n.allDimensions();
    dims.erase(dims.begin(), dims.begin() + std::min(std::ssize(dims), std::ptrdiff_t{2}));
    if (dims.empty())
        n.refuse("its input has nothing but channels");
    return dims;
}

Parts globalLpPool(N &n)
{
    return {rootOfPowers(sum(powerOf(n[0], exponentOf(n)), placesOf(n), true), 1, exponentOf(n))};
}

Parts globalAveragePool(N &n)
{
    const Numbers dims = placesOf(n);
    if (n.isRefused() || dims.size() > 3)
        return {mean(n[0], dims, true)};
    return {n.make(AtenName::computed(formatted("adaptive_avg_pool{}d", dims.size())),
                   {n[0], N::list(Numbers(dims.size(), 1))})};
}

Parts globalMaxPool(N &n) { return {n.make("amax", {n[0], N::list(placesOf(n)), true})}; }

constexpr OnnxLowering poolingLowerings[] = {
    {"onnx::AveragePool", averagePool},
    {"onnx::GlobalAveragePool", globalAveragePool},
    {"onnx::GlobalLpPool", globalLpPool},
    {"onnx::GlobalMaxPool", globalMaxPool},
    {"onnx::LpPool", lpPool},
    {"onnx::MaxPool", maxPool},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

/// A pool's input with the dimensions that ONNX wants, and back(), which gives a result the dimensions that torch has.
struct Batched {
    Term input;
    bool isUnbatched = false;
    Term back(const Term &made) const { return isUnbatched ? squeeze(made, {0}) : made; }
};

Batched batched(L &l, const ops::PoolArguments &given)
{
    const bool isUnbatched = l.tensor(given.input).rank() == *given.spatialRank + 1;
    return {isUnbatched ? unsqueeze(l[given.input], {0}) : l[given.input], isUnbatched};
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
    if (!given.spatialRank || !given.windows || !given.ceilMode)
        return l.refuse("its windows are not known");
    if (l.tensor(given.input).rank() < *given.spatialRank)
        return l.refuse("its input has too few dimensions");
    const Batched x = batched(l, given);
    const auto attributes = windowAttributes(l, given);
    if (l.resultCount() < 2 || !l.isRead(1))
        return {x.back(l.make("MaxPool", {x.input}, attributes)), Lowered()};
    // torch's indices refer to one plane, ONNX's to the entire tensor
    const auto made = l.makeAll("MaxPool", {x.input}, attributes, {x.input.dtype, ir::DType::Int64});
    const auto shape = l.tensor(given.input).shape;
    const ir::Dim plane = ops::product(std::span(shape).last(*given.spatialRank));
    return {x.back(made[0]), x.back(l.make("Mod", {made[1], l.size(plane)}))};
}

Results averagePoolRule(L &l)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.windows || !given.ceilMode)
        return l.refuse("its windows are not known");
    if (l.tensor(given.input).rank() < *given.spatialRank)
        return l.refuse("its input has too few dimensions");
    const bool isPadded =
        std::ranges::any_of(*given.windows, [](const ops::Window &w) { return ops::number(w.before) != 0; });
    if (*given.ceilMode && isPadded) // ONNX Runtime also counts elements beyond the padding
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

/// The number of elements that each window along a dimension counts, by PyTorch's rules.
struct WindowCounts {
    std::int64_t behind = 0; ///< the number of zeros to append, so that all windows are complete
    std::vector<float> counts;
};

WindowCounts windowCounts(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t before,
                          bool roundsUp, bool countsPadding)
{
    const std::int64_t span = size + 2 * before - kernel + (roundsUp ? stride - 1 : 0);
    std::int64_t windows = span / stride + 1;
    if (roundsUp && (windows - 1) * stride >= size + before) // the last window would begin beyond the elements
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

/// Computes sums of the windows of the zero-padded input, divided by the number of elements that each window counts.
Results countedAverageRule(L &l)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.windows || !given.ceilMode)
        return l.refuse("its windows are not known");
    if (l.tensor(given.input).rank() < *given.spatialRank)
        return l.refuse("its input has too few dimensions");
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
        constexpr std::int64_t limit = 1 << 20;
        const auto isCounted = [](std::int64_t number) { return number > 0 && number <= limit; };
        if (l.isRefused() || !isCounted(kernels[i]) || !isCounted(strides[i]) || size > limit || before < 0
            || before > limit)
            return l.refuse("a size beyond what is counted");
        const WindowCounts counts = windowCounts(size, kernels[i], strides[i], before, *given.ceilMode,
                                                 l.known(given.countIncludePad, "what it counts is"));
        pads[2 + i] = before;
        pads[rank + 2 + i] = counts.behind;
        elements *= static_cast<double>(kernels[i]);
        std::vector<std::int64_t> sizes(spatial.size() - i, 1);
        sizes.front() = -1;
        divisor = divisor * cast(reshape(l.floats(counts.counts), sizes), x.input.dtype);
    }
    const Term padded = l.make("Pad", {x.input, l.ints(pads)});
    const Term sums =
        l.make("AveragePool", {padded}, {{"kernel_shape", L::list(kernels)}, {"strides", L::list(strides)}}) * elements;
    if (given.divisorOverride)
        return {x.back(sums / static_cast<double>(l.known(*given.divisorOverride, "the divisor is")))};
    return {x.back(sums / divisor)};
}

/// Returns the attributes of a pool with windows that computes what an adaptive pool does; nothing if the windows of
/// the adaptive pool would differ in size.
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

Results adaptivePoolRule(L &l, OnnxName op)
{
    const auto given = ops::poolArguments(l.call());
    if (!given.spatialRank || !given.outputSize || !*given.outputSize)
        return l.refuse("the result's size is not known");
    if (l.resultCount() > 1 && l.isRead(1))
        return l.refuse("the places of the largest elements");
    const auto shape = l.tensor(given.input).shape;
    if (shape.size() < *given.spatialRank)
        return l.refuse("its input has too few dimensions");
    const std::vector<ir::Dim> &wanted = **given.outputSize;
    const Batched x = batched(l, given);
    if (std::ranges::all_of(wanted, ops::isOne))
        return {x.back(applied(OnnxName::computed("Global" + std::string(op)), x.input)), Lowered()};
    const auto attributes = windowsOfAdaptive(std::span(shape).last(*given.spatialRank), wanted);
    if (!attributes)
        return l.refuse("the input's size is no known multiple of the result's");
    return {x.back(l.make(op, {x.input}, *attributes)), Lowered()};
}

constexpr LoweringRule poolingRules[] = {
    {"aten::max_pool1d aten::max_pool2d aten::max_pool3d aten::max_pool2d_with_indices aten::max_pool3d_with_indices "
     "aten::max_pool1d_with_indices",
     maxPoolRule},
    {"aten::avg_pool1d aten::avg_pool2d aten::avg_pool3d", averagePoolRule},
    {"aten::avg_pool1d aten::avg_pool2d aten::avg_pool3d", countedAverageRule},
    {"aten::adaptive_avg_pool1d aten::adaptive_avg_pool2d aten::adaptive_avg_pool3d aten::_adaptive_avg_pool2d "
     "aten::_adaptive_avg_pool3d",
     with<adaptivePoolRule, OnnxName("AveragePool")>},
    {"aten::adaptive_max_pool1d aten::adaptive_max_pool2d aten::adaptive_max_pool3d",
     with<adaptivePoolRule, OnnxName("MaxPool")>},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family pooling()
{
    return {.decompositions = to_aten::poolingDecompositions,
            .fromOnnx = to_aten::poolingLowerings,
            .toOnnx = to_onnx::poolingRules};
}

} // namespace cutaway::rules
