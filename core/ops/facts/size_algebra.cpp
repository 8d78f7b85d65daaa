// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/size_algebra.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cutaway::ops {

namespace {

using ir::Dim;
using symbolic::Expr;
using symbolic::Kind;

bool neverNegative(const Expr &expr)
{
    if (expr.range().min >= 0)
        return true;
    const auto each = [](const Expr &e) { return neverNegative(e); };
    switch (expr.kind()) {
    case Kind::Integer:
        return expr.integerValue() >= 0;
    case Kind::Symbol:
        return true;
    case Kind::Maximum:
        return std::ranges::any_of(expr.operands(), each);
    case Kind::Power:
        return each(expr.operands().front());
    case Kind::Add:
    case Kind::Multiply:
    case Kind::FloorDivide:
    case Kind::CeilDivide:
    case Kind::Modulo:
    case Kind::Minimum:
        return std::ranges::all_of(expr.operands(), each);
    default:
        return false;
    }
}

/// A product, split into a number and the other factors.
struct Factors {
    Dim number = std::int64_t{1};
    std::vector<Expr> rest;
    bool isKnown = true;

    void add(const Expr &expr)
    {
        if (expr.kind() == Kind::Integer)
            number = times(number, expr.integerValue());
        else if (expr.kind() == Kind::Multiply)
            for (const Expr &operand : expr.operands())
                add(operand);
        else if (expr.kind() == Kind::Power && expr.operands()[1].kind() == Kind::Integer
                 && expr.operands()[1].integerValue() > 0 && expr.operands()[1].integerValue() < 16)
            rest.insert(rest.end(), static_cast<std::size_t>(expr.operands()[1].integerValue()), expr.operands()[0]);
        else
            rest.push_back(expr);
    }
};

Factors factors(std::span<const Dim> sizes)
{
    Factors result;
    for (const Dim &size : sizes) {
        if (const auto *expr = std::get_if<Expr>(&size))
            result.add(*expr);
        else if (const auto n = number(size))
            result.number = times(result.number, *n);
        else
            result.isKnown = false;
    }
    return result;
}

Dim multiplied(const Factors &factors)
{
    Dim result = factors.number;
    for (const Expr &expr : factors.rest)
        result = times(result, expr);
    return result;
}

void cancel(Factors &a, Factors &b)
{
    std::erase_if(b.rest, [&](const Expr &expr) {
        const auto found = std::ranges::find(a.rest, expr);
        if (found == a.rest.end())
            return false;
        a.rest.erase(found);
        return true;
    });
    const auto x = number(a.number), y = number(b.number);
    if (!x || !y || *x <= 0 || *y <= 0)
        return;
    const std::int64_t divisor = std::gcd(*x, *y);
    a.number = *x / divisor;
    b.number = *y / divisor;
}

struct Fraction {
    Dim over, under;
};

/// Cancels the factors that are in both products; nothing if a size is not known or the divisor is 0.
std::optional<Fraction> fraction(std::span<const Dim> sizes, std::span<const Dim> divisors)
{
    Factors over = factors(sizes), under = factors(divisors);
    if (!over.isKnown || !under.isKnown || number(under.number) == 0)
        return std::nullopt;
    cancel(over, under);
    return Fraction{multiplied(over), multiplied(under)};
}

/// Whether a border is so large that it means the end whatever the size is: exporters write 2^31-1 or 2^63-1.
bool isFar(std::int64_t n) { return n >= std::numeric_limits<std::int32_t>::max(); }
bool isFarBack(std::int64_t n) { return n <= -std::int64_t{std::numeric_limits<std::int32_t>::max()}; }

bool isFromTheEnd(const Dim &index)
{
    const auto n = number(index);
    return n ? *n < 0 : isKnown(index) && isNonNegative(times(index, std::int64_t{-1}));
}

Dim smaller(const Dim &a, const Dim &b)
{
    if (isNonNegative(minus(b, a)))
        return a;
    return isNonNegative(minus(a, b)) ? b : minimum(a, b);
}

/// Returns the border of a slice, limited to the range from 0 to `size`.
Dim border(const Dim &index, const Dim &size)
{
    if (const auto n = number(index); n && !number(size)) {
        if (isFar(*n))
            return size;
        if (isFarBack(*n))
            return std::int64_t{0};
    }
    const Dim inside = atLeastZero(position(index, size));
    return isFromTheEnd(index) ? inside : smaller(inside, size);
}

Part forwards(const Dim &size, const Dim &start, const Dim &end, std::int64_t step)
{
    const Dim first = border(start, size), last = border(end, size);
    Dim length = atLeastZero(minus(last, first));
    // If a border is the end, the length is simpler than with min() and max() of the borders: s0 - min(3, s0).
    if (last == size && !number(size) && isKnown(size)) {
        const auto n = number(start);
        if (n && *n < 0)
            length = smaller(-*n, size);
        else if (isNonNegative(start))
            length = atLeastZero(minus(size, start));
    }
    return {first, ceilDivide(length, step)};
}

Part backwards(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step)
{
    const auto inside = [&](std::int64_t index) {
        return std::clamp(index < 0 ? index + size : index, std::int64_t{-1}, size - 1);
    };
    const std::int64_t first = inside(start), last = inside(end);
    const std::int64_t length = last >= first ? 0 : (first - last - 1) / -step + 1;
    return {std::max(first, std::int64_t{0}), length};
}

} // namespace

bool isNonNegative(const Dim &dim)
{
    if (const auto n = number(dim))
        return *n >= 0;
    const auto *expr = std::get_if<Expr>(&dim);
    return expr && neverNegative(*expr);
}

Dim atLeastZero(const Dim &dim) { return isNonNegative(dim) ? dim : maximum(std::int64_t{0}, dim); }

Dim quotient(std::span<const Dim> sizes, std::span<const Dim> divisors)
{
    const auto reduced = fraction(sizes, divisors);
    return reduced ? floorDivide(reduced->over, reduced->under) : ir::UnknownDim{};
}

Dim quotientRoundedUp(const Dim &size, const Dim &divisor)
{
    const auto reduced = fraction(std::span(&size, 1), std::span(&divisor, 1));
    return reduced ? ceilDivide(reduced->over, reduced->under) : ir::UnknownDim{};
}

std::optional<ir::Shape> completed(std::span<const Dim> elements, ir::Shape sizes)
{
    const auto isOpen = [](const Dim &size) { return number(size) == -1; };
    auto open = std::ranges::find_if(sizes, isOpen);
    if (open != sizes.end() && std::find_if(open + 1, sizes.end(), isOpen) != sizes.end())
        return std::nullopt;
    const auto unknowns = std::ranges::count_if(sizes, [](const Dim &size) { return !isKnown(size); });
    if (open == sizes.end() && unknowns == 1)
        open = std::ranges::find_if_not(sizes, isKnown);
    if (open == sizes.end()) {
        const auto all = number(product(elements)), given = number(product(sizes));
        return all && given && *all != *given ? std::nullopt : std::optional(std::move(sizes));
    }
    ir::Shape others(sizes.begin(), open);
    others.insert(others.end(), open + 1, sizes.end());
    const auto all = number(product(elements)), given = number(product(others));
    if (all && given && (*given == 0 ? *all != 0 : *all % *given != 0))
        return std::nullopt;
    *open = unknowns > 0 && isOpen(*open) ? Dim(ir::UnknownDim{}) : quotient(elements, others);
    return sizes;
}

Dim position(const Dim &index, const Dim &size) { return isFromTheEnd(index) ? plus(size, index) : index; }

Part slice(const Dim &size, const Dim &start, const Dim &end, std::int64_t step)
{
    if (step > 0)
        return forwards(size, start, end, step);
    const auto all = number(size), first = number(start), last = number(end);
    if (step == std::numeric_limits<std::int64_t>::min() || !first || !last)
        return {ir::UnknownDim{}, ir::UnknownDim{}};
    if (all && *all >= 0)
        return backwards(*all, *first, *last, step);
    if ((*first == -1 || isFar(*first)) && isFarBack(*last))
        return {minus(size, std::int64_t{1}), ceilDivide(size, -step)};
    return {ir::UnknownDim{}, ir::UnknownDim{}};
}

} // namespace cutaway::ops
