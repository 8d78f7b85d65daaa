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

/// Where the nodes of a graph are to be when a pass is over. Moves are collected and done at once, so that the cost of
/// one does not depend on the length of the graph.
class NodeMoves {
public:
    /// Moves `node` to before `next`, a node of the same region.
    void placeBefore(const ir::Graph &graph, ir::NodeId node, ir::NodeId next);
    /// Moves these nodes of a region that is given up to before `next`, with its weights.
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
    std::unordered_set<ir::NodeId> m_placed; ///< before others
    std::unordered_map<ir::RegionId, std::vector<ir::NodeId>> m_movedInto;
    std::unordered_set<ir::NodeId> m_moved;                   ///< into any of these; what is placed before them is not
    std::unordered_map<ir::RegionId, ir::NodeId> m_dissolved; ///< the node that their nodes are placed before
    std::set<ir::RegionId> m_disordered;
};

} // namespace cutaway::rewrite
