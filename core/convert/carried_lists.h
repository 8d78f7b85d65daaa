// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether a branch or the body of a loop appends to a list.
bool appendsInRegions(const ir::Graph &graph);

/// Returns a pass that makes a branch or loop return the list that it appends to, if the list comes from outside. Later
/// nodes read this result. Lists that may have another name stay as they are.
passes::Pass listCarrying();

} // namespace cutaway::convert
