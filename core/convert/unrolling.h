// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

#include <vector>

namespace cutaway::convert {

/// The pass that takes one iteration out of each of TorchScript's loops that certainly go on, and removes loops that
/// certainly do not begin. It sets `hasChanged` if there was one.
passes::Pass peeling(bool &hasChanged);

/// All of TorchScript's loops.
std::vector<ir::NodeId> loopsOf(const ir::Graph &graph);

} // namespace cutaway::convert
