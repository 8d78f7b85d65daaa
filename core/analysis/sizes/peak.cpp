// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/sizes/peak.h"

#include "core/base/checked.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <functional>
#include <ranges>

// The peak while sizes are formulas. The bytes of a storage are a sum of terms, number * product of symbols; what is
// alive at a step is then a vector of numbers, one per product, and from step to step some are added and some taken
// away. As no product is negative, a step whose numbers are all at most those of another can never be the peak. What is
// left, mostly one step or two, makes the formula: max(4*s0*s1, 8*s0 + 400).

namespace cutaway::analysis {

using symbolic::Expr;
using symbolic::Kind;

namespace {

/// A maximum of more steps than this is too long a formula to be read.
constexpr std::size_t maxCandidates = 64;
/// The limit of products, which no file of an exporter reaches; with more, sizes count as unknown.
constexpr std::size_t maxProducts = 512;

bool isAtMost(const Terms &a, const Terms &b)
{
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        if ((i < a.size() ? a[i] : 0) > (i < b.size() ? b[i] : 0))
            return false;
    return true;
}

} // namespace

const Terms *Products::termsOf(const ir::Dim &bytes)
{
    const auto *formula = std::get_if<Expr>(&bytes);
    std::optional<Terms> *terms = nullptr;
    if (formula) {
        const auto [known, isNew] = m_formulas.try_emplace(formula->identity());
        terms = &known->second;
        if (isNew)
            *terms = split(bytes);
    } else if (const auto n = ops::number(bytes)) {
        const auto [known, isNew] = m_numbers.try_emplace(*n);
        terms = &known->second;
        if (isNew)
            *terms = split(bytes);
    }
    return terms && *terms ? &**terms : nullptr;
}

ir::Dim Products::sum(const Terms &terms)
{
    if (std::ranges::none_of(terms | std::views::drop(1), std::identity()))
        return terms.empty() ? std::int64_t{0} : terms[0];
    const auto [known, isNew] = m_sums.try_emplace(terms);
    if (isNew)
        known->second = total(terms);
    return known->second;
}

/// All terms are added at once, since adding two at a time would sort one more formula each time.
ir::Dim Products::total(const Terms &terms) const
{
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const ir::Dim part = i == 0 ? ir::Dim(terms[0]) : ops::times(terms[i], m_products[i]);
        if (const auto *formula = std::get_if<Expr>(&part))
            parts.push_back(*formula);
        else if (const auto n = ops::number(part); !n)
            return ir::UnknownDim{};
        else if (*n != 0)
            parts.push_back(Expr::integer(*n));
    }
    return parts.size() == 1 ? parts.front() : Expr::make(Kind::Add, std::move(parts));
}

std::optional<Terms> Products::split(const ir::Dim &bytes)
{
    Terms terms;
    m_fits = true;
    if (const auto n = ops::number(bytes))
        add(terms, 0, *n);
    else if (const auto *expr = std::get_if<Expr>(&bytes))
        for (const Expr &term : expr->kind() == Kind::Add ? expr->operands() : std::vector{*expr})
            addTerm(terms, term);
    else
        return std::nullopt;
    return m_fits && m_products.size() <= maxProducts ? std::optional(terms) : std::nullopt;
}

void Products::addTerm(Terms &terms, const Expr &term)
{
    const bool hasNumber = term.kind() == Kind::Multiply && term.operands()[0].kind() == Kind::Integer;
    if (term.kind() == Kind::Integer)
        return add(terms, 0, term.integerValue());
    if (!hasNumber)
        return add(terms, indexOf(term), 1);
    std::vector<Expr> rest(term.operands().begin() + 1, term.operands().end());
    const Expr product = rest.size() == 1 ? rest[0] : Expr::make(Kind::Multiply, std::move(rest));
    add(terms, indexOf(product), term.operands()[0].integerValue());
}

std::size_t Products::indexOf(const Expr &product)
{
    const auto found = std::ranges::find(m_products, product);
    const auto i = found - m_products.begin();
    if (found == m_products.end())
        m_products.push_back(product);
    return static_cast<std::size_t>(i);
}

void Products::add(Terms &terms, std::size_t i, std::int64_t count)
{
    if (terms.size() <= i)
        terms.resize(i + 1, 0);
    // The product may be among the terms already, if its numbers overflowed.
    const auto sum = checkedAdd(terms[i], count);
    m_fits = m_fits && sum;
    terms[i] = sum.value_or(0);
}

bool addTo(Terms &sum, const Terms &terms, std::int64_t sign)
{
    if (sum.size() < terms.size())
        sum.resize(terms.size(), 0);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const auto total = sign > 0 ? checkedAdd(sum[i], terms[i]) : checkedSubtract(sum[i], terms[i]);
        if (!total)
            return false;
        sum[i] = *total;
    }
    return true;
}

void Peak::offer(std::size_t step, const Terms &terms)
{
    const auto outdoes = [&](const Candidate &other) { return isAtMost(terms, other.terms); };
    if (std::ranges::any_of(m_candidates, outdoes))
        return;
    std::erase_if(m_candidates, [&](const Candidate &other) { return isAtMost(other.terms, terms); });
    m_candidates.push_back({step, terms});
}

ir::Dim Peak::bytes(Products &products) const
{
    if (m_candidates.size() > maxCandidates)
        return ir::UnknownDim{};
    ir::Dim largest = std::int64_t{0};
    for (const Candidate &candidate : m_candidates)
        largest = &candidate == &m_candidates.front() ? products.sum(candidate.terms)
                                                      : ops::maximum(largest, products.sum(candidate.terms));
    return largest;
}

std::optional<std::size_t> Peak::step() const
{
    return m_candidates.size() == 1 ? std::optional(m_candidates.front().step) : std::nullopt;
}

} // namespace cutaway::analysis
