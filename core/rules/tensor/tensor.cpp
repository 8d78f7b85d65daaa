// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

// Shapes are read from the tensors at hand: what computes a shape in the graph then has no reader.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

constexpr std::int64_t maxPicked = 1 << 20; ///< elements of a dimension, and of a pad, whose sources are listed

/// The result says the shape.
Parts reshape(N &n)
{
    const auto y = n.result();
    return y ? Parts{n.d.make("reshape", {n.input(0), n.d.sizes(y->shape)})} : Parts{};
}

Parts flatten(N &n)
{
    const auto x = n.tensor(0);
    const auto axis = n.integer("axis", 1);
    return axis == 1 && x && x->rank() >= 2 ? Parts{n.d.make("flatten.using_ints", {n.input(0), 1})} : reshape(n);
}

std::optional<Numbers> axesOf(const N &n) { return n.hasAttribute("axes") ? n.integers("axes") : n.elements(1); }

Parts squeeze(N &n)
{
    const bool isGiven = n.hasAttribute("axes") || n.has(1);
    const auto axes = axesOf(n);
    return isGiven && axes ? Parts{n.d.make("squeeze.dims", {n.input(0), AtenMaker::list(*axes)})} : reshape(n);
}

Parts unsqueeze(N &n)
{
    auto axes = axesOf(n);
    const auto y = n.result();
    if (!axes || !y)
        return {};
    for (std::int64_t &axis : *axes)
        axis += axis < 0 ? static_cast<std::int64_t>(y->rank()) : 0;
    std::ranges::sort(*axes);
    Term x = n.input(0);
    for (const std::int64_t axis : *axes)
        x = n.d.unsqueeze(x, axis);
    return {x};
}

Parts transpose(N &n)
{
    Numbers order = n.allDimensions();
    std::ranges::reverse(order);
    const auto given = n.hasAttribute("perm") ? n.integers("perm") : std::optional(order);
    return given ? Parts{n.d.make("permute", {n.input(0), AtenMaker::list(*given)})} : Parts{};
}

Parts concat(N &n)
{
    std::vector<Term> all;
    for (std::size_t i = 0; i < n.inputCount(); ++i)
        all.push_back(n.input(i));
    return {n.d.make("cat", {AtenMaker::list(all), n.integer("axis", n.opset() < 4 ? 1 : 0)})};
}

Parts expand(N &n)
{
    const auto y = n.result();
    return y ? Parts{n.d.make("expand", {n.input(0), n.d.sizes(y->shape)})} : Parts{};
}

Parts tile(N &n)
{
    const auto repeats = n.call().sizes(1u);
    return repeats ? Parts{n.d.make("repeat", {n.input(0), n.d.sizes(*repeats)})} : Parts{};
}

/// Backwards: forwards through what is turned around. torch's slices go forward alone.
std::optional<Term> slicedBackwards(const Term &x, std::size_t dim, const ir::Dim &size, std::int64_t start,
                                    std::int64_t end, std::int64_t step)
{
    constexpr std::int64_t farthest = std::numeric_limits<std::int64_t>::max();
    const auto count = ops::number(size);
    // Places in what is turned around: an index i from the end is one from its start, -(i + 1), which is ~i.
    std::int64_t from = ~start, to = end <= -farthest ? farthest : ~end;
    if (count) {
        const auto place = [&](std::int64_t index, std::int64_t least) {
            return *count - 1 - std::clamp(index < 0 ? index + *count : index, least, std::max(least, *count - 1));
        };
        from = place(start, 0);
        to = place(end, -1);
    } else if (start >= 0 || end >= 0) {
        return std::nullopt;
    }
    const auto axis = static_cast<std::int64_t>(dim);
    Term turned = x.made->make("flip", {x, AtenMaker::list({axis})});
    if (from == 0 && step == -1 && (to == farthest || to == count))
        return turned;
    return x.made->make("slice.Tensor", {turned, axis, from, to, -step});
}

/// Starts and ends beyond a dimension are its ends in both worlds.
Parts slice(N &n)
{
    const bool isOld = n.opset() < 10;
    const auto starts = isOld ? n.call().sizes("starts") : n.call().sizes(1u);
    const auto ends = isOld ? n.call().sizes("ends") : n.call().sizes(2u);
    Numbers axes = n.allDimensions();
    if (isOld ? n.hasAttribute("axes") : n.has(3)) {
        const auto given = isOld ? n.integers("axes") : n.elements(3);
        if (!given)
            return n.refuse("its axes are not known");
        axes = *given;
    }
    if (!starts || !ends || starts->size() != ends->size() || axes.size() < starts->size())
        return n.refuse("its starts or ends are not known");
    const auto steps = !isOld && n.has(4) ? n.elements(4) : std::optional(Numbers(starts->size(), 1));
    if (!steps || steps->size() != starts->size())
        return n.refuse("its steps are not known");
    Term x = n.input(0);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto dim = n.dimension(axes[i]);
        if (!dim || (*steps)[i] == 0 || (*steps)[i] == std::numeric_limits<std::int64_t>::min())
            return {};
        const auto start = ops::number((*starts)[i]), last = ops::number((*ends)[i]);
        if ((*steps)[i] < 0) {
            const auto turned = start && last
                ? slicedBackwards(x, *dim, n.tensor(0)->shape[*dim], *start, *last, (*steps)[i])
                : std::nullopt;
            if (!turned)
                return n.refuse(
                    formatted("its step is {}, and its start, its end or the size is not known", (*steps)[i]));
            x = *turned;
            continue;
        }
        ir::Dim end = (*ends)[i];
        if (last && *last >= std::numeric_limits<std::int32_t>::max())
            end = std::numeric_limits<std::int64_t>::max();
        x = n.d.make("slice.Tensor",
                     {x, static_cast<std::int64_t>(*dim), n.d.size((*starts)[i]), n.d.size(end), (*steps)[i]});
    }
    return {x};
}

/// The results say the sizes.
Parts split(N &n)
{
    const auto axis = n.dimension(n.integer("axis", 0));
    if (!axis)
        return {};
    Parts parts;
    ir::Dim start = ops::zero;
    for (std::size_t i = 0; i < n.resultCount(); ++i) {
        const auto y = n.result(i);
        if (!y)
            return {};
        const ir::Dim &size = y->shape[*axis];
        parts.push_back(
            n.d.make("narrow", {n.input(0), static_cast<std::int64_t>(*axis), n.d.size(start), n.d.size(size)}));
        start = ops::plus(start, size);
    }
    return parts;
}

/// torch has pads from the last dimension to the first, each before and after.
std::vector<ir::Dim> backwards(const std::vector<ir::Dim> &pads, std::size_t first)
{
    std::vector<ir::Dim> turned;
    for (std::size_t i = pads.size() / 2; i-- > first;)
        std::ranges::copy(std::array{pads[i], pads[i + pads.size() / 2]}, std::back_inserter(turned));
    return turned;
}

/// Where the element at a place comes from, which is before, in or after a dimension.
std::int64_t sourceOf(std::int64_t place, std::int64_t size, std::string_view mode)
{
    const auto modulo = [](std::int64_t a, std::int64_t b) { return (a % b + b) % b; };
    if (mode == "edge")
        return std::clamp<std::int64_t>(place, 0, size - 1);
    if (mode == "wrap")
        return modulo(place, size);
    const std::int64_t period = std::max<std::int64_t>(2 * (size - 1), 1), folded = modulo(place, period);
    return folded < size ? folded : period - folded;
}

/// Each dimension of known size is picked anew.
Parts pickedAround(N &n, const N::Tensor &x, const std::vector<ir::Dim> &pads, std::string_view mode)
{
    Term made = n.input(0);
    for (std::size_t i = 0; i < x.rank(); ++i) {
        const auto before = ops::number(pads[i]), after = ops::number(pads[i + x.rank()]),
                   size = ops::number(x.shape[i]);
        if (before == 0 && after == 0)
            continue;
        if (!before || !after || !size || *size < 1 || std::max({*before, *after, *size}) > maxPicked
            || *before < -*size || *after < -*size)
            return n.refuse(
                formatted("its pads, or the size of what the mode '{}' pads, are not known or too large", mode));
        Numbers places;
        for (std::int64_t place = -*before; place < *size + *after; ++place)
            places.push_back(sourceOf(place, *size, mode));
        made = n.d.make("index_select", {made, static_cast<std::int64_t>(i), n.constant(places)});
    }
    return {made};
}

/// torch mirrors the last one to three dimensions, with one or two before them, and by less than a dimension has.
Parts mirrored(N &n, const N::Tensor &x, const std::vector<ir::Dim> &pads, std::string_view mode)
{
    const std::size_t rank = x.rank();
    std::size_t first = rank;
    bool fits = true;
    for (std::size_t i = rank; i-- > 0;) {
        const auto before = ops::number(pads[i]), after = ops::number(pads[i + rank]), size = ops::number(x.shape[i]);
        if (before != 0 || after != 0)
            first = i;
        fits = fits && before.value_or(0) >= 0 && after.value_or(0) >= 0
            && (!size || mode == "edge" || std::max(before.value_or(0), after.value_or(0)) < *size);
    }
    if (first == rank)
        return {n.input(0)};
    const std::size_t added = std::max(first < 2 ? 2 - first : 0, rank < 3 ? 3 - rank : 0); // of size 1, before all
    if (!fits || rank + added > 5)
        return pickedAround(n, x, pads, mode);
    Term wide = n.input(0);
    for (std::size_t i = 0; i < added; ++i)
        wide = n.d.unsqueeze(wide, 0);
    std::vector<ir::Dim> all = backwards(pads, 0);
    all.resize(2 * (rank + added - 2), ops::zero);
    const std::string_view torchs = mode == "edge" ? "replicate" : mode == "wrap" ? "circular" : "reflect";
    Term made = n.d.make("pad", {wide, n.d.sizes(all), {"mode", n.d.word(torchs)}});
    for (std::size_t i = 0; i < added; ++i)
        made = n.d.make("squeeze.dim", {made, 0});
    return {made};
}

/// The number that a Pad pads with; nothing where it is not known. Before operator set 11 only floats are padded.
std::optional<ir::Operand> fillOf(const N &n, ir::DType dtype)
{
    if (n.opset() < 11)
        return ir::isFloating(dtype) ? std::optional(ir::Operand(n.real("value", 0))) : std::nullopt;
    if (!ir::isFloating(dtype)) {
        const auto whole = n.has(2) ? n.wholeNumber(2) : std::optional<std::int64_t>(0);
        return whole ? std::optional(ir::Operand(*whole)) : std::nullopt;
    }
    const auto value = n.has(2) ? n.number(2) : std::optional(0.0);
    return value ? std::optional(ir::Operand(*value)) : std::nullopt;
}

/// The pads of all dimensions; those that the node does not name have none.
std::optional<std::vector<ir::Dim>> padsOf(const N &n, std::size_t rank)
{
    auto given = n.opset() < 11 ? n.call().sizes(n.opset() < 2 ? "paddings" : "pads") : n.call().sizes(1u);
    if (!given || n.opset() < 18 || !n.has(3))
        return given && given->size() == 2 * rank ? given : std::nullopt;
    const auto axes = n.elements(3);
    if (!axes || given->size() != 2 * axes->size())
        return std::nullopt;
    std::vector<ir::Dim> all(2 * rank, ops::zero);
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto dim = n.dimension((*axes)[i]);
        if (!dim)
            return std::nullopt;
        all[*dim] = (*given)[i];
        all[*dim + rank] = (*given)[i + axes->size()];
    }
    return all;
}

Parts pad(N &n)
{
    const std::string_view mode = n.text("mode", "constant");
    const auto x = n.tensor(0);
    const auto pads = x ? padsOf(n, x->rank()) : std::nullopt;
    if (!pads)
        return n.refuse("its pads, its axes or the rank are not known");
    if (mode != "constant")
        return mirrored(n, *x, *pads, mode);
    const auto fill = fillOf(n, x->dtype);
    return fill ? Parts{n.d.make("constant_pad_nd", {n.input(0), n.d.sizes(backwards(*pads, 0)), *fill})}
                : n.refuse("the number that it pads with is computed, or none that torch pads with");
}

Parts constantOfShape(N &n)
{
    const auto y = n.result();
    const auto value = n.hasAttribute("value") ? n.number("value") : std::optional(0.0);
    if (!y || !value)
        return {};
    const ir::Operand fill = y->dtype == ir::DType::Bool ? ir::Operand(*value != 0)
        : ir::isFloating(y->dtype)                       ? ir::Operand(*value)
                                                         : ir::Operand(static_cast<std::int64_t>(*value));
    return {n.d.full(y->shape, fill, y->dtype)};
}

/// A range of numbers that are known, or of sizes.
Parts range(N &n)
{
    const auto y = n.result();
    if (!y)
        return {};
    if (ir::isFloating(y->dtype)) {
        const auto start = n.number(0), end = n.number(1), step = n.number(2);
        return start && end && step
            ? Parts{n.d.make("arange.start_step", {*start, *end, *step, {"dtype", y->dtype}, {"device", n.d.device()}})}
            : Parts{};
    }
    const auto start = ops::asInt(n.call()[0u]), end = ops::asInt(n.call()[1u]), step = ops::asInt(n.call()[2u]);
    if (!start || !end || !step)
        return {};
    return {
        n.d.make("arange.start_step",
                 {n.d.size(*start), n.d.size(*end), n.d.size(*step), {"dtype", y->dtype}, {"device", n.d.device()}})};
}

/// A size as a tensor without dimensions.
Term sizeTensor(N &n, const ir::Dim &size) { return n.d.scalar(n.d.size(size), ir::DType::Int64); }

Parts shape(N &n)
{
    const ops::Fact known = n.resultFact();
    const auto sizes = ops::asInts(known);
    const auto y = n.result();
    if (!sizes || !y || sizes->empty() || y->rank() != 1)
        return {};
    std::vector<Term> items;
    for (const ir::Dim &size : *sizes)
        items.push_back(sizeTensor(n, size));
    return {n.d.make("stack", {AtenMaker::list(items)})};
}

/// Without its own element a sum is that of what is moved by one place; backwards it is that of what is turned around.
template <const char *target>
Parts cumulative(N &n)
{
    const auto axis = n.elements(1);
    const auto x = n.tensor(0);
    const auto dim = axis && axis->size() == 1 ? n.dimension(axis->front()) : std::nullopt;
    if (!x || !dim)
        return n.refuse("its axis is not known");
    const auto along = static_cast<std::int64_t>(*dim);
    const auto turned = [&](const Term &each) {
        return n.integer("reverse", 0) == 0 ? each : n.d.make("flip", {each, AtenMaker::list({along})});
    };
    Term given = turned(n.input(0));
    if (n.integer("exclusive", 0) != 0) {
        Numbers pads(2 * (x->rank() - *dim));
        pads[pads.size() - 2] = 1;
        pads[pads.size() - 1] = -1;
        constexpr bool isProduct = std::string_view(target) == "cumprod";
        given = n.d.make(
            "constant_pad_nd",
            {given, AtenMaker::list(pads),
             ir::isFloating(x->dtype) ? ir::Operand(isProduct ? 1.0 : 0.0) : ir::Operand(std::int64_t{isProduct})});
    }
    return {n.d.cast(turned(n.d.make(target, {given, along})), x->dtype)};
}

constexpr char cumsumTarget[] = "cumsum", cumprodTarget[] = "cumprod";

/// A dimension of so many blocks, seen as two.
struct Blocks {
    ir::Shape input, output;
    std::int64_t size;
};

std::optional<Blocks> blocksOf(const N &n)
{
    const auto x = n.tensor(0), y = n.result();
    const std::int64_t size = n.integer("blocksize", 0);
    if (!x || !y || x->rank() != 4 || y->rank() != 4 || size < 1)
        return std::nullopt;
    return Blocks{x->shape, y->shape, size};
}

Parts depthToSpace(N &n)
{
    if (n.text("mode", "DCR") == "CRD")
        return {n.d.make("pixel_shuffle", {n.input(0), n.integer("blocksize", 1)})};
    const auto blocks = blocksOf(n);
    if (!blocks)
        return {};
    const ir::Shape &x = blocks->input, &y = blocks->output;
    const Term apart = n.d.reshape(n.input(0), {x[0], blocks->size, blocks->size, y[1], x[2], x[3]});
    return {n.d.reshape(n.d.permute(apart, {0, 3, 4, 1, 5, 2}), y)};
}

Parts spaceToDepth(N &n)
{
    const auto blocks = blocksOf(n);
    if (!blocks)
        return {};
    const ir::Shape &x = blocks->input, &y = blocks->output;
    const Term apart = n.d.reshape(n.input(0), {x[0], x[1], y[2], blocks->size, y[3], blocks->size});
    return {n.d.reshape(n.d.permute(apart, {0, 3, 5, 1, 2, 4}), y)};
}

/// How many elements it has.
Parts size(N &n)
{
    const auto x = n.tensor(0);
    return x ? Parts{sizeTensor(n, ops::product(x->shape))} : Parts{};
}

Parts eyeLike(N &n)
{
    const auto y = n.result();
    const std::int64_t k = n.integer("k", 0);
    if (!y || y->rank() != 2)
        return {};
    const Term rows = n.d.unsqueeze(n.d.arange(y->shape[0]), 1), columns = n.d.arange(y->shape[1]);
    return {n.d.cast(compared("eq", n.d.make("add.Scalar", {rows, k}), columns), y->dtype)};
}

/// Cut, or padded with zeros, on both sides of some dimensions, so that they have known sizes.
Parts centerCropPad(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    if (!x || !y)
        return {};
    Term made = n.input(0);
    Numbers pads(2 * x->rank());
    for (std::size_t i = 0; i < x->rank(); ++i) {
        const auto from = ops::number(x->shape[i]), to = ops::number(y->shape[i]);
        if (ops::isSame(x->shape[i], y->shape[i]))
            continue;
        if (!from || !to)
            return n.refuse("the size of what it cuts or pads is not known");
        if (*from > *to) {
            made = n.d.make("narrow", {made, static_cast<std::int64_t>(i), (*from - *to) / 2, *to});
        } else {
            pads[2 * (x->rank() - 1 - i)] = (*to - *from) / 2;
            pads[2 * (x->rank() - 1 - i) + 1] = *to - *from - (*to - *from) / 2;
        }
    }
    if (std::ranges::all_of(pads, [](std::int64_t pad) { return pad == 0; }))
        return {made};
    return {n.d.make(
        "constant_pad_nd",
        {made, AtenMaker::list(pads), ir::isFloating(x->dtype) ? ir::Operand(0.0) : ir::Operand(std::int64_t{0})})};
}

// ---- reductions

struct Reduced {
    Numbers dims;
    bool keepsDims;
};

std::optional<Reduced> reduced(const N &n)
{
    const ops::ReduceArguments given = ops::reduceArguments(n.call());
    const auto x = n.tensor(0);
    if (!x || !given.keepDim)
        return std::nullopt;
    const auto isReduced = given.reducedDimensions(x->rank());
    if (!isReduced)
        return std::nullopt;
    Reduced made{{}, *given.keepDim};
    for (std::size_t i = 0; i < isReduced->size(); ++i)
        if ((*isReduced)[i])
            made.dims.push_back(static_cast<std::int64_t>(i));
    return made.dims.empty() ? std::nullopt : std::optional(made);
}

Term sumOver(const N &n, const Term &x, const Reduced &over) { return n.d.sum(x, over.dims, over.keepsDims); }

bool isFloatData(const N &n)
{
    const auto x = n.tensor(0);
    return x && ir::isFloating(x->dtype);
}

Parts reduceSum(N &n)
{
    const auto over = reduced(n);
    const auto x = n.tensor(0);
    return over && x ? Parts{n.d.cast(sumOver(n, n.input(0), *over), x->dtype)} : Parts{};
}

Parts reduceMean(N &n)
{
    const auto over = reduced(n);
    return over && isFloatData(n) ? Parts{n.d.mean(n.input(0), over->dims, over->keepsDims)} : Parts{};
}

template <const char *target>
Parts reduceExtremum(N &n)
{
    const auto over = reduced(n);
    return over ? Parts{n.d.make(target, {n.input(0), AtenMaker::list(over->dims), over->keepsDims})} : Parts{};
}

constexpr char amaxTarget[] = "amax", aminTarget[] = "amin", logSumExpTarget[] = "logsumexp";

Parts reduceSumSquare(N &n)
{
    const auto over = reduced(n);
    return over && isFloatData(n) ? Parts{sumOver(n, n.input(0) * n.input(0), *over)} : Parts{};
}

Parts reduceL1(N &n)
{
    const auto over = reduced(n);
    return over && isFloatData(n) ? Parts{sumOver(n, applied("abs", n.input(0)), *over)} : Parts{};
}

Parts reduceL2(N &n)
{
    const auto over = reduced(n);
    return over && isFloatData(n) ? Parts{applied("sqrt", sumOver(n, n.input(0) * n.input(0), *over))} : Parts{};
}

/// torch multiplies along one dimension: the last ones come first, so that the others keep their places.
Parts reduceProd(N &n)
{
    const auto over = reduced(n);
    const auto x = n.tensor(0);
    if (!over || !x)
        return {};
    Term made = n.input(0);
    for (const std::int64_t dim : over->dims | std::views::reverse)
        made = n.d.make("prod.dim_int", {made, dim, over->keepsDims});
    return {n.d.cast(made, x->dtype)};
}

Parts reduceLogSum(N &n)
{
    const auto over = reduced(n);
    return over && isFloatData(n) ? Parts{applied("log", sumOver(n, n.input(0), *over))} : Parts{};
}

template <const char *target>
Parts argument(N &n)
{
    const bool isFirst = n.integer("select_last_index", 0) == 0;
    return isFirst ? Parts{n.d.make(target, {n.input(0), n.integer("axis", 0), n.integer("keepdims", 1) != 0})}
                   : n.refuse("torch gives the first of equal elements, and it wants the last");
}

constexpr char argmaxTarget[] = "argmax", argminTarget[] = "argmin";

constexpr OnnxLowering tensorLowerings[] = {
    {"onnx::ArgMax", argument<argmaxTarget>},
    {"onnx::ArgMin", argument<argminTarget>},
    {"onnx::CenterCropPad", centerCropPad},
    {"onnx::Concat", concat},
    {"onnx::ConstantOfShape", constantOfShape},
    {"onnx::CumProd", cumulative<cumprodTarget>},
    {"onnx::CumSum", cumulative<cumsumTarget>},
    {"onnx::DepthToSpace", depthToSpace},
    {"onnx::Expand", expand},
    {"onnx::EyeLike", eyeLike},
    {"onnx::Flatten", flatten},
    {"onnx::Pad", pad},
    {"onnx::Range", range},
    {"onnx::ReduceL1", reduceL1},
    {"onnx::ReduceL2", reduceL2},
    {"onnx::ReduceLogSum", reduceLogSum},
    {"onnx::ReduceLogSumExp", reduceExtremum<logSumExpTarget>},
    {"onnx::ReduceMax", reduceExtremum<amaxTarget>},
    {"onnx::ReduceMean", reduceMean},
    {"onnx::ReduceMin", reduceExtremum<aminTarget>},
    {"onnx::ReduceProd", reduceProd},
    {"onnx::ReduceSum", reduceSum},
    {"onnx::ReduceSumSquare", reduceSumSquare},
    {"onnx::Reshape", reshape},
    {"onnx::Shape", shape},
    {"onnx::Size", size},
    {"onnx::Slice", slice},
    {"onnx::SpaceToDepth", spaceToDepth},
    {"onnx::Split", split},
    {"onnx::Squeeze", squeeze},
    {"onnx::Tile", tile},
    {"onnx::Transpose", transpose},
    {"onnx::Unsqueeze", unsqueeze},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family tensor() { return {.fromOnnx = to_aten::tensorLowerings}; }

} // namespace cutaway::rules
