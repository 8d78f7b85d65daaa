// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_sum.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>

namespace cutaway::ops {

namespace {

constexpr std::size_t maxFormulas = 64;

} // namespace

void DimSum::add(const ir::Dim &dim, std::int64_t count)
{
    const auto *formula = std::get_if<symbolic::Expr>(&dim);
    if (!formula) {
        m_number = plus(m_number, times(dim, count));
        return;
    }
    const auto known = std::ranges::find(m_formulas, *formula, &std::pair<symbolic::Expr, std::int64_t>::first);
    if (known != m_formulas.end()) {
        known->second += count; // cannot overflow: the counts add up to the number of nodes
        return;
    }
    m_formulas.emplace_back(*formula, count);
    if (m_formulas.size() <= maxFormulas)
        return;
    const ir::Dim all = total();
    m_formulas.clear();
    m_number = std::int64_t{0};
    add(all, 1);
}

void DimSum::add(const DimSum &other)
{
    add(other.m_number, 1);
    for (const auto &[formula, count] : other.m_formulas)
        add(formula, count);
}

ir::Dim DimSum::total() const
{
    const auto known = number(m_number);
    if (m_formulas.empty() || !known)
        return m_number;
    // All terms are added in one call: adding them two at a time would sort a longer formula each time.
    std::vector<symbolic::Expr> terms;
    if (*known != 0)
        terms.push_back(symbolic::Expr::integer(*known));
    for (const auto &[formula, count] : m_formulas)
        if (const ir::Dim term = times(formula, count); const auto *expr = std::get_if<symbolic::Expr>(&term))
            terms.push_back(*expr);
        else
            return ir::UnknownDim{};
    if (terms.size() == 1)
        return std::move(terms.front());
    auto sum = symbolic::Expr::make(symbolic::Kind::Add, std::move(terms));
    if (sum.kind() == symbolic::Kind::Float)
        return ir::UnknownDim{};
    return sum.kind() == symbolic::Kind::Integer ? ir::Dim(sum.integerValue()) : ir::Dim(std::move(sum));
}

std::size_t DimSum::hash() const
{
    std::size_t seed = 0;
    boost::hash_combine(seed, number(m_number).value_or(-1));
    for (const auto &[formula, count] : m_formulas) {
        boost::hash_combine(seed, formula.identity());
        boost::hash_combine(seed, count);
    }
    return seed;
}

const ir::Dim &DimTotals::of(const DimSum &sum)
{
    const auto [known, isNew] = m_known.try_emplace(sum);
    if (isNew) {
        known->second = sum.total();
        if (auto *formula = std::get_if<symbolic::Expr>(&known->second))
            *formula = m_formulas.shared(*formula);
    }
    return known->second;
}

} // namespace cutaway::ops
