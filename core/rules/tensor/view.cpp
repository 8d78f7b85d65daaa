// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

/// Makes a view that keeps the order of elements. Its shape is that of the result or, if that has formulas, the
/// argument `shape`.
Parts reshaped(D &d)
{
    const auto result = d.result();
    if (ops::numbers(result.shape) || !d.has("shape"))
        return {reshape(d["self"], result.shape)};
    return {d.make("view", {rowMajor(d["self"]), d["shape"]})};
}

Parts expanded(D &d) { return {expand(d["self"], d.result().shape)}; }

Parts transpose(D &d)
{
    const std::size_t rank = d.tensor("self").rank();
    const bool isDim = d.has("dim0");
    const std::int64_t a = d.axis(isDim ? "dim0" : "axis0", rank), b = d.axis(isDim ? "dim1" : "axis1", rank);
    if (rank == 0)
        return d.refuse("it has no dimensions");
    return {transposed(d["self"], static_cast<std::size_t>(a), static_cast<std::size_t>(b))};
}

Parts transposeLast(D &d)
{
    const auto known = d.tensor("self");
    if (ir::isComplex(known.dtype))
        return d.refuse("it is of complex numbers");
    return {known.rank() < 2 ? d["self"] : transposed(d["self"], known.rank() - 2, known.rank() - 1)};
}

Parts reversedDimensions(D &d)
{
    std::vector<std::size_t> order(d.tensor("self").rank());
    std::iota(order.rbegin(), order.rend(), 0);
    return {permute(d["self"], order)};
}

Parts moved(D &d)
{
    const std::size_t rank = d.tensor("self").rank();
    const auto from = d.integers("source"), to = d.integers("destination");
    if (from.size() != to.size())
        return d.refuse("its dimensions are not as many");
    std::vector<std::optional<std::size_t>> order(rank);
    std::vector<bool> isTaken(rank);
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto a = ops::dimension(from[i], rank), b = ops::dimension(to[i], rank);
        if (!a || !b || isTaken[*a] || order[*b])
            return d.refuse("a dimension is moved twice, or is none");
        order[*b] = a;
        isTaken[*a] = true;
    }
    std::vector<std::size_t> all;
    std::size_t next = 0;
    for (const auto &place : order) {
        while (!place && isTaken[next])
            ++next;
        all.push_back(place ? *place : next++);
    }
    return {permute(d["self"], all)};
}

Parts squeezed(D &d)
{
    const auto known = d.tensor("self");
    D::Numbers ones;
    for (std::size_t i = 0; i < known.rank(); ++i)
        if (ops::isOne(known.shape[i]))
            ones.push_back(static_cast<std::int64_t>(i));
    if (known.rank() - ones.size() != d.result().rank())
        return d.refuse("which dimensions go is not known");
    return {ones.empty() ? d["self"] : d.make("squeeze.dims", {d["self"], D::list(ones)})};
}

Parts narrowed(D &d)
{
    const auto known = d.tensor("self"), result = d.result();
    const auto dim = static_cast<std::size_t>(d.axis("dim", known.rank()));
    ir::Dim first = d.known(d.isTensor(d["start"]) ? std::nullopt : d.call().size("start"), "'start' is");
    if (d.isRefused() || known.rank() == 0 || result.rank() != known.rank())
        return d.refuse("its input is a number, or its result has other dimensions");
    if (const auto number = ops::number(first); number && *number < 0)
        first = ops::plus(first, known.shape[dim]);
    const ir::Operand end = d.size(ops::plus(first, result.shape[dim])), begin = d.size(first);
    return {slice(d["self"], dim, begin, end)};
}

Parts rotated(D &d)
{
    const Term x = d["self"];
    const std::size_t rank = d.tensor("self").rank();
    const auto dims = d.integers("dims");
    const auto a = dims.size() == 2 ? ops::dimension(dims.front(), rank) : std::nullopt;
    const auto b = a ? ops::dimension(dims.back(), rank) : std::nullopt;
    if (!b)
        return d.refuse("'dims' are no two dimensions");
    const auto flipped = [&](std::initializer_list<std::size_t> axes) {
        return d.make("flip", {x, D::list(D::Numbers(axes.begin(), axes.end()))});
    };
    switch ((d.integer("k") % 4 + 4) % 4) {
    case 1:
        return {transposed(flipped({*b}), *a, *b)};
    case 2:
        return {flipped({*a, *b})};
    case 3:
        return {transposed(flipped({*a}), *a, *b)};
    default:
        return {applied("clone", x)};
    }
}

/// Rolls dimensions: elements that move out at one end come in at the other.
Parts rolled(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor("self");
    const auto shifts = d.integers("shifts"), dims = d.integers("dims");
    if (dims.empty() && shifts.size() == 1) {
        const Term flat = reshape(x, {ops::elementsOf(known.shape)});
        return {reshape(d.make("roll", {flat, D::list(shifts), D::list({0})}), known.shape)};
    }
    if (dims.size() != shifts.size())
        return d.refuse("its shifts are not one for each dimension");
    Term all = x;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto dim = ops::dimension(dims[i], known.rank());
        const auto size = dim ? ops::number(known.shape[*dim]) : std::nullopt;
        if (!size)
            return d.refuse("the size of a dimension is not known");
        const std::int64_t start = *size == 0 ? 0 : (*size - shifts[i] % *size) % *size;
        if (start != 0)
            all = concat({slice(all, *dim, start, *size), slice(all, *dim, std::int64_t{0}, start)},
                         static_cast<std::int64_t>(*dim));
    }
    return {all.operand == x.operand ? applied("clone", x) : all};
}

/// Rearranges [..., C·r², H, W] so that squares of channels become squares of the image, or back.
template <bool isBack>
Parts shuffledPixels(D &d)
{
    const auto known = d.tensor("self"), result = d.result();
    const ir::Dim r = d.integer(isBack ? "downscale_factor" : "upscale_factor");
    if (known.rank() < 3 || result.rank() != known.rank())
        return d.refuse("it is no image");
    const std::size_t batch = known.rank() - 3;
    const auto &small = isBack ? result.shape : known.shape;
    const auto &large = isBack ? known.shape : result.shape;
    ir::Shape split(known.shape.begin(), known.shape.begin() + static_cast<std::ptrdiff_t>(batch));
    std::vector<std::size_t> order(batch);
    std::iota(order.begin(), order.end(), 0);
    if (isBack) {
        split.insert(split.end(), {large[batch], small[batch + 1], r, small[batch + 2], r});
        order.insert(order.end(), {batch, batch + 2, batch + 4, batch + 1, batch + 3});
    } else {
        split.insert(split.end(), {large[batch], r, r, small[batch + 1], small[batch + 2]});
        order.insert(order.end(), {batch, batch + 3, batch + 1, batch + 4, batch + 2});
    }
    return {reshape(permute(reshape(d["self"], split), order), result.shape)};
}

/// Views [N, g·k, …] as [N, g, k, …], exchanges the two new dimensions, and joins them again.
Parts shuffledChannels(D &d)
{
    const auto known = d.tensor("self");
    const std::int64_t groups = d.integer("groups");
    if (known.rank() < 3 || groups <= 0)
        return d.refuse("it is no image, or of no groups");
    ir::Shape split = known.shape;
    split[1] = ops::floorDivide(split[1], groups);
    split.insert(split.begin() + 1, groups);
    return {reshape(transposed(reshape(d["self"], split), 1, 2), known.shape)};
}

constexpr DecompositionRule viewDecompositions[] = {
    {"aten::_reshape_alias", reshaped},
    {"aten::_unsafe_view", reshaped},
    {"aten::adjoint", transposeLast},
    {"aten::atleast_1d", reshaped},
    {"aten::atleast_2d", reshaped},
    {"aten::atleast_3d", reshaped},
    {"aten::broadcast_to", expanded},
    {"aten::channel_shuffle", shuffledChannels},
    {"aten::expand_as", expanded},
    {"aten::flatten", reshaped},
    {"aten::mH", transposeLast},
    {"aten::mT", transposeLast},
    {"aten::matrix_H", transposeLast},
    {"aten::moveaxis", moved},
    {"aten::movedim", moved},
    {"aten::narrow", narrowed},
    {"aten::native_channel_shuffle", shuffledChannels},
    {"aten::numpy_T", reversedDimensions},
    {"aten::pixel_shuffle", shuffledPixels<false>},
    {"aten::pixel_unshuffle", shuffledPixels<true>},
    {"aten::ravel", reshaped},
    {"aten::reshape", reshaped},
    {"aten::reshape_as", reshaped},
    {"aten::roll", rolled},
    {"aten::rot90", rotated},
    {"aten::squeeze", squeezed},
    {"aten::swapaxes", transpose},
    {"aten::swapdims", transpose},
    {"aten::t", transposeLast},
    {"aten::transpose", transpose},
    {"aten::unflatten", reshaped},
    {"aten::view_as", reshaped},
};

// ---- from ONNX

using N = OnnxNode;
using Numbers = N::Numbers;

/// Reshapes to the result's shape.
Parts reshape(N &n) { return {n.make("reshape", {n[0], n.sizes(n.result().shape)})}; }

Parts flatten(N &n)
{
    const ir::Shape *x = n.call().shape(0);
    const bool isFromSecond = n.integer("axis", 1) == 1 && x && x->size() >= 2;
    return isFromSecond ? Parts{n.make("flatten.using_ints", {n[0], 1})} : reshape(n);
}

std::optional<Numbers> axesOf(const N &n) { return n.knownIntegers(n.has("axes") ? Where("axes") : Where(1)); }

Parts squeeze(N &n)
{
    const auto axes = n.has("axes") || n.has(1) ? axesOf(n) : std::nullopt;
    return axes ? Parts{n.make("squeeze.dims", {n[0], N::list(*axes)})} : reshape(n);
}

Parts unsqueeze(N &n)
{
    Numbers axes = n.known(axesOf(n), "its axes are");
    const auto rank = std::ssize(n.result().shape);
    for (std::int64_t &axis : axes)
        axis += axis < 0 ? rank : 0;
    std::ranges::sort(axes);
    Term x = n[0];
    for (const std::int64_t axis : axes)
        x = unsqueeze(x, axis);
    return {x};
}

Parts transpose(N &n)
{
    Numbers order = n.allDimensions();
    std::ranges::reverse(order);
    return {n.make("permute", {n[0], N::list(n.has("perm") ? n.integers("perm") : order)})};
}

Parts expand(N &n) { return {n.make("expand", {n[0], n.sizes(n.result().shape)})}; }

/// A dimension that is viewed as two: a number of blocks, and their size.
struct Blocks {
    ir::Shape input, output;
    std::int64_t size;
};

Blocks blocksOf(N &n)
{
    const Blocks made{n.tensor(0).shape, n.result().shape, n.integer("blocksize", 0)};
    if (made.input.size() != 4 || made.output.size() != 4 || made.size < 1)
        n.refuse("it is no image, or of no blocks");
    return made;
}

Parts depthToSpace(N &n)
{
    if (n.text("mode", "DCR") == "CRD")
        return {n.make("pixel_shuffle", {n[0], n.integer("blocksize", 1)})};
    const auto [x, y, size] = blocksOf(n);
    if (n.isRefused())
        return {};
    const Term apart = reshape(n[0], {x[0], size, size, y[1], x[2], x[3]});
    return {reshape(permute(apart, {0, 3, 4, 1, 5, 2}), y)};
}

Parts spaceToDepth(N &n)
{
    const auto [x, y, size] = blocksOf(n);
    if (n.isRefused())
        return {};
    const Term apart = reshape(n[0], {x[0], x[1], y[2], size, y[3], size});
    return {reshape(permute(apart, {0, 3, 5, 1, 2, 4}), y)};
}

constexpr OnnxLowering viewLowerings[] = {
    {"onnx::DepthToSpace", depthToSpace}, {"onnx::Expand", expand},
    {"onnx::Flatten", flatten},           {"onnx::Reshape", reshape},
    {"onnx::SpaceToDepth", spaceToDepth}, {"onnx::Squeeze", squeeze},
    {"onnx::Transpose", transpose},       {"onnx::Unsqueeze", unsqueeze},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

/// Returns the argument unchanged, for views, copies and conversions that keep the elements. It is converted to the
/// dtype of the result afterwards.
Results unchangedRule(L &l) { return {l.unchanged()}; }

bool isNumbered(const ir::Shape &shape)
{
    return std::ranges::count_if(shape, [](const ir::Dim &dim) { return !ops::number(dim); }) <= 1;
}

/// Reshapes to a shape in which at most one size is unknown.
Results reshapedRule(L &l)
{
    const auto made = l.result();
    if (!isNumbered(made.shape))
        return l.refuse("more than one size is not known");
    return {reshapeExactly(l[0], l.shapeTerm(made.shape))};
}

/// Reshapes to the shape that is the argument, or to that of the result if tensors that are read have its sizes.
Results reshapedAsGivenRule(L &l)
{
    if (l.call().position({"dtype"}))
        return l.refuse("a view of the same bytes as another dtype");
    for (const std::string_view parameter : {"size", "shape"})
        if (l.call().position({parameter}))
            return {reshapeExactly(l[0], l.sizes(parameter))};
    return {reshapeExactly(l[0], l.shapeTerm(l.result().shape))};
}

Results viewRule(L &l)
{
    if (l.call().position({"dtype"}))
        return l.refuse("a view of the same bytes as another dtype");
    return reshapedRule(l);
}

Results permuteRule(L &l)
{
    const auto x = l.tensor(0);
    std::vector<std::int64_t> order;
    for (const std::int64_t dim : l.integers("dims"))
        order.push_back(dim < 0 ? dim + static_cast<std::int64_t>(x.rank()) : dim);
    return {transpose(l[0], order)};
}

Results transposeRule(L &l)
{
    const std::size_t rank = l.tensor(0).rank();
    if (rank == 0)
        return {l.unchanged()};
    const auto a = static_cast<std::size_t>(l.axis("dim0", rank)), b = static_cast<std::size_t>(l.axis("dim1", rank));
    return {transposed(l[0], rank, a, b)};
}

Results unsqueezeRule(L &l) { return {unsqueeze(l[0], {l.axis("dim", l.tensor(0).rank() + 1)})}; }

/// Removes those of the named dimensions that have one element.
Results squeezeRule(L &l)
{
    const auto x = l.tensor(0);
    std::vector<std::int64_t> named = consecutive(0, x.rank()), squeezed;
    if (l.call().position({"dim"}))
        named = l.integers("dim");
    for (const std::int64_t dim : named) {
        const auto at = ops::dimension(dim, x.rank());
        if (!at)
            continue;
        const ir::Dim &size = x.shape[*at];
        if (!ops::isKnown(size) || (!ops::number(size) && !l.call().position({"dim"})))
            return l.refuse("whether a dimension has one element is not known");
        if (ops::isOne(size))
            squeezed.push_back(static_cast<std::int64_t>(*at));
    }
    return {squeezed.empty() ? l.unchanged() : Lowered(squeeze(l[0], squeezed))};
}

/// Returns the sizes of an expansion. -1 stands for the present size; a number that is not known before the model runs
/// may be -1.
Term expandedSizes(L &l)
{
    std::vector<Term> parts;
    bool mayKeep = false;
    for (const Term &item : l.items("size")) {
        const auto *value = item.operand.as<ir::ValueId>();
        const auto number = value ? l.graph().wholeOf(*value) : std::nullopt;
        mayKeep = mayKeep || !number;
        parts.push_back(number ? l.ints({*number == -1 ? 1 : *number}) : vectorOf(cast(item, ir::DType::Int64)));
    }
    if (parts.empty())
        return l.sizes("size");
    Term sizes = concat(parts, 0);
    if (!mayKeep)
        return sizes;
    const Term keeps = compared("Equal", sizes, l.scalar(std::int64_t{-1}));
    return where(keeps, l.scalar(std::int64_t{1}), sizes);
}

Results expandRule(L &l)
{
    if (!l.call().position({"size"}))
        return {expand(l[0], l.shapeTerm(l.result().shape))};
    const auto known = l.call().sizes("size");
    if (!known || !ops::numbers(*known))
        return {expand(l[0], expandedSizes(l))};
    auto sizes = l.integers("size");
    std::ranges::replace(sizes, -1, 1);
    return {expand(l[0], l.ints(sizes))};
}

Results expandAsRule(L &l) { return {expand(l[0], shapeOf(l[1]))}; }

Results repeatRule(L &l)
{
    const auto x = l.tensor(0);
    const Term repeats = l.sizes("repeats");
    const std::size_t rank = l.result().rank();
    const auto axes = consecutive(0, rank - std::min(rank, x.rank()));
    return {l.make("Tile", {axes.empty() ? l[0] : unsqueeze(l[0], axes), repeats})};
}

Results flipRule(L &l)
{
    const auto x = l.tensor(0);
    const auto dims = l.integers("dims");
    const std::vector<std::int64_t> ends(dims.size(), std::numeric_limits<std::int64_t>::min());
    const std::vector<std::int64_t> minus(dims.size(), -1);
    if (dims.empty() || x.rank() == 0)
        return {l.unchanged()};
    return {l.make("Slice", {l[0], l.ints(minus), l.ints(ends), l.ints(dims), l.ints(minus)})};
}

Results pixelShuffleRule(L &l)
{
    if (l.tensor(0).rank() != 4)
        return l.refuse("of other than four dimensions");
    return {
        l.make("DepthToSpace", {l[0]},
               {{"blocksize", l.integer("upscale_factor")}, {"mode", ir::String{l.graph().context().name("CRD")}}})};
}

Results channelShuffleRule(L &l)
{
    const auto x = l.tensor(0);
    const std::int64_t groups = l.integer("groups");
    if (x.rank() < 2 || groups <= 0)
        return l.refuse("of less than two dimensions");
    const auto channels = l.known(ops::number(x.shape[1]), "the number of channels is");
    const Term parts = reshape(l[0], std::vector<std::int64_t>{0, groups, channels / groups, -1});
    const Term shape = shapeOf(l[0]);
    return {reshape(transpose(parts, {0, 2, 1, 3}), shape)};
}

/// Adds overlapping blocks.
Results col2imRule(L &l)
{
    const auto padding = l.integers("padding");
    const bool isUnbatched = l.tensor(0).rank() == 2;
    const Term blocks = isUnbatched ? unsqueeze(l[0], {0}) : l[0];
    if (l.isRefused() || padding.size() != 2)
        return l.refuse("of other than two dimensions");
    const Term made = l.make("Col2Im", {blocks, l.ints(l.integers("output_size")), l.ints(l.integers("kernel_size"))},
                             {{"dilations", L::list(l.integers("dilation"))},
                              {"pads", L::list(std::vector{padding[0], padding[1], padding[0], padding[1]})},
                              {"strides", L::list(l.integers("stride"))}});
    return {isUnbatched ? squeeze(made, {0}) : made};
}

enum class Triangle { Lower, Upper };

Results triangleRule(L &l, Triangle triangle)
{
    const Term x = l[0];
    const bool isSmall = x.dtype != ir::DType::Bool && !ir::isFloating(x.dtype) && x.dtype != ir::DType::Int64;
    const Term from = isSmall ? cast(x, ir::DType::Int64) : x;
    return {l.make("Trilu", {from, l.as("diagonal", ir::DType::Int64)},
                   {{"upper", std::int64_t{triangle == Triangle::Upper}}})};
}

constexpr LoweringRule viewRules[] = {
    {"aten::contiguous aten::clone aten::alias aten::detach aten::lift_fresh aten::to "
     "aten::_to_copy aten::type_as aten::positive aten::resolve_conj aten::resolve_neg aten::cpu aten::cuda aten::lift "
     "prims::convert_element_type aten::data aten::pin_memory aten::requires_grad aten::wait",
     unchangedRule},
    {"aten::view aten::reshape aten::_unsafe_view aten::view_as aten::reshape_as aten::_reshape_alias aten::flatten "
     "aten::unflatten aten::ravel",
     viewRule},
    {"aten::view aten::reshape aten::_unsafe_view aten::flatten aten::unflatten aten::view_as aten::reshape_as",
     reshapedAsGivenRule},
    {"aten::permute", permuteRule},
    {"aten::transpose aten::swapaxes aten::swapdims", transposeRule},
    {"aten::unsqueeze", unsqueezeRule},
    {"aten::squeeze", squeezeRule},
    {"aten::expand aten::broadcast_to", expandRule},
    {"aten::expand_as", expandAsRule},
    {"aten::repeat", repeatRule},
    {"aten::flip", flipRule},
    {"aten::pixel_shuffle", pixelShuffleRule},
    {"aten::channel_shuffle aten::native_channel_shuffle", channelShuffleRule},
    {"aten::col2im", col2imRule, 18},
    {"aten::tril", with<triangleRule, Triangle::Lower>},
    {"aten::triu", with<triangleRule, Triangle::Upper>},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family view()
{
    return {.decompositions = to_aten::viewDecompositions,
            .fromOnnx = to_aten::viewLowerings,
            .toOnnx = to_onnx::viewRules};
}

} // namespace cutaway::rules
