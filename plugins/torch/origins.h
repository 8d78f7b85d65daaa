// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit_graph.h"

namespace cutaway::plugins {

/// By NodeId: the node of torch's graph that is it still; nullptr where none is.
using Keepers = std::vector<const torch::jit::Node *>;

/// What a new node was made from: the node that its mark names, or else what its readers read before. `before`: the
/// graph that torch's was made of.
std::vector<ir::NodeId> originsOf(const torch::jit::Node &node, const JitGraph &jit, const ir::Graph &before,
                                  const Keepers &keepers);

} // namespace cutaway::plugins
