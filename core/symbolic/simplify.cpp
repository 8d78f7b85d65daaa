// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Expr::make(): the light normal form.
//
// Two properties of an expression decide what may be done to it:
//   integral   it cannot be a float: such sums may be reordered and regrouped. (A symbol counts as an integer.)
//   total      integral, and it has a value for all values of its symbols: x - x may become 0.
// A sum becomes  c1*r1 + c2*r2 + … + constant  with the r ordered and distinct, a product  constant * b1**n1 * b2**n2 *
// … likewise. Where an integer would overflow, several constants or equal terms remain. Operands that may be floats are
// left in their order. make() is idempotent: applied to the operands of its result it gives the same expression, which
// print() and parse() rely on. What is known of ranges only ever shortens: of s0 // s0 and max(1, s0) with s0 at least
// 1 remain 1 and s0. Divisions are in quotient.cpp. Not done here: distribution.

#include "core/base/checked.h"
#include "core/symbolic/fold.h"
#include "core/symbolic/function.h"
#include "core/symbolic/rules.h"

#include <algorithm>
#include <cassert>

namespace cutaway::symbolic {

namespace {

using Operands = std::vector<Expr>;

bool isBoolean(const Expr &e)
{
    return e.kind() == Kind::Boolean || (e.kind() >= Kind::Equal && e.kind() <= Kind::Not);
}

bool isNaturalPower(const Expr &e)
{
    return e.kind() == Kind::Power && isInteger(e.operands()[1]) && e.operands()[1].integerValue() >= 0;
}

} // namespace

bool isInteger(const Expr &e) { return e.kind() == Kind::Integer; }

bool isInteger(const Expr &e, std::int64_t n) { return isInteger(e) && e.integerValue() == n; }

bool isTotal(const Expr &e)
{
    switch (e.kind()) {
    case Kind::Integer:
    case Kind::Boolean:
    case Kind::Symbol:
        return true;
    case Kind::FloorDivide:
    case Kind::CeilDivide:
    case Kind::Modulo:
        return (e.operands()[1].range().min > 0 || e.operands()[1].range().max < 0)
            && std::ranges::all_of(e.operands(), isTotal);
    case Kind::Add:
    case Kind::Multiply:
    case Kind::Minimum:
    case Kind::Maximum:
    case Kind::Absolute:
        return std::ranges::all_of(e.operands(), isTotal);
    default:
        return isNaturalPower(e) && isTotal(e.operands()[0]);
    }
}

namespace {

bool less(const Expr &a, const Expr &b) { return compare(a, b) < 0; }

void append(Operands &out, const Operands &more) { out.insert(out.end(), more.begin(), more.end()); }

/// Replaces operands of this kind by their operands: `all` of them, or only the first one, which keeps the order of
/// evaluation.
Operands flattened(Kind kind, Operands operands, bool all)
{
    Operands out;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i].kind() == kind && (all || i == 0))
            append(out, operands[i].operands());
        else
            out.push_back(std::move(operands[i]));
    return out;
}

using Combine = std::optional<std::int64_t> (*)(std::int64_t, std::int64_t);

/// Combines the numbers, smallest first, where that does not overflow; no two neighbours in the result can be combined.
/// This also holds for each prefix of the result, so that parsing its text, which combines prefixes, gives the same
/// numbers.
std::vector<std::int64_t> combined(std::vector<std::int64_t> numbers, Combine combine)
{
    for (std::size_t before = 0; before != numbers.size();) {
        before = numbers.size();
        std::ranges::sort(numbers);
        std::vector<std::int64_t> out;
        for (const std::int64_t n : numbers)
            if (const auto both = out.empty() ? std::nullopt : combine(out.back(), n))
                out.back() = *both;
            else
                out.push_back(n);
        numbers = std::move(out);
    }
    return numbers;
}

/// Removes the integers from `operands` and returns them combined into one, or into several if one overflows.
Operands takeIntegers(Operands &operands, Combine combine)
{
    std::vector<std::int64_t> integers;
    for (const Expr &e : operands)
        if (isInteger(e))
            integers.push_back(e.integerValue());
    std::erase_if(operands, [](const Expr &e) { return isInteger(e); });
    Operands out;
    std::ranges::transform(combined(std::move(integers), combine), std::back_inserter(out), Expr::integer);
    return out;
}

} // namespace

Multiple multipleInSum(const Expr &term)
{
    if (term.kind() != Kind::Multiply || !isInteger(term.operands()[0]) || isInteger(term.operands()[1]))
        return {term, 1};
    Operands rest(term.operands().begin() + 1, term.operands().end());
    return {rest.size() == 1 ? rest[0] : makeTree(Kind::Multiply, std::move(rest)), term.operands()[0].integerValue()};
}

Multiple multipleInProduct(const Expr &factor)
{
    if (isNaturalPower(factor))
        return {factor.operands()[0], factor.operands()[1].integerValue()};
    return {factor, 1};
}

Expr difference(const Expr &a, const Expr &b)
{
    Operands terms{a};
    for (const Expr &term : b.kind() == Kind::Add ? b.operands() : Operands{b})
        terms.push_back(Expr::make(Kind::Multiply, {Expr::integer(-1), term}));
    return Expr::make(Kind::Add, std::move(terms));
}

namespace {

/// Merges neighbours with equal bases, and adds their counts unless that overflows.
std::vector<Multiple> collected(std::vector<Multiple> multiples)
{
    std::ranges::stable_sort(multiples, less, &Multiple::base);
    std::vector<Multiple> out;
    for (auto first = multiples.begin(); first != multiples.end();) {
        const auto end = std::find_if(first, multiples.end(), [&](const Multiple &m) { return m.base != first->base; });
        std::vector<std::int64_t> counts;
        std::ranges::transform(first, end, std::back_inserter(counts), &Multiple::count);
        for (const std::int64_t count : combined(std::move(counts), checkedAdd<std::int64_t>))
            out.push_back({first->base, count});
        first = end;
    }
    return out;
}

Expr single(Kind kind, Operands operands, std::int64_t neutral)
{
    if (operands.empty())
        return Expr::integer(neutral);
    return operands.size() == 1 ? operands[0] : makeTree(kind, std::move(operands));
}

Expr makeSum(Operands terms)
{
    terms = flattened(Kind::Add, std::move(terms), true);
    Operands constants = takeIntegers(terms, checkedAdd<std::int64_t>);
    std::vector<Multiple> multiples;
    std::ranges::transform(terms, std::back_inserter(multiples), multipleInSum);
    Operands out;
    bool nested = false; // 3*(a + b) - 2*(a + b) results in a sum within the sum
    for (const Multiple &m : collected(std::move(multiples))) {
        if (m.count == 0 && isTotal(m.base))
            continue;
        out.push_back(m.count == 1 ? m.base : Expr::make(Kind::Multiply, {Expr::integer(m.count), m.base}));
        nested = nested || out.back().kind() == Kind::Add;
    }
    std::erase_if(constants, [](const Expr &e) { return isInteger(e, 0); });
    append(out, constants);
    return nested && out.size() > 1 ? makeSum(std::move(out)) : single(Kind::Add, std::move(out), 0);
}

Expr makeProduct(Operands factors)
{
    factors = flattened(Kind::Multiply, std::move(factors), true);
    Operands out = takeIntegers(factors, checkedMultiply<std::int64_t>);
    if (std::ranges::any_of(out, [](const Expr &e) { return isInteger(e, 0); })
        && std::ranges::all_of(factors, isTotal))
        return Expr::integer(0);
    std::erase_if(out, [](const Expr &e) { return isInteger(e, 1); });
    std::vector<Multiple> multiples;
    std::ranges::transform(factors, std::back_inserter(multiples), multipleInProduct);
    for (const Multiple &m : collected(std::move(multiples)))
        out.push_back(m.count == 1 ? m.base : makeTree(Kind::Power, {m.base, Expr::integer(m.count)}));
    return single(Kind::Multiply, std::move(out), 1);
}

std::optional<std::int64_t> lesser(std::int64_t a, std::int64_t b) { return std::min(a, b); }
std::optional<std::int64_t> greater(std::int64_t a, std::int64_t b) { return std::max(a, b); }

bool mentions(const Expr &e, const Expr &symbol)
{
    return e == symbol
        || std::ranges::any_of(e.operands(), [&](const Expr &operand) { return mentions(operand, symbol); });
}

/// Whether any symbol occurs in both expressions: only then can their difference have a narrower range than their two
/// ranges imply.
bool haveCommonSymbol(const Expr &a, const Expr &b)
{
    if (a.kind() == Kind::Symbol)
        return mentions(b, a);
    return std::ranges::any_of(a.operands(), [&](const Expr &operand) { return haveCommonSymbol(operand, b); });
}

/// Returns true if a >= b for all values, false if a <= b for all values; nothing if neither is known to hold.
std::optional<bool> isFirstLarger(const Expr &a, const Expr &b)
{
    if (!isTotal(a) || !isTotal(b))
        return std::nullopt;
    if (a.range().min >= b.range().max || b.range().min >= a.range().max)
        return a.range().min >= b.range().max;
    if (!haveCommonSymbol(a, b))
        return std::nullopt;
    const Expr gap = difference(a, b);
    return gap.range().min >= 0 ? std::optional(true) : gap.range().max <= 0 ? std::optional(false) : std::nullopt;
}

/// Removes operands of a minimum or maximum that never decide it, as another is always smaller or larger.
void removeUndecisive(Kind kind, Operands &operands)
{
    constexpr std::size_t maxCompared = 8; // every operand is compared with every other one
    if (operands.size() > maxCompared)
        return;
    for (std::size_t i = 0; i < operands.size();) {
        std::size_t k = i + 1;
        std::optional<bool> isLarger;
        while (k < operands.size() && !(isLarger = isFirstLarger(operands[i], operands[k])))
            ++k;
        if (isLarger)
            operands.erase(operands.begin()
                           + static_cast<std::ptrdiff_t>(*isLarger == (kind == Kind::Maximum) ? k : i));
        else
            ++i;
    }
}

Expr makeExtreme(Kind kind, Operands operands)
{
    operands = flattened(kind, std::move(operands), true);
    Operands out = takeIntegers(operands, kind == Kind::Minimum ? lesser : greater);
    append(out, operands);
    std::ranges::sort(out, less);
    const auto repeated = std::ranges::unique(out);
    out.erase(repeated.begin(), repeated.end());
    removeUndecisive(kind, out);
    return out.size() == 1 ? out[0] : makeTree(kind, std::move(out));
}

Expr makeAbsolute(Operands o)
{
    if (o[0].isIntegral() && o[0].range().min >= 0)
        return o[0];
    return makeTree(Kind::Absolute, std::move(o));
}

/// Folds a comparison that has the same result for every order of its operands that their ranges allow.
Expr makeComparison(Kind kind, Operands o)
{
    if (!std::ranges::all_of(o, isTotal))
        return makeTree(kind, std::move(o));
    const Range &a = o[0].range(), &b = o[1].range();
    const std::pair<std::int64_t, bool> orders[] = {
        {-1, a.min < b.max}, {0, a.min <= b.max && b.min <= a.max}, {1, b.min < a.max}};
    bool mayHold = false, mayFail = false;
    for (const auto &[order, isPossible] : orders) {
        const bool holds = fold(kind, {Expr::integer(order), Expr::integer(0)})->integerValue() != 0;
        mayHold = mayHold || (isPossible && holds);
        mayFail = mayFail || (isPossible && !holds);
    }
    return mayHold == mayFail ? makeTree(kind, std::move(o)) : Expr::boolean(mayHold);
}

Expr makePower(Operands o)
{
    if (isInteger(o[1], 1))
        return o[0];
    if (isInteger(o[1], 0) && isTotal(o[0]))
        return Expr::integer(1);
    return makeTree(Kind::Power, std::move(o));
}

/// floor(a / b) of integers becomes a // b, which is exact; the quotient would be rounded.
Expr makeRounding(Kind kind, Operands o)
{
    if (o[0].isIntegral())
        return o[0];
    if (o[0].kind() == Kind::TrueDivide && kind <= Kind::Ceiling
        && std::ranges::all_of(o[0].operands(), &Expr::isIntegral))
        return Expr::make(kind == Kind::Floor ? Kind::FloorDivide : Kind::CeilDivide, o[0].operands());
    return makeTree(kind, std::move(o));
}

Expr makeConnective(Kind kind, Operands operands)
{
    operands = flattened(kind, std::move(operands), true);
    Expr neutral = Expr::boolean(kind == Kind::And);
    Expr decisive = Expr::boolean(kind == Kind::Or);
    if (std::ranges::contains(operands, decisive))
        return decisive;
    std::erase(operands, neutral);
    if (operands.empty())
        return neutral;
    // `True and n` is the Boolean n != 0, not n.
    return operands.size() == 1 && isBoolean(operands[0]) ? operands[0] : makeTree(kind, std::move(operands));
}

/// Keeps the operands as they are: their order and grouping decide the rounding.
Expr makeFloating(Kind kind, Operands operands)
{
    operands = flattened(kind, std::move(operands), false);
    return operands.size() == 1 ? operands[0] : makeTree(kind, std::move(operands));
}

/// Returns a Boolean as 0 or 1, as in arithmetic.
Expr numeric(const Expr &e) { return e.kind() == Kind::Boolean ? Expr::integer(e.integerValue()) : e; }

/// The function that makes the normal form of the kinds from `first` to `last`.
struct Rule {
    Kind first, last;
    Expr (*make)(Kind kind, Operands operands);
};

/// The kinds without a rule are kept as they are.
constexpr Rule rules[] = {
    {Kind::Add, Kind::Add, [](Kind, Operands o) { return makeSum(std::move(o)); }},
    {Kind::Multiply, Kind::Multiply, [](Kind, Operands o) { return makeProduct(std::move(o)); }},
    {Kind::Power, Kind::Power, [](Kind, Operands o) { return makePower(std::move(o)); }},
    {Kind::FloorDivide, Kind::CeilDivide, [](Kind kind, Operands o) { return makeQuotient(kind, o[0], o[1]); }},
    {Kind::Modulo, Kind::Modulo, [](Kind, Operands o) { return makeRemainder(o[0], o[1]); }},
    {Kind::Minimum, Kind::Maximum, makeExtreme},
    {Kind::Absolute, Kind::Absolute, [](Kind, Operands o) { return makeAbsolute(std::move(o)); }},
    {Kind::Floor, Kind::Round, makeRounding},
    {Kind::Equal, Kind::GreaterEqual, makeComparison},
    {Kind::And, Kind::Or, makeConnective},
};

} // namespace

Expr Expr::make(Kind kind, std::vector<Expr> operands)
{
    assert(kind >= Kind::Add && kind != Kind::Call && arityOf(kind).holds(operands.size()));
    // A quotient of constants is not folded, so that 1/3 * s0 stays exact until it is evaluated.
    if (kind != Kind::TrueDivide && std::ranges::all_of(operands, &Expr::isConstant))
        if (auto constant = fold(kind, operands))
            return *constant;
    const bool isSumOrProduct = kind == Kind::Add || kind == Kind::Multiply;
    if (isSumOrProduct)
        std::ranges::transform(operands, operands.begin(), numeric);
    if ((isSumOrProduct || isExtreme(kind)) && !std::ranges::all_of(operands, &Expr::isIntegral))
        return makeFloating(kind, std::move(operands));
    const auto *rule = std::ranges::find_if(rules, [&](const Rule &r) { return r.first <= kind && kind <= r.last; });
    return rule == std::end(rules) ? makeTree(kind, std::move(operands)) : rule->make(kind, std::move(operands));
}

} // namespace cutaway::symbolic
