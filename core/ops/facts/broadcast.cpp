// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/broadcast.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;

/// Whether `a` is min(b, …): if the two differ, they fit only if `a` is 1, so that `b` is the size of the result.
bool isSmallerOneOf(const Dim &a, const Dim &b)
{
    const auto *smaller = std::get_if<symbolic::Expr>(&a), *other = std::get_if<symbolic::Expr>(&b);
    return smaller && other && smaller->kind() == symbolic::Kind::Minimum
        && std::ranges::contains(smaller->operands(), *other);
}

bool isNeverOne(const Dim &dim)
{
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    return expr ? expr->range().min > 1 : number(dim).has_value() && !isOne(dim);
}

std::optional<Dim> fit(const Dim &a, const Dim &b)
{
    if (isOne(a) || a == b)
        return b;
    if (isOne(b))
        return a;
    if (isDifferent(a, b) && isNeverOne(a) && isNeverOne(b))
        return std::nullopt;
    // The file is assumed to be valid: a size that is not 1 is the size of the result. Often either formula might be 1,
    // as far as is known.
    if (isNeverOne(a))
        return a;
    if (isNeverOne(b))
        return b;
    if (isDifferent(a, b))
        return Dim(ir::UnknownDim{}); // one of the two sizes is 1, and which one is not known
    return isKnown(a) && !isSmallerOneOf(a, b) ? a : b;
}

/// Broadcasts `result` with `shape`, which has no more dimensions; returns whether they fit.
bool widen(ir::Shape &result, std::span<const Dim> shape)
{
    const std::size_t skipped = result.size() - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        auto size = fit(result[skipped + i], shape[i]);
        if (!size)
            return false;
        result[skipped + i] = std::move(*size);
    }
    return true;
}

/// A shape of ones, with room for two more dimensions, which products of matrices add.
ir::Shape onesOf(std::size_t rank)
{
    ir::Shape ones;
    ones.reserve(rank + 2);
    ones.resize(rank, Dim(std::int64_t{1}));
    return ones;
}

} // namespace

std::optional<ir::Shape> broadcast(std::span<const Dim> a, std::span<const Dim> b)
{
    ir::Shape result = onesOf(std::max(a.size(), b.size()));
    return widen(result, a) && widen(result, b) ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<ir::Shape> broadcast(std::span<const ir::Shape *const> shapes)
{
    std::size_t rank = 0;
    for (const ir::Shape *shape : shapes)
        rank = std::max(rank, shape->size());
    ir::Shape result = onesOf(rank);
    const bool fits = std::ranges::all_of(shapes, [&](const ir::Shape *shape) { return widen(result, *shape); });
    return fits ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace cutaway::ops
