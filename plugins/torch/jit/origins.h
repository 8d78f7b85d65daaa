// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/jit_graph.h"

namespace cutaway::plugins {

/// By NodeId: the node of torch's graph that an IR node still is, or nullptr.
using Keepers = std::vector<const torch::jit::Node *>;

/// The origins of a new node: the node that its mark names, or else the producers that its readers had before.
/// `before`: the graph that torch's was made from.
std::vector<ir::NodeId> originsOf(const torch::jit::Node &node, const JitGraph &jit, const ir::Graph &before,
                                  const Keepers &keepers);

} // namespace cutaway::plugins
