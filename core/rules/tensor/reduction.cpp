// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>
#include <utility>

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

/// The dimensions that are reduced, all as numbers from the front.
D::Numbers reducedDimensions(D &d)
{
    const auto reduced = ops::reduceArguments(d.call()).reducedDimensions(d.tensor("self").rank());
    if (!reduced)
        d.refuse(reduced.error().reason);
    D::Numbers dims;
    for (std::size_t i = 0; reduced && i < reduced->size(); ++i)
        if ((*reduced)[i])
            dims.push_back(static_cast<std::int64_t>(i));
    return dims;
}

Parts sum(D &d) { return {d.make("sum.dim_IntList", {d["self"], ir::List{}, {"dtype", d["dtype"]}})}; }

/// Whether all are true is whether none is false.
Parts all(D &d)
{
    const Term x = d["self"], dim = d["dim"];
    if (d.result().dtype != ir::DType::Bool)
        return d.refuse("its result is not of bool");
    const Term isFalse = applied("logical_not", x);
    if (dim.isNone())
        return {applied("logical_not", applied("any", isFalse))};
    const bool isList = dim.operand.as<ir::List>() != nullptr;
    return {applied("logical_not",
                    d.make(isList ? AtenName("any.dims") : AtenName("any.dim"), {isFalse, dim, d["keepdim"]}))};
}

/// The variance over given dimensions; halves in float32.
Term variance(D &d, const Term &x)
{
    if (ir::isComplex(d.dtype(x)))
        d.refuse("it is of complex numbers");
    const Term correction = d["correction"];
    const bool isUnbiased = !d.has("unbiased") || d.flag("unbiased");
    const ir::Operand by = correction.isNone() ? ir::Operand(std::int64_t{isUnbiased}) : correction.operand;
    return d.make(
        "var.correction",
        {x, D::list(reducedDimensions(d)), {"correction", by}, {"keepdim", d.call().flag("keepdim") == true}});
}

Parts var(D &d) { return {variance(d, d["self"])}; }

Parts deviation(D &d)
{
    const Term x = d["self"];
    return {cast(applied("sqrt", variance(d, widened(x))), d.dtype(x))};
}

template <bool isRoot>
Parts withMean(D &d)
{
    const Term x = d["self"], made = variance(d, isRoot ? widened(x) : x);
    return {isRoot ? cast(applied("sqrt", made), d.dtype(x)) : made,
            mean(x, reducedDimensions(d), d.call().flag("keepdim") == true)};
}

constexpr DecompositionRule reductionDecompositions[] = {
    {"aten::all", all}, {"aten::std", deviation}, {"aten::std_mean", withMean<true>},
    {"aten::sum", sum}, {"aten::var", var},       {"aten::var_mean", withMean<false>},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

/// Without its own element a sum is that of what is moved by one place; backwards it is that of what is turned around.
template <AtenName target>
Parts cumulative(N &n)
{
    const auto axis = n.knownIntegers(1);
    const auto x = n.tensor(0);
    const auto dim = axis && axis->size() == 1 ? ops::dimension(axis->front(), x.rank()) : std::nullopt;
    if (!dim)
        return n.refuse("its axis is not known");
    const auto along = static_cast<std::int64_t>(*dim);
    const auto turned = [&](const Term &each) {
        return n.integer("reverse", 0) == 0 ? each : n.make("flip", {each, N::list({along})});
    };
    Term given = turned(n[0]);
    if (n.integer("exclusive", 0) != 0) {
        Numbers pads(2 * (x.rank() - *dim));
        pads[pads.size() - 2] = 1;
        pads[pads.size() - 1] = -1;
        constexpr bool isProduct = target == "cumprod";
        given = n.make(
            "constant_pad_nd",
            {given, N::list(pads),
             ir::isFloating(x.dtype) ? ir::Operand(isProduct ? 1.0 : 0.0) : ir::Operand(std::int64_t{isProduct})});
    }
    return {cast(turned(n.make(target, {given, along})), x.dtype)};
}

struct Reduced {
    Numbers dims;
    bool keepsDims;
};

Reduced reduced(N &n)
{
    const ops::ReduceArguments given = ops::reduceArguments(n.call());
    const auto isReduced = given.reducedDimensions(n.tensor(0).rank());
    if (!isReduced)
        n.refuse(isReduced.error().reason);
    Reduced made{{}, n.known(given.keepDim, "whether dimensions stay is")};
    for (std::size_t i = 0; isReduced && i < isReduced->size(); ++i)
        if ((*isReduced)[i])
            made.dims.push_back(static_cast<std::int64_t>(i));
    if (made.dims.empty())
        n.refuse("it reduces no dimension");
    return made;
}

Term sumOver(N &n, const Term &x)
{
    const Reduced over = reduced(n);
    return sum(x, over.dims, over.keepsDims);
}

/// The input, which is of floats.
Term floats(N &n)
{
    if (!ir::isFloating(n.tensor(0).dtype))
        n.refuse("torch reduces whole numbers in another way");
    return n[0];
}

Parts reduceSum(N &n) { return {cast(sumOver(n, n[0]), n.tensor(0).dtype)}; }

Parts reduceMean(N &n)
{
    const Reduced over = reduced(n);
    return {mean(floats(n), over.dims, over.keepsDims)};
}

template <AtenName target>
Parts reduceExtremum(N &n)
{
    const Reduced over = reduced(n);
    return {n.make(target, {n[0], N::list(over.dims), over.keepsDims})};
}

Parts reduceSumSquare(N &n) { return {sumOver(n, floats(n) * floats(n))}; }

Parts reduceL1(N &n) { return {sumOver(n, applied("abs", floats(n)))}; }

Parts reduceL2(N &n) { return {applied("sqrt", sumOver(n, floats(n) * floats(n)))}; }

Parts reduceLogSum(N &n) { return {applied("log", sumOver(n, floats(n)))}; }

/// torch multiplies along one dimension: the last ones come first, so that the others keep their places.
Parts reduceProd(N &n)
{
    const Reduced over = reduced(n);
    Term made = n[0];
    for (const std::int64_t dim : over.dims | std::views::reverse)
        made = n.make("prod.dim_int", {made, dim, over.keepsDims});
    return {cast(made, n.tensor(0).dtype)};
}

template <AtenName target>
Parts argument(N &n)
{
    const bool isFirst = n.integer("select_last_index", 0) == 0;
    return isFirst ? Parts{n.make(target, {n[0], n.integer("axis", 0), n.integer("keepdims", 1) != 0})}
                   : n.refuse("torch gives the first of equal elements, and it wants the last");
}

constexpr OnnxLowering reductionLowerings[] = {
    {"onnx::ArgMax", argument<"argmax">},
    {"onnx::ArgMin", argument<"argmin">},
    {"onnx::CumProd", cumulative<"cumprod">},
    {"onnx::CumSum", cumulative<"cumsum">},
    {"onnx::ReduceL1", reduceL1},
    {"onnx::ReduceL2", reduceL2},
    {"onnx::ReduceLogSum", reduceLogSum},
    {"onnx::ReduceLogSumExp", reduceExtremum<"logsumexp">},
    {"onnx::ReduceMax", reduceExtremum<"amax">},
    {"onnx::ReduceMean", reduceMean},
    {"onnx::ReduceMin", reduceExtremum<"amin">},
    {"onnx::ReduceProd", reduceProd},
    {"onnx::ReduceSum", reduceSum},
    {"onnx::ReduceSumSquare", reduceSumSquare},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

struct Reduced {
    std::vector<std::int64_t> axes;
    bool keepDims = false;
};

Reduced reducedOf(L &l)
{
    const auto given = ops::reduceArguments(l.call());
    const auto x = l.tensor(given.input);
    const auto dimensions = given.reducedDimensions(x.rank());
    if (!dimensions)
        l.refuse(dimensions.error().reason);
    Reduced made;
    for (std::size_t i = 0; dimensions && i < dimensions->size(); ++i)
        if ((*dimensions)[i])
            made.axes.push_back(static_cast<std::int64_t>(i));
    made.keepDims = l.known(given.keepDim, "whether dimensions stay is");
    return made;
}

/// The input in the dtype that the reduction computes in: the result's if that is a float or int64, else int32.
Term reducedInput(L &l)
{
    const DType dtype = l.resultDType();
    return cast(l[0], ir::isFloating(dtype) || dtype == DType::Int64 ? dtype : DType::Int32);
}

Results reductionRule(L &l, OnnxName op)
{
    const Reduced given = reducedOf(l);
    const Term x = reducedInput(l);
    return {given.axes.empty() ? x : reduce(op, x, given.axes, given.keepDims)};
}

/// any and all, as the largest and the smallest.
Results booleanReductionRule(L &l, OnnxName op)
{
    const Reduced given = reducedOf(l);
    const Term x = cast(cast(l[0], DType::Bool), DType::Int32);
    return {given.axes.empty() ? x : reduce(op, x, given.axes, given.keepDims)};
}

/// Σ (x - mean)² / (n - correction)
Term variance(L &l, const Reduced &given, const Term &x)
{
    const auto shape = l.tensor(0).shape;
    double correction = 1;
    if (l.has("correction"))
        correction = l.number("correction");
    else if (l.call().position({"unbiased"}) && !l.flag("unbiased"))
        correction = 0;
    Term count = l.scalar(std::int64_t{1});
    for (const std::int64_t axis : given.axes)
        count = count * l.size(shape[static_cast<std::size_t>(axis)]);
    const Term centered = x - reduce("ReduceMean", x, given.axes, true);
    const Term sum = reduce("ReduceSum", centered * centered, given.axes, given.keepDims);
    return sum / (cast(count, x.dtype) - correction);
}

Results varRule(L &l) { return {variance(l, reducedOf(l), reducedInput(l))}; }

Results stdRule(L &l) { return {applied("Sqrt", variance(l, reducedOf(l), reducedInput(l)))}; }

/// The largest or smallest of 64-bit integers and its index, the first one of equals; ONNX Runtime has no ArgMax of
/// them.
std::pair<Term, Term> outermostWhole(L &l, const Term &x, std::int64_t axis, bool isMax, bool keepDims)
{
    const auto made = l.makeAll("TopK", {x, l.ints({1})},
                                {{"axis", axis}, {"largest", std::int64_t{isMax}}, {"sorted", std::int64_t{1}}},
                                {x.dtype, DType::Int64});
    return keepDims ? std::pair(made[0], made[1]) : std::pair(squeeze(made[0], {axis}), squeeze(made[1], {axis}));
}

/// Largest and smallest elements of all, of one dimension with their places, or of two tensors.
Results extremeRule(L &l, OnnxName op)
{
    const bool isMax = op == "Max";
    if (l.call().position({"other"})) {
        const DType dtype = l.resultDType();
        return {l.make(op, {l.as(0, dtype), l.as(1, dtype)})};
    }
    const Reduced given = reducedOf(l);
    const Term x = reducedInput(l);
    if (given.axes.empty())
        return {x, l.scalar(std::int64_t{0})};
    if (l.resultCount() > 1 && x.dtype == DType::Int64) {
        const auto [value, place] = outermostWhole(l, x, given.axes.front(), isMax, given.keepDims);
        return {value, place};
    }
    const Term made = reduce(isMax ? OnnxName("ReduceMax") : OnnxName("ReduceMin"), x, given.axes, given.keepDims);
    if (l.resultCount() < 2)
        return {made};
    return {made,
            l.make(isMax ? OnnxName("ArgMax") : OnnxName("ArgMin"), {x},
                   {{"axis", given.axes.front()}, {"keepdims", std::int64_t{given.keepDims}}}, DType::Int64)};
}

Results argRule(L &l, OnnxName op)
{
    const auto known = l.tensor(0);
    const bool isWhole = known.dtype == DType::Int64;
    const Term x = cast(l[0], ir::isFloating(l[0].dtype) || isWhole ? l[0].dtype : DType::Int32);
    const bool hasDim = l.has("dim"), keepDim = l.flag("keepdim");
    if (!hasDim && keepDim)
        return l.refuse("of all dimensions, which stay");
    const Term from = hasDim && known.rank() > 0 ? x : vectorOf(x);
    if (isWhole)
        return {outermostWhole(l, from, hasDim ? l.axis("dim", known.rank()) : std::int64_t{0}, op == "ArgMax",
                               keepDim && known.rank() > 0)
                    .second};
    return {l.make(op, {from},
                   {{"axis", hasDim ? l.axis("dim", known.rank()) : std::int64_t{0}},
                    {"keepdims", std::int64_t{keepDim && known.rank() > 0}}},
                   DType::Int64)};
}

Results normRule(L &l)
{
    const Reduced given = reducedOf(l);
    const std::string_view order = l.call().position({"ord"}) ? "ord" : "p";
    const double p = l.has(order) ? l.number(order) : 2;
    const Term x = reducedInput(l);
    if (given.axes.empty())
        return {applied("Abs", x)};
    if (p == 2)
        return {reduce("ReduceL2", x, given.axes, given.keepDims)};
    if (p == 1)
        return {reduce("ReduceL1", x, given.axes, given.keepDims)};
    if (std::abs(p) == std::numeric_limits<double>::infinity())
        return {reduce(p > 0 ? OnnxName("ReduceMax") : OnnxName("ReduceMin"), applied("Abs", x), given.axes,
                       given.keepDims)};
    if (p == 0)
        return l.refuse("a norm of order 0");
    const Term raised = l.make("Pow", {applied("Abs", x), l.scalar(p, x.dtype)});
    return {l.make("Pow", {reduce("ReduceSum", raised, given.axes, given.keepDims), l.scalar(1 / p, x.dtype)})};
}

Results cumsumRule(L &l)
{
    const auto known = l.tensor(0);
    const Term x = reducedInput(l);
    if (known.rank() == 0)
        return {x};
    return {l.make("CumSum", {x, l.scalar(l.axis("dim", known.rank()))})};
}

Results countNonzeroRule(L &l)
{
    const Reduced given = reducedOf(l);
    const Term x = cast(cast(l[0], DType::Bool), DType::Int64);
    return {given.axes.empty() ? x : reduce("ReduceSum", x, given.axes, false)};
}

constexpr LoweringRule reductionRules[] = {
    {"aten::sum", with<reductionRule, OnnxName("ReduceSum")>},
    {"aten::mean", with<reductionRule, OnnxName("ReduceMean")>},
    {"aten::amax", with<reductionRule, OnnxName("ReduceMax")>},
    {"aten::amin", with<reductionRule, OnnxName("ReduceMin")>},
    {"aten::prod", with<reductionRule, OnnxName("ReduceProd")>},
    {"aten::logsumexp aten::special_logsumexp", with<reductionRule, OnnxName("ReduceLogSumExp")>},
    {"aten::any", with<booleanReductionRule, OnnxName("ReduceMax")>},
    {"aten::all", with<booleanReductionRule, OnnxName("ReduceMin")>},
    {"aten::var", varRule},
    {"aten::std", stdRule},
    {"aten::max", with<extremeRule, OnnxName("Max")>},
    {"aten::min", with<extremeRule, OnnxName("Min")>},
    {"aten::argmax", with<argRule, OnnxName("ArgMax")>},
    {"aten::argmin", with<argRule, OnnxName("ArgMin")>},
    {"aten::norm aten::linalg_vector_norm aten::frobenius_norm", normRule},
    {"aten::cumsum", cumsumRule},
    {"aten::count_nonzero", countNonzeroRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family reduction()
{
    return {.decompositions = to_aten::reductionDecompositions,
            .fromOnnx = to_aten::reductionLowerings,
            .toOnnx = to_onnx::reductionRules};
}

} // namespace cutaway::rules
