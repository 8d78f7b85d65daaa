// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::rewrite {

/// The future positions of a graph's nodes. Moves are collected and done at once when a pass is over, so that the cost
/// of one does not depend on the length of the graph.
class NodeMoves {
public:
    /// Moves `node` to before `next`, a node of the same region.
    void placeBefore(const ir::Graph &graph, ir::NodeId node, ir::NodeId next);
    /// Moves `nodes`, which are those of a region that goes away, and the region's weights, to before `next`.
    void dissolve(const ir::Graph &graph, ir::RegionId region, std::span<const ir::NodeId> nodes, ir::NodeId next);
    bool isDissolved(ir::RegionId region) const { return m_dissolved.contains(region); }
    /// Moves nodes to the end of a region, in this order.
    void moveInto(const ir::Graph &graph, ir::RegionId region, const std::vector<ir::NodeId> &nodes);

    /// Does the moves, and forgets them.
    void apply(ir::Graph &graph);

private:
    std::vector<ir::NodeId> orderOf(const ir::Graph &graph, ir::RegionId region) const;
    void putBefore(ir::NodeId node, std::vector<ir::NodeId> &order) const;

    std::unordered_map<ir::NodeId, std::vector<ir::NodeId>> m_placedBefore;
    std::unordered_set<ir::NodeId> m_placed; ///< nodes that are placed before others
    std::unordered_map<ir::RegionId, std::vector<ir::NodeId>> m_movedInto;
    /// The nodes in m_movedInto, without those that are placed before one of them.
    std::unordered_set<ir::NodeId> m_moved;
    std::unordered_map<ir::RegionId, ir::NodeId> m_dissolved; ///< by region: the node that its nodes are placed before
    std::set<ir::RegionId> m_disordered;
};

} // namespace cutaway::rewrite
