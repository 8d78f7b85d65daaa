// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/interval.h"

#include "core/base/checked.h"

#include <algorithm>
#include <optional>

namespace cutaway::symbolic {

namespace {

// Numbers that do not fit in 64 bits are no values of an expression, so bounds may be limited to 64 bits.
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

std::int64_t endOf(bool isNegative) { return isNegative ? lowest : highest; }

std::int64_t saturatedProduct(std::int64_t a, std::int64_t b)
{
    return checkedMultiply(a, b).value_or(endOf((a < 0) != (b < 0)));
}

/// Returns the sum of one end of the terms' ranges. If a partial sum overflows, the result is unlimited, because the
/// next terms may bring the sum back into 64 bits.
std::int64_t sum(const std::vector<Expr> &terms, std::int64_t Range::*end)
{
    std::optional<std::int64_t> all = 0;
    for (const Expr &term : terms)
        all = all ? checkedAdd(*all, term.range().*end) : std::nullopt;
    return all.value_or(Range().*end);
}

Range product(const Range &a, const Range &b)
{
    const auto [min, max] = std::minmax({saturatedProduct(a.min, b.min), saturatedProduct(a.min, b.max),
                                         saturatedProduct(a.max, b.min), saturatedProduct(a.max, b.max)});
    return {min, max};
}

Range power(const Range &base, std::int64_t exponent)
{
    constexpr std::int64_t longest = 64;
    if (exponent > longest)
        return base.min >= 0 ? Range::size() : Range();
    Range all = Range::only(1);
    for (std::int64_t i = 0; i < exponent; ++i)
        all = product(all, base);
    return exponent % 2 == 0 ? Range{std::max<std::int64_t>(all.min, 0), all.max} : all;
}

std::int64_t rounded(Kind kind, std::int64_t a, std::int64_t b)
{
    const std::int64_t quotient = a / b; // b is always positive here
    if (a % b == 0)
        return quotient;
    return kind == Kind::FloorDivide ? quotient - (a < 0 ? 1 : 0) : quotient + (a > 0 ? 1 : 0);
}

/// Returns the range of a division whose divisor's range is above 0; all integers for other divisors.
Range quotient(Kind kind, const Range &a, const Range &b)
{
    if (b.min < 1)
        return {};
    return {rounded(kind, a.min, a.min >= 0 ? b.max : b.min), rounded(kind, a.max, a.max >= 0 ? b.min : b.max)};
}

Range remainder(const Range &a, const Range &b)
{
    if (b.min < 1)
        return {};
    if (a.min >= 0 && a.max < b.min)
        return a;
    return {0, a.min >= 0 ? std::min(a.max, b.max - 1) : b.max - 1};
}

Range absolute(const Range &a)
{
    if (a.min >= 0)
        return a;
    const auto flipped = [](std::int64_t n) { return n == lowest ? highest : -n; };
    return {a.max < 0 ? flipped(a.max) : 0, std::max(flipped(a.min), a.max)};
}

template <class Combine>
Range combined(const std::vector<Expr> &operands, Combine combine)
{
    Range range = operands.front().range();
    for (auto it = operands.begin() + 1; it != operands.end(); ++it)
        range = combine(range, it->range());
    return range;
}

} // namespace

Range rangeOf(Kind kind, const std::vector<Expr> &o)
{
    switch (kind) {
    case Kind::Add:
        return {sum(o, &Range::min), sum(o, &Range::max)};
    case Kind::Multiply:
        return combined(o, product);
    case Kind::Power:
        return o[1].kind() == Kind::Integer && o[1].integerValue() >= 0 ? power(o[0].range(), o[1].integerValue())
                                                                        : Range();
    case Kind::FloorDivide:
    case Kind::CeilDivide:
        return quotient(kind, o[0].range(), o[1].range());
    case Kind::Modulo:
        return remainder(o[0].range(), o[1].range());
    case Kind::Minimum:
        return combined(
            o, [](const Range &a, const Range &b) { return Range{std::min(a.min, b.min), std::min(a.max, b.max)}; });
    case Kind::Maximum:
        return combined(
            o, [](const Range &a, const Range &b) { return Range{std::max(a.min, b.min), std::max(a.max, b.max)}; });
    case Kind::Absolute:
        return absolute(o[0].range());
    default:
        return kind >= Kind::Equal && kind <= Kind::Not ? Range{0, 1} : Range();
    }
}

} // namespace cutaway::symbolic
