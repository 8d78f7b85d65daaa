// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether a branch or the body of a loop appends to a list.
bool appendsInRegions(const ir::Graph &graph);

/// A branch or loop that appends to a list of outside returns a new list in place of that, and whoever reads the list
/// behind it reads the new one. Lists that somebody may have by another name stay as they are.
passes::Pass listCarrying();

} // namespace cutaway::convert
