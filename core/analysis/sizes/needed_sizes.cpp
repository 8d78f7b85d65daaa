// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/sizes/needed_sizes.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

// A need of one symbol is an inequality of a formula with a number. Where the formula grows with the symbol, which its
// form shows, the first value that meets the need is found by bisection; an equation is two inequalities. A formula
// that does not certainly grow narrows nothing. Needs of several symbols narrow nothing either.

namespace cutaway::analysis {

namespace {

using symbolic::Expr;
using symbolic::Kind;
using symbolic::Range;
using Need = ops::SizeNeed;

/// The largest value that is tried: no tensor has more elements along one dimension, and formulas of such a value
/// rarely overflow.
constexpr std::int64_t largestSize = std::int64_t{1} << 31;
/// The number of values that are tried one by one for sizes that have to divide.
constexpr std::int64_t maxTried = 4096;
/// Sizes that many numbers divide: two formulas that are equal wherever their divisions have no remainder are equal for
/// these sizes.
constexpr std::array<std::int64_t, 3> samples{2 * 5040, 3 * 5040, 7 * 5040};

std::set<std::string> symbolsOf(const Need &need)
{
    std::set<std::string> names;
    for (const ir::Dim *dim : {&need.a, &need.b})
        if (const auto *expr = std::get_if<Expr>(dim))
            names.merge(symbolic::symbolsOf(*expr));
    return names;
}

std::optional<std::int64_t> valueOf(const ir::Dim &dim, const symbolic::Bindings &bindings)
{
    const auto *expr = std::get_if<Expr>(&dim);
    if (!expr)
        return ops::number(dim);
    const auto value = symbolic::substitute(*expr, bindings);
    return value && value->kind() == Kind::Integer ? std::optional(value->integerValue()) : std::nullopt;
}

bool isMet(const Need &need, const symbolic::Bindings &bindings)
{
    const auto a = valueOf(need.a, bindings), b = valueOf(need.b, bindings);
    if (!a || !b)
        return false;
    switch (need.kind) {
    case Need::Kind::Equal:
        return *a == *b;
    case Need::Kind::Fitting:
        return *a == *b || *a == 1 || *b == 1;
    case Need::Kind::AtLeast:
        return *a >= *b;
    case Need::Kind::Multiple:
        return *b != 0 && *a % *b == 0;
    }
    return false;
}

bool isNeverNegative(const Expr &e) { return e.range().min >= 0; }

bool isPositiveNumber(const Expr &e) { return e.kind() == Kind::Integer && e.integerValue() > 0; }

/// Whether a product is a positive number times a formula.
bool isMultiple(const std::vector<Expr> &factors) { return factors.size() == 2 && isPositiveNumber(factors[0]); }

/// Whether the formula of one symbol, which carries its range, never falls while the symbol grows.
bool grows(const Expr &expr)
{
    const auto &parts = expr.operands();
    switch (expr.kind()) {
    case Kind::Integer:
    case Kind::Symbol:
        return true;
    case Kind::Add:
    case Kind::Minimum:
    case Kind::Maximum:
        return std::ranges::all_of(parts, grows);
    case Kind::Multiply:
        return std::ranges::all_of(parts, grows) && (std::ranges::all_of(parts, isNeverNegative) || isMultiple(parts));
    case Kind::Power:
        return isPositiveNumber(parts[1]) && grows(parts[0]) && isNeverNegative(parts[0]);
    case Kind::FloorDivide:
    case Kind::CeilDivide:
        return grows(parts[0]) && isPositiveNumber(parts[1]);
    default:
        return false;
    }
}

/// A formula of one symbol.
class Curve {
public:
    Curve(const std::string &symbol, const Expr &formula, const Range &range)
        : m_symbol(symbol),
          m_formula(symbolic::replace(formula, {{symbol, Expr::symbol(symbol, range)}})),
          m_range{range.min, std::min(range.max, largestSize)}
    {
    }

    bool isGrowing() const { return m_formula && grows(*m_formula); }
    /// Returns the first value of the range at which the formula is at least `least`; nothing if there is none.
    std::optional<std::int64_t> firstAt(std::int64_t least) const
    {
        std::int64_t low = m_range.min, high = m_range.max;
        if (low > high || at(high) < least)
            return std::nullopt;
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            at(middle) >= least ? void(high = middle) : void(low = middle + 1);
        }
        return low;
    }

private:
    /// Returns the value of the formula; a very large one if the formula overflows.
    std::int64_t at(std::int64_t value) const
    {
        const auto found = symbolic::substitute(*m_formula, {{m_symbol, value}});
        return found && found->kind() == Kind::Integer ? found->integerValue()
                                                       : std::numeric_limits<std::int64_t>::max();
    }

    const std::string &m_symbol;
    Result<Expr> m_formula;
    Range m_range;
};

/// Whether some value of the range may make the size 1.
bool mayBeOne(const std::string &name, const ir::Dim &size, const Range &range)
{
    const auto *formula = std::get_if<Expr>(&size);
    if (!formula || formula->range().min > 1)
        return false;
    const Curve curve(name, *formula, range);
    if (!curve.isGrowing())
        return true;
    const auto first = curve.firstAt(1);
    return first && first != curve.firstAt(2);
}

std::string printed(const ir::Dim &dim) { return sanitized(ir::print(dim)); }

} // namespace

bool isDifferentFormula(const Expr &a, const Expr &b)
{
    std::set<std::string> names = symbolic::symbolsOf(a);
    names.merge(symbolic::symbolsOf(b));
    return std::ranges::any_of(samples, [&](std::int64_t sample) {
        symbolic::Bindings bindings;
        for (const std::string &name : names)
            bindings.emplace(name, sample + 5040 * static_cast<std::int64_t>(bindings.size()));
        const auto x = valueOf(a, bindings), y = valueOf(b, bindings);
        return x && y && *x != *y;
    });
}

NeededSizes::NeededSizes(const ir::Model &model, const Shapes &shapes)
{
    Messages messages;
    for (const ir::Symbol &symbol : model.symbols) {
        const Range file{symbol.min.value_or(0), symbol.max.value_or(Range().max)};
        m_symbols.emplace(symbol.name, Known{file, file, {}});
    }
    for (const NodeNeed &need : shapes.needs) {
        const std::set<std::string> names = symbolsOf(need.need);
        const auto isOfFile = [this](const std::string &name) { return m_symbols.contains(name); };
        if (names.size() == 1 && isOfFile(*names.begin()))
            if (auto &known = m_symbols.find(*names.begin())->second.needs;
                !std::ranges::contains(known, need.need, &NodeNeed::need))
                known.push_back(need);
        const bool isEquality = need.need.kind == Need::Kind::Fitting || need.need.kind == Need::Kind::Equal;
        const bool isOfOne = names.size() < 2 && need.need.kind == Need::Kind::Equal; // narrow() handles these
        if (isEquality && !isOfOne && std::ranges::all_of(names, isOfFile))
            addUnequal(need, messages);
    }
    for (auto &[name, symbol] : m_symbols)
        narrow(name, symbol);
}

/// Adds a finding for two different formulas that have to be equal, or that are broadcast although either of them may
/// be 1, where the rule has taken the first one.
void NeededSizes::addUnequal(const NodeNeed &need, Messages &messages)
{
    const auto *a = std::get_if<Expr>(&need.need.a), *b = std::get_if<Expr>(&need.need.b);
    const bool isBroadcast = need.need.kind == Need::Kind::Fitting;
    if (!a || !b || (isBroadcast && (a->range().min > 1 || b->range().min > 1)))
        return;
    std::string message = !isBroadcast ? formatted("{} and {} have to be equal", printed(*a), printed(*b))
        : ops::isDifferent(*a, *b)
        ? formatted("one of {} and {} has to be 1: they are broadcast, and never equal", printed(*a), printed(*b))
        : formatted("{} and {} are taken to be equal, or one of them to be 1: they are broadcast", printed(*a),
                    printed(*b));
    if (isDifferentFormula(*a, *b) && messages.insert(message).second)
        m_findings.push_back({need.node, std::move(message), true});
}

/// Narrows the range of a symbol by all of its needs. Lower bounds come first, since with them more formulas are known
/// to grow.
void NeededSizes::narrow(const std::string &name, Known &symbol)
{
    for (const bool isEquation : {false, true})
        for (const auto &[node, need] : symbol.needs) {
            const bool isEqual = need.kind == Need::Kind::Equal || need.kind == Need::Kind::Fitting;
            if (isEqual != isEquation || need.kind == Need::Kind::Multiple)
                continue;
            const bool wasOpen = symbol.needed.min < symbol.needed.max;
            const bool isPossible = narrow(name, symbol, need);
            if (isEquation && wasOpen && (!isPossible || symbol.needed.min == symbol.needed.max)) {
                const std::string has = formatted("{} has to be {}", printed(need.a), printed(need.b));
                m_findings.push_back(
                    {node,
                     isPossible ? formatted("only {} = {} works: {}", sanitized(name), grouped(symbol.needed.min), has)
                                : formatted("no {} works: {}", sanitized(name), has),
                     false});
                if (!isPossible)
                    return;
            }
        }
}

/// Narrows the range of the symbol by one need. Returns false if it finds that no value of the range meets the need.
bool NeededSizes::narrow(const std::string &name, Known &symbol, const Need &need) const
{
    const ir::Dim difference = ops::minus(need.a, need.b);
    const auto *formula = std::get_if<Expr>(&difference);
    if (!formula)
        return true;
    const Curve curve(name, *formula, symbol.needed);
    if (!curve.isGrowing()) {
        const ir::Dim opposite = ops::minus(need.b, need.a);
        const auto *other = need.kind == Need::Kind::AtLeast ? nullptr : std::get_if<Expr>(&opposite);
        if (!other || !Curve(name, *other, symbol.needed).isGrowing())
            return true;
        return narrow(name, symbol, {need.kind, need.b, need.a});
    }
    const auto first = curve.firstAt(0);
    if (need.kind == Need::Kind::AtLeast) {
        symbol.needed.min = first.value_or(symbol.needed.min);
        return true;
    }
    if (need.kind == Need::Kind::Fitting
        && (mayBeOne(name, need.a, symbol.needed) || mayBeOne(name, need.b, symbol.needed)))
        return true; // a size of 1 fits, too
    const auto behind = curve.firstAt(1);
    if (!first || first == behind)
        return false;
    symbol.needed = {*first, behind ? *behind - 1 : symbol.needed.max};
    return true;
}

Range NeededSizes::rangeOf(const std::string &name) const
{
    const auto found = m_symbols.find(name);
    return found == m_symbols.end() ? Range::size() : found->second.needed;
}

std::string NeededSizes::textOf(const ir::Symbol &symbol) const
{
    const auto found = m_symbols.find(symbol.name);
    if (found == m_symbols.end())
        return {};
    const auto &[file, needed, needs] = found->second;
    const bool isHigher = needed.min > std::max<std::int64_t>(file.min, 1), isLower = needed.max < file.max;
    if (needed.min == needed.max && (isHigher || isLower))
        return grouped(needed.min);
    if (isHigher && isLower)
        return formatted("{} to {}", grouped(needed.min), grouped(needed.max));
    return isHigher ? "at least " + grouped(needed.min) : isLower ? "at most " + grouped(needed.max) : "";
}

std::int64_t NeededSizes::suitable(const std::string &name, std::int64_t wanted) const
{
    const auto found = m_symbols.find(name);
    if (found == m_symbols.end())
        return wanted;
    const Known &symbol = found->second;
    const std::int64_t start = std::clamp(wanted, symbol.needed.min, std::max(symbol.needed.min, symbol.needed.max));
    const auto suits = [&](std::int64_t value) {
        return value >= symbol.needed.min && value <= symbol.needed.max
            && std::ranges::all_of(symbol.needs,
                                   [&](const NodeNeed &need) { return isMet(need.need, {{name, value}}); });
    };
    for (std::int64_t step = 0; step < maxTried; ++step)
        if (start <= largestSize && suits(start + step))
            return start + step;
    for (std::int64_t step = 1; step < maxTried && step <= start; ++step)
        if (suits(start - step))
            return start - step;
    return start;
}

} // namespace cutaway::analysis
