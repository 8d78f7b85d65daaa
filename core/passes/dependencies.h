// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <vector>

namespace cutaway::passes {

/// Returns for each node of a region, by index, the indices of the nodes that must run before it: the producers of its
/// operands, including those read inside its regions; and for a node with side effects or reads of mutable memory, the
/// previous such node. O(uses).
std::vector<std::vector<std::size_t>> dependencies(analysis::Reading &reading, ir::RegionId region);

/// Whether a node may run at any time after its arguments are computed.
bool mayMove(analysis::Reading &reading, const ir::NodeRef &node);

} // namespace cutaway::passes
