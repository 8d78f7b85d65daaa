// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/node_costs.h"

#include "core/ops/facts/dim_identity.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace cutaway::ops {

namespace {

std::array<const ir::Dim *, 4> figuresOf(const Cost &cost)
{
    return {&cost.flops, &cost.otherFlops, &cost.bytesRead, &cost.bytesWritten};
}

std::size_t hashOf(const Cost &cost)
{
    std::size_t seed = 0;
    for (const ir::Dim *figure : figuresOf(cost))
        combineIdentity(seed, *figure);
    return seed;
}

/// Whether two figures are the same number or formula object: equal formulas in different objects count as different.
bool isSameFigure(const ir::Dim *a, const ir::Dim *b)
{
    const auto *formula = std::get_if<symbolic::Expr>(a);
    const auto *other = std::get_if<symbolic::Expr>(b);
    return formula && other ? formula->identity() == other->identity() : !formula && !other && *a == *b;
}

} // namespace

void NodeCosts::set(std::size_t node, Cost cost)
{
    if (m_kept.size() > 2 * m_places.size() + 1)
        forgetUnused(); // loops set costs again and again, and leave old ones behind
    const auto [known, isNew] = m_byHash.try_emplace(hashOf(cost), static_cast<std::uint32_t>(m_kept.size()));
    if (isNew || !std::ranges::equal(figuresOf(cost), figuresOf(m_kept[known->second]), isSameFigure)) {
        known->second = static_cast<std::uint32_t>(m_kept.size());
        m_kept.push_back(std::move(cost));
    }
    m_places[node] = known->second;
}

void NodeCosts::forgetUnused()
{
    std::vector<Cost> kept;
    std::vector<std::optional<std::uint32_t>> moved(m_kept.size());
    for (std::uint32_t &place : m_places) {
        if (!moved[place]) {
            moved[place] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(std::move(m_kept[place]));
        }
        place = *moved[place];
    }
    m_kept = std::move(kept);
    m_byHash.clear();
    for (std::uint32_t i = 0; i < m_kept.size(); ++i)
        m_byHash.insert_or_assign(hashOf(m_kept[i]), i);
}

} // namespace cutaway::ops
