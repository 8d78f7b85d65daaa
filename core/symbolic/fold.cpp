// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/fold.h"

#include "core/base/checked.h"
#include "core/symbolic/function.h"

#include <algorithm>
#include <cmath>

namespace cutaway::symbolic {

namespace {

using Integer = std::int64_t;
using Constants = std::vector<Expr>;

std::unexpected<Error> failure(std::string message) { return unreadable(std::move(message)); }

Result<Expr> integerOr(std::optional<Integer> n)
{
    return n ? Result<Expr>(Expr::integer(*n)) : failure("a number is out of 64 bits");
}

/// Returns the number as a double, exactly if |n| < 2^53, like Python's float().
double toDouble(const Expr &e)
{
    return e.kind() == Kind::Float ? e.floatValue() : static_cast<double>(e.integerValue());
}

bool allIntegers(const Constants &c)
{
    return std::ranges::none_of(c, [](const Expr &e) { return e.kind() == Kind::Float; });
}

std::optional<Integer> floorDivide(Integer a, Integer b)
{
    if (b == -1)
        return checkedSubtract<Integer>(0, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::optional<Integer> ceilDivide(Integer a, Integer b)
{
    if (b == -1)
        return checkedSubtract<Integer>(0, a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}

Integer modulo(Integer a, Integer b)
{
    if (b == -1)
        return 0;
    const Integer r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

std::optional<Integer> power(Integer base, Integer exponent)
{
    if (base == 0 || base == 1)
        return exponent == 0 ? 1 : base;
    if (base == -1)
        return exponent % 2 == 0 ? 1 : -1;
    std::optional<Integer> r = 1;
    for (; exponent > 0 && r; --exponent) // repeated at most 63 times, because |base| > 1
        r = checkedMultiply(*r, base);
    return r;
}

template <class Step>
Result<Expr> foldIntegers(const Constants &c, Step step)
{
    std::optional<Integer> n = c[0].integerValue();
    for (std::size_t i = 1; i < c.size() && n; ++i)
        n = step(*n, c[i].integerValue());
    return integerOr(n);
}

template <class Step>
Result<Expr> foldFloats(const Constants &c, Step step)
{
    double x = toDouble(c[0]);
    for (std::size_t i = 1; i < c.size(); ++i)
        x = step(x, toDouble(c[i]));
    return Expr::floating(x);
}

Result<Expr> foldPower(const Constants &c)
{
    if (allIntegers(c) && c[1].integerValue() >= 0)
        return integerOr(power(c[0].integerValue(), c[1].integerValue()));
    if (toDouble(c[0]) == 0 && toDouble(c[1]) < 0)
        return failure("division by zero");
    return Expr::floating(std::pow(toDouble(c[0]), toDouble(c[1])));
}

Result<Expr> foldDivision(Kind kind, const Constants &c)
{
    if (toDouble(c[1]) == 0)
        return failure("division by zero");
    if (kind == Kind::TrueDivide)
        return Expr::floating(toDouble(c[0]) / toDouble(c[1]));
    if (allIntegers(c)) {
        const Integer a = c[0].integerValue(), b = c[1].integerValue();
        return kind == Kind::Modulo ? Expr::integer(modulo(a, b))
                                    : integerOr(kind == Kind::FloorDivide ? floorDivide(a, b) : ceilDivide(a, b));
    }
    const double a = toDouble(c[0]), b = toDouble(c[1]);
    if (kind == Kind::Modulo)
        return Expr::floating(a - b * std::floor(a / b));
    return Expr::floating(kind == Kind::FloorDivide ? std::floor(a / b) : std::ceil(a / b));
}

Result<Expr> foldRounding(Kind kind, const Expr &e)
{
    if (e.kind() != Kind::Float)
        return Expr::integer(e.integerValue());
    const double x = e.floatValue();
    // nearbyint rounds halves to even, like Python's round().
    const double rounded = kind == Kind::Floor ? std::floor(x)
        : kind == Kind::Ceiling                ? std::ceil(x)
        : kind == Kind::Truncate               ? std::trunc(x)
                                               : std::nearbyint(x);
    if (!(rounded >= -0x1p63 && rounded < 0x1p63))
        return failure("a number is out of 64 bits");
    return Expr::integer(static_cast<Integer>(rounded));
}

Result<Expr> foldAbsolute(const Expr &e)
{
    if (e.kind() == Kind::Float)
        return Expr::floating(std::fabs(e.floatValue()));
    const Integer n = e.integerValue();
    return integerOr(n < 0 ? checkedSubtract<Integer>(0, n) : std::optional(n));
}

/// Compares two constants; integers are compared exactly.
std::partial_ordering compareNumbers(const Expr &a, const Expr &b)
{
    if (a.kind() != Kind::Float && b.kind() != Kind::Float)
        return a.integerValue() <=> b.integerValue();
    return toDouble(a) <=> toDouble(b);
}

bool holds(Kind kind, std::partial_ordering order)
{
    switch (kind) {
    case Kind::Equal:
        return order == 0;
    case Kind::NotEqual:
        return order != 0;
    case Kind::Less:
        return order < 0;
    case Kind::LessEqual:
        return order <= 0;
    case Kind::Greater:
        return order > 0;
    default:
        return order >= 0;
    }
}

bool boolean(const Expr &e) { return toDouble(e) != 0; }

Expr extreme(Kind kind, const Constants &c)
{
    const auto less = [](const Expr &a, const Expr &b) { return compareNumbers(a, b) < 0; };
    return kind == Kind::Minimum ? *std::ranges::min_element(c, less) : *std::ranges::max_element(c, less);
}

} // namespace

Result<Expr> fold(Kind kind, const Constants &c)
{
    if (isDivision(kind))
        return foldDivision(kind, c);
    if (isExtreme(kind))
        return extreme(kind, c);
    if (isRounding(kind))
        return foldRounding(kind, c[0]);
    if (isComparison(kind))
        return Expr::boolean(holds(kind, compareNumbers(c[0], c[1])));
    switch (kind) {
    case Kind::Add:
        return allIntegers(c) ? foldIntegers(c, checkedAdd<Integer>) : foldFloats(c, std::plus<>());
    case Kind::Multiply:
        return allIntegers(c) ? foldIntegers(c, checkedMultiply<Integer>) : foldFloats(c, std::multiplies<>());
    case Kind::Power:
        return foldPower(c);
    case Kind::Absolute:
        return foldAbsolute(c[0]);
    case Kind::ToFloat:
        return Expr::floating(toDouble(c[0]));
    case Kind::And:
        return Expr::boolean(std::ranges::all_of(c, boolean));
    case Kind::Or:
        return Expr::boolean(std::ranges::any_of(c, boolean));
    case Kind::Not:
        return Expr::boolean(!boolean(c[0]));
    default:
        return failure("a function is not known");
    }
}

} // namespace cutaway::symbolic
