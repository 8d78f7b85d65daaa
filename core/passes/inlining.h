// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/rewriter.h"

#include <vector>

namespace cutaway::passes {

/// A node's arguments from a position on, lists opened: what a node of an exported program gives its regions.
std::vector<ir::Operand> openedArguments(const ir::NodeRef &node, std::size_t first);

/// What the results of a node are if its region, or the function that it calls, gives these outputs; nothing if they
/// do not fit.
std::optional<std::vector<ir::Operand>> resultsFrom(const ir::NodeRef &node, const std::vector<ir::Operand> &outputs);

/// Everybody who reads a result of the node reads these instead, and the node goes.
void replaceNode(Rewriter &rewriter, const ir::NodeRef &node, const std::vector<ir::Operand> &results);

/// Puts the nodes of one of its regions, whose inputs are `inputs`, in place of a node; false, and nothing is done, if
/// inputs or results do not fit.
bool replaceByRegion(Rewriter &rewriter, const ir::NodeRef &node, ir::RegionId region,
                     const std::vector<ir::Operand> &inputs);

} // namespace cutaway::passes
