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
std::optional<std::vector<std::int64_t>> reducedDimensions(D &d, const Term &x)
{
    const auto known = d.tensor(x);
    if (!known)
        return std::nullopt;
    const auto reduced = ops::reduceArguments(d.call()).reducedDimensions(known->rank());
    if (!reduced)
        return std::nullopt;
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < reduced->size(); ++i)
        if ((*reduced)[i])
            dims.push_back(static_cast<std::int64_t>(i));
    return dims;
}

Parts sum(D &d) { return {d.make("sum.dim_IntList", {d["self"], ir::List{}, {"dtype", d["dtype"]}})}; }

/// Whether all are true is whether none is false.
Parts all(D &d)
{
    const Term x = d["self"], dim = d["dim"];
    if (d.dtype(d.resultValue()) != ir::DType::Bool)
        return {};
    const Term isFalse = applied("logical_not", x);
    if (dim.isNone())
        return {applied("logical_not", applied("any", isFalse))};
    const bool isList = dim.operand.as<ir::List>() != nullptr;
    return {applied("logical_not",
                    d.make(isList ? AtenName("any.dims") : AtenName("any.dim"), {isFalse, dim, d["keepdim"]}))};
}

/// The variance over given dimensions; halves in float32.
std::optional<Term> variance(D &d, const Term &x)
{
    const auto dims = reducedDimensions(d, x);
    if (!dims || ir::isComplex(d.dtype(x)))
        return std::nullopt;
    const Term correction = d["correction"], unbiased = d["unbiased"];
    const auto isUnbiased = d.flag("unbiased");
    if (!unbiased.isNone() && !isUnbiased)
        return std::nullopt;
    const ir::Operand by = !correction.isNone() ? correction.operand
        : isUnbiased == false                   ? ir::Operand(std::int64_t{0})
                                                : ir::Operand(std::int64_t{1});
    return d.make("var.correction", {x, D::list(*dims), {"correction", by}, {"keepdim", d.flag("keepdim") == true}});
}

Parts var(D &d)
{
    const auto made = variance(d, d["self"]);
    return made ? Parts{*made} : Parts{};
}

Parts deviation(D &d)
{
    const Term x = d["self"];
    const auto made = variance(d, d.widened(x));
    return made ? Parts{d.cast(applied("sqrt", *made), d.dtype(x))} : Parts{};
}

template <bool isRoot>
Parts withMean(D &d)
{
    const Term x = d["self"];
    const auto dims = reducedDimensions(d, x);
    const auto made = variance(d, isRoot ? d.widened(x) : x);
    if (!made || !dims)
        return {};
    return {isRoot ? d.cast(applied("sqrt", *made), d.dtype(x)) : *made, d.mean(x, *dims, d.flag("keepdim") == true)};
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
        constexpr bool isProduct = target == "cumprod";
        given = n.d.make(
            "constant_pad_nd",
            {given, AtenMaker::list(pads),
             ir::isFloating(x->dtype) ? ir::Operand(isProduct ? 1.0 : 0.0) : ir::Operand(std::int64_t{isProduct})});
    }
    return {n.d.cast(turned(n.d.make(target, {given, along})), x->dtype)};
}

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

template <AtenName target>
Parts reduceExtremum(N &n)
{
    const auto over = reduced(n);
    return over ? Parts{n.d.make(target, {n.input(0), AtenMaker::list(over->dims), over->keepsDims})} : Parts{};
}

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

template <AtenName target>
Parts argument(N &n)
{
    const bool isFirst = n.integer("select_last_index", 0) == 0;
    return isFirst ? Parts{n.d.make(target, {n.input(0), n.integer("axis", 0), n.integer("keepdims", 1) != 0})}
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
    return l.cast(l[0], ir::isFloating(dtype) || dtype == DType::Int64 ? dtype : DType::Int32);
}

Results reductionRule(L &l, OnnxName op)
{
    const Reduced given = reducedOf(l);
    const Term x = reducedInput(l);
    return {given.axes.empty() ? x : l.reduce(op, x, given.axes, given.keepDims)};
}

/// any and all, as the largest and the smallest.
Results booleanReductionRule(L &l, OnnxName op)
{
    const Reduced given = reducedOf(l);
    const Term x = l.cast(l.cast(l[0], DType::Bool), DType::Int32);
    return {given.axes.empty() ? x : l.reduce(op, x, given.axes, given.keepDims)};
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
    const Term centered = x - l.reduce("ReduceMean", x, given.axes, true);
    const Term sum = l.reduce("ReduceSum", centered * centered, given.axes, given.keepDims);
    return sum / (l.cast(count, x.dtype) - correction);
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
    return keepDims ? std::pair(made[0], made[1]) : std::pair(l.squeeze(made[0], {axis}), l.squeeze(made[1], {axis}));
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
    const Term made = l.reduce(isMax ? OnnxName("ReduceMax") : OnnxName("ReduceMin"), x, given.axes, given.keepDims);
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
    const Term x = l.cast(l[0], ir::isFloating(l[0].dtype) || isWhole ? l[0].dtype : DType::Int32);
    const bool hasDim = l.has("dim"), keepDim = l.flag("keepdim");
    if (!hasDim && keepDim)
        return l.refuse("of all dimensions, which stay");
    const Term from = hasDim && known.rank() > 0 ? x : l.vectorOf(x);
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
        return {l.reduce("ReduceL2", x, given.axes, given.keepDims)};
    if (p == 1)
        return {l.reduce("ReduceL1", x, given.axes, given.keepDims)};
    if (std::abs(p) == std::numeric_limits<double>::infinity())
        return {l.reduce(p > 0 ? OnnxName("ReduceMax") : OnnxName("ReduceMin"), applied("Abs", x), given.axes,
                         given.keepDims)};
    if (p == 0)
        return l.refuse("a norm of order 0");
    const Term raised = l.make("Pow", {applied("Abs", x), l.scalar(p, x.dtype)});
    return {l.make("Pow", {l.reduce("ReduceSum", raised, given.axes, given.keepDims), l.scalar(1 / p, x.dtype)})};
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
    const Term x = l.cast(l.cast(l[0], DType::Bool), DType::Int64);
    return {given.axes.empty() ? x : l.reduce("ReduceSum", x, given.axes, false)};
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
