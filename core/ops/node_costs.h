// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cutaway::ops {

/// Costs by NodeId. Equal ones made of the same formulas, of which a network of equal blocks has many, are kept once.
class NodeCosts {
public:
    NodeCosts() = default;
    /// All nothing.
    explicit NodeCosts(std::size_t nodes) : m_places(nodes) { }

    std::size_t size() const { return m_places.size(); }
    /// Valid until the next set().
    const Cost &operator[](std::size_t node) const { return m_kept[m_places[node]]; }
    void set(std::size_t node, Cost cost);

    /// Those that are kept, some of which may be no node's any more; to be changed for all nodes that have them.
    std::span<const Cost> kept() const { return m_kept; }
    std::span<Cost> kept() { return m_kept; }
    /// In kept().
    std::size_t placeOf(std::size_t node) const { return m_places[node]; }

private:
    void forgetUnused();

    std::vector<std::uint32_t> m_places; ///< by NodeId, in m_kept
    std::vector<Cost> m_kept{Cost{}};
    boost::unordered_flat_map<std::size_t, std::uint32_t> m_byHash; ///< the last of each
};

} // namespace cutaway::ops
