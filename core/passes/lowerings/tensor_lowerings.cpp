// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes are read from the tensors at hand: what computes a shape in the graph then has no reader.
#include "core/ops/arguments/reduce_arguments.h"
#include "core/passes/lowerings/onnx_node.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cutaway::passes {

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

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
    return isGiven && axes ? Parts{n.d.make("squeeze.dims", {n.input(0), Decomposition::list(*axes)})} : reshape(n);
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
    return given ? Parts{n.d.make("permute", {n.input(0), Decomposition::list(*given)})} : Parts{};
}

Parts concat(N &n)
{
    std::vector<Term> all;
    for (std::size_t i = 0; i < n.inputCount(); ++i)
        all.push_back(n.input(i));
    return {n.d.make("cat", {Decomposition::list(all), n.integer("axis", 0)})};
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

/// Starts and ends beyond a dimension are its ends in both worlds. torch goes forward alone.
Parts slice(N &n)
{
    const bool isOld = n.opset() < 10;
    const auto starts = isOld ? n.call().sizes("starts") : n.call().sizes(1u);
    const auto ends = isOld ? n.call().sizes("ends") : n.call().sizes(2u);
    Numbers axes = n.allDimensions();
    if (isOld ? n.hasAttribute("axes") : n.has(3)) {
        const auto given = isOld ? n.integers("axes") : n.elements(3);
        if (!given)
            return {};
        axes = *given;
    }
    if (!starts || !ends || starts->size() != ends->size() || axes.size() < starts->size())
        return {};
    const auto steps = !isOld && n.has(4) ? n.elements(4) : std::optional(Numbers(starts->size(), 1));
    if (!steps || steps->size() != starts->size())
        return {};
    Term x = n.input(0);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto dim = n.dimension(axes[i]);
        const auto start = ops::number((*starts)[i]), last = ops::number((*ends)[i]);
        if (dim && (*steps)[i] == -1 && start == -1 && last && *last <= -std::numeric_limits<std::int32_t>::max()) {
            x = n.d.make("flip", {x, Decomposition::list({static_cast<std::int64_t>(*dim)})});
            continue;
        }
        if (!dim || (*steps)[i] < 1)
            return {};
        ir::Dim end = (*ends)[i];
        if (const auto number = ops::number(end); number && *number >= std::numeric_limits<std::int32_t>::max())
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

/// torch has pads from the last dimension to the first, each before and behind.
std::vector<ir::Dim> backwards(const std::vector<ir::Dim> &pads, std::size_t first)
{
    std::vector<ir::Dim> turned;
    for (std::size_t i = pads.size() / 2; i-- > first;)
        std::ranges::copy(std::array{pads[i], pads[i + pads.size() / 2]}, std::back_inserter(turned));
    return turned;
}

/// torch mirrors the last one to three dimensions, with one or two before them.
Parts mirrored(N &n, const N::Tensor &x, const std::vector<ir::Dim> &pads, std::string_view mode)
{
    const std::size_t rank = x.rank();
    const auto isPadded = [&](std::size_t i) { return ops::number(pads[i]) != 0 || ops::number(pads[i + rank]) != 0; };
    if (rank < 3 || rank > 5 || isPadded(0) || isPadded(1))
        return {};
    return {n.d.make("pad", {n.input(0), n.d.sizes(backwards(pads, 2)), {"mode", n.d.word(mode)}})};
}

/// What a constant padding is made of; nothing where it is not known. Before operator set 11 it is of floats.
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

Parts pad(N &n)
{
    const std::string_view mode = n.text("mode", "constant");
    const auto pads = n.opset() < 11 ? n.call().sizes("pads") : n.call().sizes(1u);
    const auto x = n.tensor(0);
    if (!pads || !x || n.has(3) || pads->size() != 2 * x->rank())
        return {};
    if (mode == "reflect" || mode == "edge")
        return mirrored(n, *x, *pads, mode == "edge" ? "replicate" : "reflect");
    if (mode != "constant")
        return {};
    const auto fill = fillOf(n, x->dtype);
    return fill ? Parts{n.d.make("constant_pad_nd", {n.input(0), n.d.sizes(backwards(*pads, 0)), *fill})} : Parts{};
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

/// Of numbers that are known, or sizes.
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
    const ops::Fact known = n.d.fact(n.d.resultValue());
    const auto sizes = ops::asInts(known);
    const auto y = n.result();
    if (!sizes || !y || sizes->empty() || y->rank() != 1)
        return {};
    std::vector<Term> items;
    for (const ir::Dim &size : *sizes)
        items.push_back(sizeTensor(n, size));
    return {n.d.make("stack", {Decomposition::list(items)})};
}

Parts cumulativeSum(N &n)
{
    const auto axis = n.elements(1);
    if (!axis || axis->size() != 1 || n.integer("exclusive", 0) != 0 || n.integer("reverse", 0) != 0)
        return {};
    const auto x = n.tensor(0);
    return x ? Parts{n.d.cast(n.d.make("cumsum", {n.input(0), axis->front()}), x->dtype)} : Parts{};
}

Parts depthToSpace(N &n)
{
    const bool isCrd = n.text("mode", "DCR") == "CRD";
    return isCrd ? Parts{n.d.make("pixel_shuffle", {n.input(0), n.integer("blocksize", 1)})} : Parts{};
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
    const auto isReduced = x ? given.reducedDimensions(n.call(), x->rank()) : std::nullopt;
    if (!isReduced || !given.keepDim)
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
    return over ? Parts{n.d.make(target, {n.input(0), Decomposition::list(over->dims), over->keepsDims})} : Parts{};
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

Parts reduceProd(N &n)
{
    const auto over = reduced(n);
    return over && over->dims.size() == 1 && isFloatData(n)
        ? Parts{n.d.make("prod.dim_int", {n.input(0), over->dims.front(), over->keepsDims})}
        : Parts{};
}

template <const char *target>
Parts argument(N &n)
{
    const bool isFirst = n.integer("select_last_index", 0) == 0;
    return isFirst ? Parts{n.d.make(target, {n.input(0), n.integer("axis", 0), n.integer("keepdims", 1) != 0})}
                   : Parts{};
}

constexpr char argmaxTarget[] = "argmax", argminTarget[] = "argmin";

constexpr std::array tensorRules{
    OnnxLowering{"ArgMax", argument<argmaxTarget>},
    OnnxLowering{"ArgMin", argument<argminTarget>},
    OnnxLowering{"Concat", concat},
    OnnxLowering{"ConstantOfShape", constantOfShape},
    OnnxLowering{"CumSum", cumulativeSum},
    OnnxLowering{"DepthToSpace", depthToSpace},
    OnnxLowering{"Expand", expand},
    OnnxLowering{"Flatten", flatten},
    OnnxLowering{"Pad", pad},
    OnnxLowering{"Range", range},
    OnnxLowering{"ReduceL1", reduceL1},
    OnnxLowering{"ReduceL2", reduceL2},
    OnnxLowering{"ReduceLogSumExp", reduceExtremum<logSumExpTarget>},
    OnnxLowering{"ReduceMax", reduceExtremum<amaxTarget>},
    OnnxLowering{"ReduceMean", reduceMean},
    OnnxLowering{"ReduceMin", reduceExtremum<aminTarget>},
    OnnxLowering{"ReduceProd", reduceProd},
    OnnxLowering{"ReduceSum", reduceSum},
    OnnxLowering{"ReduceSumSquare", reduceSumSquare},
    OnnxLowering{"Reshape", reshape},
    OnnxLowering{"Shape", shape},
    OnnxLowering{"Slice", slice},
    OnnxLowering{"Split", split},
    OnnxLowering{"Squeeze", squeeze},
    OnnxLowering{"Tile", tile},
    OnnxLowering{"Transpose", transpose},
    OnnxLowering{"Unsqueeze", unsqueeze},
};

} // namespace

std::span<const OnnxLowering> tensorLowerings() { return tensorRules; }

} // namespace cutaway::passes
