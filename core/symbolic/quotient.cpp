// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Quotients and remainders of integers, with a positive divisor. With over = under*whole + rest:
//   over // under = whole + rest // under      over % under = rest % under
// If the rest lies between 0 and the divisor, rest // under is 0. If the divisor is a number n, also
//   (x // m + c) // n = (x + m*c) // (m*n)     (g*x + c) // (g*n) = (x + c // g) // n
//   (x % m) % n = x % n if n divides m         (g*x) % (g*n) = g*(x % n)
// The first of these lines also holds for quotients that are rounded up, if c // g is rounded up, too. A constant
// that n does not divide is not moved, as in the expressions of exporters: (s0 - 1)//2 + 1.

#include "core/base/checked.h"
#include "core/symbolic/rules.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace cutaway::symbolic {

namespace {

constexpr std::int64_t lowestInteger = std::numeric_limits<std::int64_t>::min();

/// A sum of integers, split into its terms and a constant.
struct Linear {
    std::vector<Multiple> terms;
    std::int64_t constant = 0;
};

/// Splits a sum. Returns nothing if the sum of the constants overflows.
std::optional<Linear> linear(const Expr &e)
{
    Linear result;
    for (const Expr &term : e.kind() == Kind::Add ? e.operands() : std::vector{e}) {
        if (!isInteger(term)) {
            result.terms.push_back(multipleInSum(term));
            if (result.terms.back().count == lowestInteger)
                return std::nullopt; // the lowest integer has no absolute value
            continue;
        }
        const auto sum = checkedAdd(result.constant, term.integerValue());
        if (!sum || *sum == lowestInteger)
            return std::nullopt;
        result.constant = *sum;
    }
    return result;
}

Expr made(const Linear &sum)
{
    std::vector<Expr> terms{Expr::integer(sum.constant)};
    for (const auto &[base, count] : sum.terms)
        terms.push_back(Expr::make(Kind::Multiply, {Expr::integer(count), base}));
    return Expr::make(Kind::Add, std::move(terms));
}

std::int64_t roundedQuotient(Kind kind, std::int64_t a, std::int64_t n)
{
    const std::int64_t towardsZero = a / n;
    if (a % n == 0)
        return towardsZero;
    return kind == Kind::CeilDivide ? towardsZero + (a > 0 ? 1 : 0) : towardsZero - (a < 0 ? 1 : 0);
}

/// Returns the greatest common divisor of n and all coefficients of `sum`.
std::int64_t commonDivisor(const Linear &sum, std::int64_t n)
{
    for (const Multiple &term : sum.terms)
        n = std::gcd(n, term.count);
    return n;
}

void divide(Linear &sum, std::int64_t divisor)
{
    for (Multiple &term : sum.terms)
        term.count /= divisor;
}

bool isByNumber(Kind kind, const Expr &e)
{
    return e.kind() == kind && isInteger(e.operands()[1]) && e.operands()[1].integerValue() > 0;
}

// ---- By a number

std::optional<Expr> joinedQuotient(Kind kind, const Linear &over, std::int64_t n)
{
    if (over.terms.size() != 1 || over.terms[0].count != 1 || !isByNumber(kind, over.terms[0].base))
        return std::nullopt;
    const auto &inner = over.terms[0].base.operands();
    const auto both = checkedMultiply(inner[1].integerValue(), n);
    const auto shift = checkedMultiply(inner[1].integerValue(), over.constant);
    if (!both || !shift)
        return std::nullopt;
    return Expr::make(kind, {Expr::make(Kind::Add, {inner[0], Expr::integer(*shift)}), Expr::integer(*both)});
}

std::optional<Expr> splitQuotient(Kind kind, const Linear &over, std::int64_t n)
{
    Linear whole, rest;
    for (const Multiple &term : over.terms)
        (term.count % n == 0 ? whole : rest).terms.push_back(term);
    divide(whole, n);
    if (rest.terms.empty() || over.constant % n == 0)
        whole.constant = roundedQuotient(kind, over.constant, n);
    else
        rest.constant = over.constant;
    if (rest.terms.empty())
        return made(whole);
    const std::int64_t common = commonDivisor(rest, n);
    if (common == 1 && whole.terms.empty() && whole.constant == 0)
        return std::nullopt;
    divide(rest, common);
    rest.constant = roundedQuotient(kind, rest.constant, common);
    return Expr::make(Kind::Add, {made(whole), Expr::make(kind, {made(rest), Expr::integer(n / common)})});
}

std::optional<Expr> quotientByNumber(Kind kind, const Expr &over, std::int64_t n)
{
    const Range &range = over.range();
    const std::int64_t first = roundedQuotient(kind, range.min, n);
    if (first == roundedQuotient(kind, range.max, n) && isTotal(over))
        return Expr::integer(first);
    const auto sum = linear(over);
    if (!sum)
        return std::nullopt;
    const auto joined = joinedQuotient(kind, *sum, n);
    return joined ? joined : splitQuotient(kind, *sum, n);
}

/// Returns the remainder of a sum divided by n, without the terms that n divides; nothing if that is not simpler.
std::optional<Expr> shorterRemainder(const Linear &over, std::int64_t n)
{
    Linear rest{{}, over.constant % n};
    bool isShorter = rest.constant != over.constant;
    for (const auto &[base, count] : over.terms) {
        const bool isNested = isByNumber(Kind::Modulo, base);
        const auto period = isNested ? checkedMultiply(base.operands()[1].integerValue(), count) : std::nullopt;
        const bool isRedundant = period && *period % n == 0;
        isShorter = isShorter || isRedundant || count % n != count;
        if (count % n != 0)
            rest.terms.push_back({isRedundant ? base.operands()[0] : base, count % n});
    }
    if (isShorter)
        return Expr::make(Kind::Modulo, {made(rest), Expr::integer(n)});
    const std::int64_t common = commonDivisor(rest, n);
    if (common == 1 || rest.constant % common != 0)
        return std::nullopt;
    divide(rest, common);
    rest.constant /= common;
    return Expr::make(Kind::Multiply,
                      {Expr::integer(common), Expr::make(Kind::Modulo, {made(rest), Expr::integer(n / common)})});
}

std::optional<Expr> remainderByNumber(const Expr &over, std::int64_t n)
{
    const Range &range = over.range();
    const std::int64_t first = roundedQuotient(Kind::FloorDivide, range.min, n);
    if (first == roundedQuotient(Kind::FloorDivide, range.max, n))
        if (const auto whole = checkedMultiply(-first, n))
            return Expr::make(Kind::Add, {over, Expr::integer(*whole)});
    const auto sum = linear(over);
    return sum ? shorterRemainder(*sum, n) : std::nullopt;
}

// ---- By an expression

struct Factors {
    std::int64_t number = 1;
    std::vector<Multiple> rest;
};

/// Splits a product into its number and its other factors. Returns nothing if it has several numbers.
std::optional<Factors> factorsOf(const Expr &product)
{
    Factors result;
    for (const Expr &factor : product.kind() == Kind::Multiply ? product.operands() : std::vector{product}) {
        if (!isInteger(factor))
            result.rest.push_back(multipleInProduct(factor));
        else if (result.number == 1 && factor.integerValue() != lowestInteger)
            result.number = factor.integerValue();
        else
            return std::nullopt;
    }
    return result;
}

Expr made(const Factors &factors)
{
    std::vector<Expr> all{Expr::integer(factors.number)};
    for (const auto &[base, count] : factors.rest)
        all.push_back(Expr::make(Kind::Power, {base, Expr::integer(count)}));
    return Expr::make(Kind::Multiply, std::move(all));
}

/// Removes the positive factors that both products have, which leaves their quotient as it is. Returns whether there
/// were any.
bool cancel(Factors &a, Factors &b)
{
    bool isShorter = false;
    for (Multiple &factor : b.rest) {
        const auto same = std::ranges::find(a.rest, factor.base, &Multiple::base);
        if (same == a.rest.end() || factor.base.range().min < 1)
            continue;
        const std::int64_t common = std::min(same->count, factor.count);
        same->count -= common;
        factor.count -= common;
        isShorter = isShorter || common > 0;
    }
    const std::int64_t common = a.number == 0 || b.number <= 0 ? 1 : std::gcd(a.number, b.number);
    a.number /= common;
    b.number /= common;
    return isShorter || common > 1;
}

/// Returns term / under if there is no remainder; nothing if that is not known.
std::optional<Expr> exactQuotient(const Expr &term, const Expr &under)
{
    if (term == under)
        return Expr::integer(1);
    auto a = factorsOf(term), b = factorsOf(under);
    if (!a || !b)
        return std::nullopt;
    cancel(*a, *b);
    const bool isOne = b->number == 1 && std::ranges::all_of(b->rest, [](const Multiple &m) { return m.count == 0; });
    return isOne ? std::optional(made(*a)) : std::nullopt;
}

struct Division {
    std::vector<Expr> whole, rest;
};

Division division(const Expr &over, const Expr &under)
{
    Division result;
    for (const Expr &term : over.kind() == Kind::Add ? over.operands() : std::vector{over})
        if (auto quotient = exactQuotient(term, under))
            result.whole.push_back(std::move(*quotient));
        else
            result.rest.push_back(term);
    return result;
}

Expr total(std::vector<Expr> terms)
{
    return terms.empty() ? Expr::integer(0) : Expr::make(Kind::Add, std::move(terms));
}

bool isAtLeast(const Expr &e, std::int64_t least) { return e.range().min >= least; }

/// Returns the quotient of a dividend that is less than one divisor away from zero; nothing if that is not known.
std::optional<Expr> smallQuotient(Kind kind, const Expr &over, const Expr &under)
{
    const std::int64_t ceil = kind == Kind::CeilDivide ? 1 : 0;
    if (isAtLeast(over, ceil) && isAtLeast(difference(under, over), 1 - ceil))
        return Expr::integer(ceil);
    if (over.range().max < ceil && isAtLeast(Expr::make(Kind::Add, {over, under}), ceil))
        return Expr::integer(ceil - 1);
    return std::nullopt;
}

std::optional<Expr> quotientByExpression(Kind kind, const Expr &over, const Expr &under)
{
    if (isTotal(over) && isTotal(under))
        if (auto small = smallQuotient(kind, over, under))
            return small;
    Division parts = division(over, under);
    if (!parts.whole.empty()) {
        if (!parts.rest.empty())
            parts.whole.push_back(Expr::make(kind, {total(std::move(parts.rest)), under}));
        return total(std::move(parts.whole));
    }
    auto a = over.kind() == Kind::Add ? std::nullopt : factorsOf(over), b = factorsOf(under);
    return a && b && cancel(*a, *b) ? std::optional(Expr::make(kind, {made(*a), made(*b)})) : std::nullopt;
}

std::optional<Expr> remainderByExpression(const Expr &over, const Expr &under)
{
    if (isAtLeast(over, 0) && isAtLeast(difference(under, over), 1))
        return over;
    Division parts = division(over, under);
    return parts.whole.empty() ? std::nullopt
                               : std::optional(Expr::make(Kind::Modulo, {total(std::move(parts.rest)), under}));
}

/// Whether dividend and divisor are integers, and the divisor is positive.
bool isSimple(const Expr &over, const Expr &under)
{
    return over.isIntegral() && under.isIntegral() && under.range().min >= 1;
}

} // namespace

Expr makeQuotient(Kind kind, const Expr &over, const Expr &under)
{
    if (!isSimple(over, under))
        return makeTree(kind, {over, under});
    if (isInteger(under, 1))
        return over;
    const auto shorter =
        isInteger(under) ? quotientByNumber(kind, over, under.integerValue()) : quotientByExpression(kind, over, under);
    return shorter ? *shorter : makeTree(kind, {over, under});
}

Expr makeRemainder(const Expr &over, const Expr &under)
{
    if (!isSimple(over, under))
        return makeTree(Kind::Modulo, {over, under});
    const auto shorter =
        isInteger(under) ? remainderByNumber(over, under.integerValue()) : remainderByExpression(over, under);
    return shorter ? *shorter : makeTree(Kind::Modulo, {over, under});
}

} // namespace cutaway::symbolic
