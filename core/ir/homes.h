// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::ir {

/// The module that each node of a region is drawn and counted in, in the region's order: its own, if it has one.
/// Exporters lose the module of some nodes (ONNX: of what is traced outside of any call). Such a node is drawn in the
/// module that contains all of its producers and readers; at the outermost level it would look like a cycle between
/// that level and the module. One that stands alone in its module and among nodes of another one is drawn there.
std::vector<ScopeId> homesOf(const Graph &graph, RegionId region);

/// The same for all regions, by NodeId; the root for removed nodes.
std::vector<ScopeId> homesOf(const Graph &graph);

} // namespace cutaway::ir
