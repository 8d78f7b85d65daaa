// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/rewriter.h"

#include <vector>

namespace cutaway::passes {

/// For each node of a region, by position, the positions of those that must run before it: the makers of what it reads,
/// also inside it, and for a node that acts, or reads what something may write to, the one such before it. O(uses).
std::vector<std::vector<std::size_t>> dependencies(Rewriter &rewriter, ir::RegionId region);

/// Whether a node may run at any time that its arguments allow.
bool mayMove(Rewriter &rewriter, const ir::NodeRef &node);

} // namespace cutaway::passes
