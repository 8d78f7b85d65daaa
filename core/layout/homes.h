// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::layout {

/// The module that each node of a region is drawn in, in the region's order: its own, if it has one. Exporters lose the
/// module of some nodes (ONNX: what is traced outside of any call). A node without one whose makers and readers all
/// stand in one module is drawn there, or that module and the outermost level would seem to feed each other.
std::vector<ir::ScopeId> homesOf(const ir::Graph &graph, ir::RegionId region);

} // namespace cutaway::layout
