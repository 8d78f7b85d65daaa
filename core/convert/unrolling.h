// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

#include <vector>

namespace cutaway::convert {

/// Returns a pass over TorchScript's loops in the body: it takes one iteration out of each loop that certainly has one
/// and does not read the iteration's number, and removes each loop that certainly has none. It sets `hasChanged` if
/// there was a loop of either kind.
passes::Pass peeling(bool &hasChanged);

/// Returns all loops of TorchScript in the graph.
std::vector<ir::NodeId> loopsOf(const ir::Graph &graph);

} // namespace cutaway::convert
