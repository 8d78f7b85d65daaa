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

/// Costs by NodeId. Equal costs made of the same formulas, of which a network of equal blocks has many, are kept once.
class NodeCosts {
public:
    NodeCosts() = default;
    /// Costs of `nodes` nodes, all zero.
    explicit NodeCosts(std::size_t nodes) : m_places(nodes) { }

    std::size_t size() const { return m_places.size(); }
    /// Returns the cost of a node; the reference is valid until the next set().
    const Cost &operator[](std::size_t node) const { return m_kept[m_places[node]]; }
    void set(std::size_t node, Cost cost);

    /// Returns the stored costs; some may belong to no node any more. Changing one changes all nodes that have it.
    std::span<const Cost> kept() const { return m_kept; }
    std::span<Cost> kept() { return m_kept; }
    /// The index of a node's cost in kept().
    std::size_t placeOf(std::size_t node) const { return m_places[node]; }

private:
    void forgetUnused();

    std::vector<std::uint32_t> m_places; ///< by NodeId: the index in m_kept
    std::vector<Cost> m_kept{Cost{}};
    /// By hash: the index in m_kept of the last cost with that hash.
    boost::unordered_flat_map<std::size_t, std::uint32_t> m_byHash;
};

} // namespace cutaway::ops
