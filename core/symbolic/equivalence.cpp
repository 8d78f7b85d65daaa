// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Two expressions are compared in a form that is longer than that of make() and shows more equalities: products of
// sums become sums of products, there is only one kind of division, and the constant in a dividend lies between zero
// and the divisor:
//   ceildiv(x, n) = (x + n - 1)//n     x % n = x - n*(x//n)     (x + q*n + r)//n = (x + r)//n + q
// The expressions are equal if their difference is 0 in this form.

#include "core/symbolic/equivalence.h"

#include "core/symbolic/rules.h"

#include <algorithm>

namespace cutaway::symbolic {

namespace {

constexpr std::size_t maxTerms = 64; // multiplying sums multiplies their numbers of terms

Expr canonical(const Expr &e);

std::vector<Expr> termsOf(const Expr &e) { return e.kind() == Kind::Add ? e.operands() : std::vector{e}; }

std::vector<Expr> factorsOfProduct(const Expr &e) { return e.kind() == Kind::Multiply ? e.operands() : std::vector{e}; }

/// Replaces powers by their factors, if these are few.
std::vector<Expr> factorsIn(const std::vector<Expr> &factors)
{
    std::vector<Expr> all;
    for (const Expr &factor : factors) {
        const auto [base, count] = multipleInProduct(factor);
        if (base.kind() == Kind::Add && count <= 4)
            all.insert(all.end(), static_cast<std::size_t>(count), base);
        else
            all.push_back(factor);
    }
    return all;
}

Expr multipliedOut(const std::vector<Expr> &factors)
{
    std::vector<Expr> sum{Expr::integer(1)};
    for (const Expr &factor : factorsIn(factors)) {
        const std::vector<Expr> terms = termsOf(factor);
        if (sum.size() * terms.size() > maxTerms)
            return Expr::make(Kind::Multiply, factors);
        std::vector<Expr> next;
        for (const Expr &a : sum)
            for (const Expr &b : terms)
                next.push_back(Expr::make(Kind::Multiply, {a, b}));
        sum = std::move(next);
    }
    return Expr::make(Kind::Add, std::move(sum));
}

/// Makes a floor division by an expression that is always positive.
Expr canonicalQuotient(const Expr &over, const Expr &under)
{
    std::vector<Expr> terms = termsOf(over);
    const auto last = std::ranges::find_if(terms, [](const Expr &e) { return isInteger(e); });
    if (!isInteger(under) || last == terms.end() || terms.size() == 1)
        return Expr::make(Kind::FloorDivide, {over, under});
    const Expr constant = std::move(*last);
    terms.erase(last);
    terms.push_back(Expr::make(Kind::Modulo, {constant, under}));
    return Expr::make(Kind::Add,
                      {Expr::make(Kind::FloorDivide, {Expr::make(Kind::Add, std::move(terms)), under}),
                       Expr::make(Kind::FloorDivide, {constant, under})});
}

Expr canonical(const Expr &e)
{
    if (e.operands().empty())
        return e;
    std::vector<Expr> o;
    std::ranges::transform(e.operands(), std::back_inserter(o), canonical);
    const bool isDivision = o.size() == 2 && o[0].isIntegral() && o[1].isIntegral() && o[1].range().min >= 1;
    switch (e.kind()) {
    case Kind::Call:
        return e;
    case Kind::Multiply:
    case Kind::Power:
        return e.isIntegral() ? multipliedOut(factorsOfProduct(Expr::make(e.kind(), std::move(o)))) : e;
    case Kind::CeilDivide:
        if (isDivision)
            return canonicalQuotient(Expr::make(Kind::Add, {o[0], o[1], Expr::integer(-1)}), o[1]);
        break;
    case Kind::FloorDivide:
        if (isDivision)
            return canonicalQuotient(o[0], o[1]);
        break;
    case Kind::Modulo:
        if (isDivision)
            return Expr::make(Kind::Add,
                              {o[0], multipliedOut({Expr::integer(-1), o[1], canonicalQuotient(o[0], o[1])})});
        break;
    default:
        break;
    }
    return Expr::make(e.kind(), std::move(o));
}

} // namespace

bool isProvablyEqual(const Expr &a, const Expr &b)
{
    return a == b || (a.isIntegral() && b.isIntegral() && isInteger(difference(canonical(a), canonical(b)), 0));
}

} // namespace cutaway::symbolic
