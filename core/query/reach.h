// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::query {

/// Where a path through a graph begins or ends.
struct Ends {
    std::vector<ir::ValueId> values;
    std::vector<ir::NodeId> nodes;

    bool isEmpty() const { return values.empty() && nodes.empty(); }
};

/// The nodes that read these values, or what these nodes give, and those that read what they give, and so on, by
/// NodeId. What a node with regions reads enters its regions; what a region returns leaves by its node, and where
/// regions run more than once it enters them again. The nodes themselves are not among them, unless one leads to
/// another. O(nodes + uses).
std::vector<bool> downstream(const ir::Graph &graph, const Ends &from);

/// The nodes that these values and nodes are computed from, in the same way backwards: the node that makes a value is
/// among them.
std::vector<bool> upstream(const ir::Graph &graph, const Ends &of);

} // namespace cutaway::query
