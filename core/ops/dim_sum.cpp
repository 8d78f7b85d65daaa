// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/dim_sum.h"

#include "core/ops/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

constexpr std::size_t mostFormulas = 64;

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
        known->second += count; // at most as many as there are nodes
        return;
    }
    m_formulas.emplace_back(*formula, count);
    if (m_formulas.size() <= mostFormulas)
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
    ir::Dim sum = m_number;
    for (const auto &[formula, count] : m_formulas)
        sum = plus(sum, times(formula, count));
    return sum;
}

} // namespace cutaway::ops
