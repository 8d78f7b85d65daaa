// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::layout {

/// The module that each node of a region is drawn in, in the region's order: its own, if it has one. Exporters lose the
/// module of some nodes (ONNX: of what is traced outside of any call). Such a node is drawn in the module that contains
/// all of its producers and readers; at the outermost level it would look like a cycle between that level and the
/// module.
std::vector<ir::ScopeId> homesOf(const ir::Graph &graph, ir::RegionId region);

} // namespace cutaway::layout
