// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <ranges>
#include <utility>

namespace cutaway::rules {

namespace {

/// The dimensions that a node reduces, and whether they stay in the result with size 1.
struct Reduced {
    Node::Numbers dims;
    bool keepsDims;
};

/// Returns the dimensions that a node of aten or ONNX reduces.
Reduced reducedBy(Node &n)
{
    const ops::ReduceArguments given = ops::reduceArguments(n.call());
    const auto isReduced = given.reducedDimensions(n.tensor(given.input).rank());
    if (!isReduced)
        n.refuse(isReduced.error().reason);
    Reduced made{{}, n.known(given.keepDim, "whether dimensions stay is")};
    for (std::size_t i = 0; isReduced && i < isReduced->size(); ++i)
        if ((*isReduced)[i])
            made.dims.push_back(static_cast<std::int64_t>(i));
    return made;
}

} // namespace

} // namespace cutaway::rules

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

/// Makes a cumulative operator. An exclusive one runs over the elements moved by one position, a reverse one over the
/// flipped elements.
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

Reduced reduced(N &n)
{
    Reduced made = reducedBy(n);
    if (made.dims.empty())
        n.refuse("it reduces no dimension");
    return made;
}

Term sumOver(N &n, const Term &x)
{
    const Reduced over = reduced(n);
    return sum(x, over.dims, over.keepsDims);
}

/// Returns the input, which has to be of floats.
Term floats(N &n)
{
    if (!ir::isFloating(n.dtype(0)))
        n.refuse("torch reduces whole numbers in another way");
    return n[0];
}

Parts reduceSum(N &n) { return {cast(sumOver(n, n[0]), n.dtype(0))}; }

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

Term squares(N &n)
{
    const Term x = floats(n);
    return x * x;
}

Parts reduceSumSquare(N &n) { return {sumOver(n, squares(n))}; }

Parts reduceL1(N &n) { return {sumOver(n, applied("abs", floats(n)))}; }

Parts reduceL2(N &n) { return {applied("sqrt", sumOver(n, squares(n)))}; }

Parts reduceLogSum(N &n) { return {applied("log", sumOver(n, floats(n)))}; }

/// Makes a product over dimensions. torch multiplies along one dimension at a time; the last dimension comes first, so
/// that the others keep their indices.
Parts reduceProd(N &n)
{
    const Reduced over = reduced(n);
    Term made = n[0];
    for (const std::int64_t dim : over.dims | std::views::reverse)
        made = n.make("prod.dim_int", {made, dim, over.keepsDims});
    return {cast(made, n.dtype(0))};
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

/// Returns the input in the dtype in which the reduction computes: the result's dtype if that is a float or int64, else
/// int32.
Term reducedInput(L &l)
{
    const DType dtype = l.resultDType();
    return cast(l[0], ir::isFloating(dtype) || dtype == DType::Int64 ? dtype : DType::Int32);
}

Results reductionRule(L &l, OnnxName op)
{
    const Reduced given = reducedBy(l);
    const Term x = reducedInput(l);
    return {given.dims.empty() ? x : reduce(op, x, given.dims, given.keepsDims)};
}

/// Computes any and all, as the largest and the smallest element.
Results booleanReductionRule(L &l, OnnxName op)
{
    const Reduced given = reducedBy(l);
    const Term x = cast(cast(l[0], DType::Bool), DType::Int32);
    return {given.dims.empty() ? x : reduce(op, x, given.dims, given.keepsDims)};
}

/// Computes Σ (x - mean)² / (n - correction).
Results varRule(L &l)
{
    const Reduced given = reducedBy(l);
    const Term x = reducedInput(l);
    const auto shape = l.tensor(0).shape;
    double correction = 1;
    if (l.has("correction"))
        correction = l.number("correction");
    else if (l.call().position({"unbiased"}) && !l.flag("unbiased"))
        correction = 0;
    Term count = l.scalar(std::int64_t{1});
    for (const std::int64_t axis : given.dims)
        count = count * l.size(shape[static_cast<std::size_t>(axis)]);
    const Term centered = x - reduce("ReduceMean", x, given.dims, true);
    const Term sum = reduce("ReduceSum", centered * centered, given.dims, given.keepsDims);
    return {sum / (cast(count, x.dtype) - correction)};
}

/// Returns the largest or smallest of 64-bit integers and the index of the first such one; ONNX Runtime has no ArgMax
/// for them.
std::pair<Term, Term> outermostWhole(L &l, const Term &x, std::int64_t axis, bool isMax, bool keepDims)
{
    const auto made = l.makeAll("TopK", {x, l.ints({1})},
                                {{"axis", axis}, {"largest", std::int64_t{isMax}}, {"sorted", std::int64_t{1}}},
                                {x.dtype, DType::Int64});
    if (keepDims)
        return {made[0], made[1]};
    const Term value = squeeze(made[0], {axis});
    return {value, squeeze(made[1], {axis})};
}

/// Computes the largest or smallest element of a whole tensor, or along one dimension together with its index.
Results extremeRule(L &l, OnnxName op)
{
    const bool isMax = op == "Max";
    if (l.call().position({"other"}))
        return l.refuse("it is of two tensors");
    const Reduced given = reducedBy(l);
    const Term x = reducedInput(l);
    if (given.dims.empty())
        return {x, l.scalar(std::int64_t{0})};
    if (l.resultCount() > 1 && x.dtype == DType::Int64) {
        const auto [value, place] = outermostWhole(l, x, given.dims.front(), isMax, given.keepsDims);
        return {value, place};
    }
    const Term made = reduce(isMax ? OnnxName("ReduceMax") : OnnxName("ReduceMin"), x, given.dims, given.keepsDims);
    if (l.resultCount() < 2)
        return {made};
    return {made,
            l.make(isMax ? OnnxName("ArgMax") : OnnxName("ArgMin"), {x},
                   {{"axis", given.dims.front()}, {"keepdims", std::int64_t{given.keepsDims}}}, DType::Int64)};
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
    const Reduced given = reducedBy(l);
    const std::string_view order = l.call().position({"ord"}) ? "ord" : "p";
    const double p = l.has(order) ? l.number(order) : 2;
    const Term x = reducedInput(l);
    if (given.dims.empty())
        return {applied("Abs", x)};
    if (p == 2)
        return {reduce("ReduceL2", x, given.dims, given.keepsDims)};
    if (p == 1)
        return {reduce("ReduceL1", x, given.dims, given.keepsDims)};
    return l.refuse("a norm of an order that ONNX has no operator for");
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
    const Reduced given = reducedBy(l);
    const Term x = cast(cast(l[0], DType::Bool), DType::Int64);
    return {given.dims.empty() ? x : reduce("ReduceSum", x, given.dims, false)};
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

Family reduction() { return {.fromOnnx = to_aten::reductionLowerings, .toOnnx = to_onnx::reductionRules}; }

} // namespace cutaway::rules
