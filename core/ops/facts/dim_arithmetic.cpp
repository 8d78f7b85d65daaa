// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_arithmetic.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace cutaway::ops {

namespace {

using ir::Dim;
using symbolic::Expr;
using symbolic::Kind;

Expr expression(const Dim &dim)
{
    const auto *n = std::get_if<std::int64_t>(&dim);
    return n ? Expr::integer(*n) : std::get<Expr>(dim);
}

/// Returns an expression as a number if it is constant.
Dim simplest(Expr expr)
{
    if (expr.kind() == Kind::Integer)
        return expr.integerValue();
    return expr;
}

Dim computeSize(Kind kind, const Dim &a, const Dim &b)
{
    Expr made = Expr::make(kind, {expression(a), expression(b)});
    if (made.depth() > maxFormulaDepth || made.kind() == Kind::Float)
        return ir::UnknownDim{};
    return simplest(std::move(made));
}

bool isIdentical(const Dim &a, const Dim &b)
{
    const auto *x = std::get_if<Expr>(&a), *y = std::get_if<Expr>(&b);
    return x && y ? x->identity() == y->identity() : !x && !y && a == b;
}

std::size_t hashOf(const Dim &dim)
{
    const auto *expr = std::get_if<Expr>(&dim);
    return expr ? std::hash<const void *>()(expr->identity()) : std::hash<std::int64_t>()(number(dim).value_or(0));
}

/// The most recent results. The nodes of a graph ask for the same formulas again and again; kept here, a result is
/// the same object each time, so that results that are computed from it are found, too. Each slot has two results, so
/// that two formulas that alternate do not evict each other.
class Recent {
public:
    const Dim &of(Kind kind, const Dim &a, const Dim &b)
    {
        const std::size_t hash = (hashOf(a) * 31 + hashOf(b)) * 31 + static_cast<std::size_t>(kind);
        auto &[last, before] = m_places[(hash ^ (hash >> 17)) % m_places.size()];
        if (last.is(kind, a, b))
            return last.made;
        if (before.is(kind, a, b))
            return before.made;
        before = std::exchange(last, {kind, a, b, computeSize(kind, a, b)});
        return last.made;
    }

private:
    struct Entry {
        Kind kind = Kind::Integer; // Integer is no operation: it marks a free entry
        Dim a, b, made;

        bool is(Kind wanted, const Dim &first, const Dim &second) const
        {
            return kind == wanted && isIdentical(a, first) && isIdentical(b, second);
        }
    };
    std::vector<std::array<Entry, 2>> m_places = std::vector<std::array<Entry, 2>>(2048);
};

Dim makeSize(Kind kind, const Dim &a, const Dim &b)
{
    if (!isKnown(a) || !isKnown(b))
        return ir::UnknownDim{};
    thread_local Recent recent;
    return recent.of(kind, a, b);
}

Dim orUnknown(std::optional<std::int64_t> n) { return n ? Dim(*n) : Dim(ir::UnknownDim{}); }

std::optional<std::int64_t> floorQuotient(std::int64_t a, std::int64_t b)
{
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min()))
        return std::nullopt;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

} // namespace

std::optional<std::int64_t> number(const Dim &dim)
{
    const auto *n = std::get_if<std::int64_t>(&dim);
    return n ? std::optional(*n) : std::nullopt;
}

std::optional<double> floating(const Dim &dim)
{
    if (const auto n = number(dim))
        return static_cast<double>(*n);
    const auto *expr = std::get_if<Expr>(&dim);
    return expr && expr->kind() == Kind::Float ? std::optional(expr->floatValue()) : std::nullopt;
}

bool isKnown(const Dim &dim) { return !std::holds_alternative<ir::UnknownDim>(dim); }

bool isSame(const Dim &a, const Dim &b) { return isKnown(a) && a == b; }

bool isOne(const Dim &dim) { return number(dim) == 1; }

bool isDifferent(const Dim &a, const Dim &b)
{
    const auto difference = number(minus(a, b));
    return difference && *difference != 0;
}

Dim plus(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    return x && y ? orUnknown(checkedAdd(*x, *y)) : makeSize(Kind::Add, a, b);
}

namespace {

/// Negates each term of a sum, so that equal terms meet: s0 - (s0 + 1) is -1.
Dim negativeSize(const Dim &dim)
{
    const auto *expr = std::get_if<Expr>(&dim);
    if (!expr || expr->kind() != Kind::Add)
        return times(dim, std::int64_t{-1});
    Dim sum = std::int64_t{0};
    for (const Expr &term : expr->operands())
        sum = plus(sum, times(simplest(term), std::int64_t{-1}));
    return sum;
}

} // namespace

Dim minus(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    return x && y ? orUnknown(checkedSubtract(*x, *y)) : plus(a, negativeSize(b));
}

Dim times(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    if (x == 0 || y == 0)
        return std::int64_t{0}; // 0 times anything, even an unknown size
    if (x == 1 || y == 1)
        return x == 1 ? b : a;
    return x && y ? orUnknown(checkedMultiply(*x, *y)) : makeSize(Kind::Multiply, a, b);
}

Dim floorDivide(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    if (y == 0)
        return ir::UnknownDim{};
    return x && y ? orUnknown(floorQuotient(*x, *y)) : makeSize(Kind::FloorDivide, a, b);
}

Dim ceilDivide(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    if (y == 0)
        return ir::UnknownDim{};
    if (!x || !y)
        return makeSize(Kind::CeilDivide, a, b);
    const auto floor = floorQuotient(*x, *y);
    return floor ? Dim(*floor + (*x % *y != 0 ? 1 : 0)) : Dim(ir::UnknownDim{});
}

Dim modulo(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    if (y == 0)
        return ir::UnknownDim{};
    if (!x || !y)
        return makeSize(Kind::Modulo, a, b);
    return *y == -1 ? 0 : (*x % *y + *y) % *y;
}

Dim minimum(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    return x && y ? Dim(std::min(*x, *y)) : makeSize(Kind::Minimum, a, b);
}

Dim maximum(const Dim &a, const Dim &b)
{
    const auto x = number(a), y = number(b);
    return x && y ? Dim(std::max(*x, *y)) : makeSize(Kind::Maximum, a, b);
}

Dim product(std::span<const Dim> dims)
{
    // Numbers are multiplied apart from the others, because they make no formulas.
    Dim numbers = std::int64_t{1}, others = std::int64_t{1};
    for (const Dim &dim : dims) {
        if (number(dim) == 0)
            return std::int64_t{0};
        Dim &product = number(dim) ? numbers : others;
        product = times(product, dim);
    }
    return times(others, numbers);
}

Dim elementsOf(const ir::Shape &shape)
{
    const auto count = ir::elementCount(shape);
    return count ? Dim(*count) : product(shape);
}

std::optional<std::size_t> dimension(std::int64_t index, std::size_t rank)
{
    const auto count = static_cast<std::int64_t>(rank);
    if (index < -count || index >= count)
        return std::nullopt;
    return static_cast<std::size_t>(index < 0 ? index + count : index);
}

std::optional<std::vector<std::int64_t>> numbers(std::span<const ir::Dim> dims)
{
    std::vector<std::int64_t> found;
    for (const ir::Dim &dim : dims) {
        const auto known = number(dim);
        if (!known)
            return std::nullopt;
        found.push_back(*known);
    }
    return found;
}

std::optional<std::vector<std::size_t>> dimensions(std::span<const ir::Dim> indices, std::size_t rank)
{
    std::vector<std::size_t> named;
    for (const ir::Dim &index : indices) {
        const auto known = number(index);
        const auto found = known ? dimension(*known, rank) : std::nullopt;
        if (!found)
            return std::nullopt;
        named.push_back(*found);
    }
    return named;
}

} // namespace cutaway::ops
