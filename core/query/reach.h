// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::query {

/// The values and nodes where paths through a graph begin or end.
struct Ends {
    std::vector<ir::ValueId> values;
    std::vector<ir::NodeId> nodes;

    bool isEmpty() const { return values.empty() && nodes.empty(); }
};

/// Returns, by NodeId, the nodes that read these values or the results of these nodes, those that read their results,
/// and so on. The values that a node with regions reads enter its regions. The values that a region returns leave
/// through its node, and enter the regions again if these run more than once. The nodes `from` are not in the result,
/// unless one of them is reached from another. O(nodes + uses).
std::vector<bool> downstream(const ir::Graph &graph, const Ends &from);

/// Returns, by NodeId, the nodes that these values and nodes are computed from, found in the same way backwards. The
/// node that makes one of the values is in the result.
std::vector<bool> upstream(const ir::Graph &graph, const Ends &of);

} // namespace cutaway::query
