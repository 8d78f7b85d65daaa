// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include "core/ops/arguments/reduce_arguments.h"

#include <cmath>

namespace cutaway::passes {

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

Parts countNonzero(D &d)
{
    const Term x = d["self"];
    const auto dims = reducedDimensions(d, x);
    return dims ? Parts{d.sum(compared("ne", x, d.term(std::int64_t{0})), *dims, false)} : Parts{};
}

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
    return {applied("logical_not", d.make(isList ? "any.dims" : "any.dim", {isFalse, dim, d["keepdim"]}))};
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

/// The p-norm: of 2, 1, the largest and the smallest.
std::optional<Term> normOf(D &d, const Term &x, double p, const std::vector<std::int64_t> &dims, bool keeps)
{
    const Term size = applied("abs", x);
    if (std::isinf(p))
        return d.make(p > 0 ? "amax" : "amin", {size, D::list(dims), keeps});
    if (p == 0)
        return d.cast(d.sum(compared("ne", x, d.term(0.0)), dims, keeps), d.dtype(x));
    if (p == 1)
        return d.sum(size, dims, keeps);
    if (p == 2)
        return applied("sqrt", d.sum(x * x, dims, keeps));
    const Term powers = d.make("pow.Tensor_Scalar", {size, p});
    return d.make("pow.Tensor_Scalar", {d.sum(powers, dims, keeps), 1 / p});
}

Parts norm(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto dims = reducedDimensions(d, x);
    const auto p = d.has("p") ? d.number("p") : std::optional(2.0);
    if (!known || !ir::isFloating(known->dtype) || !dims || !p || d.has("dtype"))
        return {};
    const auto made = normOf(d, d.widened(x), *p, *dims, d.flag("keepdim") == true);
    return made ? Parts{d.cast(*made, known->dtype)} : Parts{};
}

Parts pairwiseDistance(D &d)
{
    const Term a = d["x1"], b = d["x2"];
    const auto p = d.number("p"), eps = d.number("eps");
    const auto keeps = d.flag("keepdim");
    const auto x = d.tensor(a);
    if (!p || !eps || !keeps || !x || !ir::isFloating(x->dtype) || d.dtype(b) != x->dtype)
        return {};
    const auto made = normOf(d, a - b + *eps, *p, {-1}, *keeps);
    return made ? Parts{*made} : Parts{};
}

constexpr DecompositionRule reductionRules[] = {
    {"aten::all", all},
    {"aten::count_nonzero", countNonzero},
    {"aten::norm", norm},
    {"aten::pairwise_distance", pairwiseDistance},
    {"aten::std", deviation},
    {"aten::std_mean", withMean<true>},
    {"aten::sum", sum},
    {"aten::var", var},
    {"aten::var_mean", withMean<false>},
};

} // namespace

std::span<const DecompositionRule> reductionDecompositions() { return reductionRules; }

} // namespace cutaway::passes
