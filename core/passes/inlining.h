// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/rewriter.h"

#include <vector>

namespace cutaway::passes {

/// A node's arguments from `first` on with lists opened: the region inputs of an exported program's node.
std::vector<ir::Operand> openedArguments(const ir::NodeRef &node, std::size_t first);

/// The node's results if its region or callee returns these outputs; nothing if they do not match.
std::optional<std::vector<ir::Operand>> resultsFrom(const ir::NodeRef &node, const std::vector<ir::Operand> &outputs);

/// Replaces all uses of a node's results by `results` and removes the node.
void replaceNode(Rewriter &rewriter, const ir::NodeRef &node, const std::vector<ir::Operand> &results);

/// Replaces a node by the nodes of one of its regions, whose inputs become `inputs`. Returns false and changes nothing
/// if inputs or results do not match.
bool replaceByRegion(Rewriter &rewriter, const ir::NodeRef &node, ir::RegionId region,
                     const std::vector<ir::Operand> &inputs);

} // namespace cutaway::passes
