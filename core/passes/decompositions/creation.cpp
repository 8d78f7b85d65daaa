// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// A tensor like the result, all of one number.
Parts allOf(D &d, const ir::Operand &number)
{
    const auto result = d.result();
    if (!result)
        return {};
    const bool isBool = result->dtype == ir::DType::Bool;
    const auto *integer = number.as<std::int64_t>();
    return {d.full(result->shape, isBool && integer ? ir::Operand(*integer != 0) : number, result->dtype)};
}

Parts allZero(D &d) { return allOf(d, std::int64_t{0}); }
Parts allOne(D &d) { return allOf(d, std::int64_t{1}); }
Parts allGiven(D &d) { return allOf(d, d["fill_value"]); }

Parts uninitialized(D &d)
{
    const auto result = d.result();
    if (!result)
        return {};
    return {d.make("empty.memory_format", {d.sizes(result->shape), {"dtype", result->dtype}, {"device", d.device()}})};
}

Parts arange(D &d)
{
    const Term start = d["start"];
    const auto result = d.result();
    if (!result)
        return {};
    return {d.make("arange.start_step",
                   {start.isNone() ? ir::Operand(std::int64_t{0}) : start.operand,
                    d["end"],
                    1,
                    {"dtype", result->dtype},
                    {"device", d.device()}})};
}

/// Whether the element at (row, column) of the last two dimensions has column - row compared with a number.
Term diagonalMask(D &d, const ir::Dim &rows, const ir::Dim &columns, std::string_view comparison, std::int64_t offset)
{
    const Term difference = d.unsqueeze(d.arange(columns), 0) - d.unsqueeze(d.arange(rows), 1);
    return compared(comparison, difference, d.term(offset));
}

Parts eye(D &d)
{
    const auto result = d.result();
    if (!result || result->rank() != 2)
        return {};
    return {d.cast(diagonalMask(d, result->shape[0], result->shape[1], "eq", 0), result->dtype)};
}

template <bool isLower>
Parts triangle(D &d)
{
    const Term x = d["self"];
    const auto shape = d.tensor(x);
    const auto diagonal = d.integer("diagonal");
    if (!shape || shape->rank() < 2 || !diagonal)
        return {};
    const Term mask =
        diagonalMask(d, shape->shape[shape->rank() - 2], shape->shape.back(), isLower ? "le" : "ge", *diagonal);
    const bool isBool = shape->dtype == ir::DType::Bool;
    return {isBool ? d.make("logical_and", {mask, x}) : where(mask, x, d.scalar(std::int64_t{0}, shape->dtype))};
}

/// So many numbers in equal steps. Both ends are exact: the second half is counted from the end, as PyTorch's kernel
/// does.
Term evenlySpaced(D &d, double start, double end, std::int64_t steps, ir::DType dtype)
{
    if (steps == 1)
        return d.full({ops::one}, start, dtype);
    const double step = (end - start) / static_cast<double>(steps - 1);
    const Term index = d.arange(steps), place = d.cast(index, dtype);
    const Term fromEnd = d.cast(-index + d.term(steps - 1), dtype);
    return where(compared("lt", index, d.term(steps / 2)), place * step + start, -(fromEnd * step) + end);
}

/// The numbers themselves, or the powers of a base with these exponents, which are computed in double precision.
template <bool arePowers>
Parts spaced(D &d)
{
    const auto start = d.number("start"), end = d.number("end");
    const auto base = arePowers ? d.number("base") : std::optional(10.0);
    const auto steps = d.integer("steps");
    const auto result = d.result();
    if (!start || !end || !steps || !base || !result || *steps < 1 || !ir::isFloating(result->dtype))
        return {};
    const ir::DType wide = result->dtype == ir::DType::Float64 ? ir::DType::Float64 : ir::DType::Float32;
    if (!arePowers)
        return {d.cast(evenlySpaced(d, *start, *end, *steps, wide), result->dtype)};
    const Term exponents = evenlySpaced(d, *start, *end, *steps, ir::DType::Float64);
    return {d.cast(d.make("pow.Scalar", {*base, exponents}), result->dtype)};
}

Parts oneHot(D &d)
{
    const Term x = d["self"];
    const auto result = d.result();
    if (!result || result->rank() == 0)
        return {};
    const Term classes = d.arange(result->shape.back());
    return {d.cast(compared("eq", d.unsqueeze(x, -1), classes), ir::DType::Int64)};
}

/// A number below the probability, from the same distribution; which ones differ from run to run anyway.
Parts bernoulli(D &d)
{
    const Term x = d["self"];
    const auto shape = d.tensor(x);
    if (!shape || d.has("p") || d.has("generator"))
        return {};
    const Term drawn = d.make("rand", {d.sizes(shape->shape), {"dtype", ir::DType::Float32}, {"device", d.device()}});
    return {d.cast(compared("lt", drawn, x), shape->dtype)};
}

constexpr DecompositionRule creationRules[] = {
    {"aten::arange", arange},
    {"aten::bernoulli", bernoulli},
    {"aten::empty_like", uninitialized},
    {"aten::eye", eye},
    {"aten::linspace", spaced<false>},
    {"aten::logspace", spaced<true>},
    {"aten::new_empty", uninitialized},
    {"aten::new_full", allGiven},
    {"aten::new_ones", allOne},
    {"aten::new_zeros", allZero},
    {"aten::one_hot", oneHot},
    {"aten::ones", allOne},
    {"aten::ones_like", allOne},
    {"aten::tril", triangle<true>},
    {"aten::triu", triangle<false>},
    {"aten::zero", allZero},
    {"aten::zeros", allZero},
    {"aten::zeros_like", allZero},
};

} // namespace

std::span<const DecompositionRule> creationDecompositions() { return creationRules; }

} // namespace cutaway::passes
