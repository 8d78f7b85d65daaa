// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::ir {

/// Returns the module in which each node of a region is drawn and counted, in the region's order: the node's own
/// module, if it has one. Exporters lose the module of some nodes (ONNX: of nodes that are traced outside of any
/// call). Such a node is drawn in the module that contains all of its producers and readers; at the outermost level
/// it would look like a cycle between that level and the module. A single node of a module among nodes of another
/// module is drawn in that other one.
std::vector<ScopeId> homesOf(const Graph &graph, RegionId region);

/// Returns the homes of the nodes of all regions, by NodeId; a removed node has the root.
std::vector<ScopeId> homesOf(const Graph &graph);

} // namespace cutaway::ir
