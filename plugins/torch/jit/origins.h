// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// By NodeId: the node of torch's graph that still represents the IR node; nullptr if there is none.
using Keepers = std::vector<const torch::jit::Node *>;

/// Returns the origins of a new node: the node that its mark names or, without a mark, the removed nodes that made its
/// readers' operands before torch's passes. If none of these was removed, the readers are the origins. `before`: the
/// IR's graph from which torch's was made.
std::vector<ir::NodeId> originsOf(const torch::jit::Node &node, const JitGraph &jit, const ir::Graph &before,
                                  const Keepers &keepers);

} // namespace cutaway::plugins
