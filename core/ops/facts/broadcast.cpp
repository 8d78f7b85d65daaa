// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/broadcast.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

using ir::Dim;

/// Whether `a` is the smaller one of `b` and something else: where that is not `b`, it fits only if it is 1, as `b` is.
bool isSmallerOneOf(const Dim &a, const Dim &b)
{
    const auto *smaller = std::get_if<symbolic::Expr>(&a), *other = std::get_if<symbolic::Expr>(&b);
    return smaller && other && smaller->kind() == symbolic::Kind::Minimum
        && std::ranges::contains(smaller->operands(), *other);
}

std::optional<Dim> fit(const Dim &a, const Dim &b)
{
    if (isOne(a) || a == b)
        return b;
    if (isOne(b))
        return a;
    if (isDifferent(a, b) && number(a) && number(b))
        return std::nullopt;
    // The file is taken to be right: a number other than 1 is what both are; of two formulas neither is known to be.
    if (number(a))
        return a;
    if (number(b))
        return b;
    return isKnown(a) && !isSmallerOneOf(a, b) ? a : b;
}

} // namespace

std::optional<ir::Shape> broadcast(const ir::Shape &a, const ir::Shape &b)
{
    const std::array<const ir::Shape *, 2> both{&a, &b};
    return broadcast(both);
}

std::optional<ir::Shape> broadcast(std::span<const ir::Shape *const> shapes)
{
    std::size_t rank = 0;
    for (const ir::Shape *shape : shapes)
        rank = std::max(rank, shape->size());
    ir::Shape result(rank, Dim(std::int64_t{1}));
    for (const ir::Shape *shape : shapes) {
        const std::size_t skipped = rank - shape->size();
        for (std::size_t i = 0; i < shape->size(); ++i) {
            auto size = fit(result[skipped + i], (*shape)[i]);
            if (!size)
                return std::nullopt;
            result[skipped + i] = std::move(*size);
        }
    }
    return result;
}

} // namespace cutaway::ops
