// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <string>
#include <vector>

namespace cutaway::passes {

/// A node's arguments from `first` on with lists opened: the region inputs of an exported program's node.
std::vector<ir::Operand> openedArguments(const ir::NodeRef &node, std::size_t first);

/// The node's results if its region or callee returns these outputs; nothing if they do not match.
std::optional<std::vector<ir::Operand>> resultsFrom(const ir::NodeRef &node, const std::vector<ir::Operand> &outputs);

/// Replaces all uses of a node's results by `results` and removes the node.
void replaceNode(rewrite::Rewriter &rewriter, const ir::NodeRef &node, const std::vector<ir::Operand> &results);

/// Replaces a node by the nodes of one of its regions, whose inputs become `inputs`. Returns false and changes nothing
/// if inputs or results do not match.
bool replaceByRegion(rewrite::Rewriter &rewriter, const ir::NodeRef &node, ir::RegionId region,
                     const std::vector<ir::Operand> &inputs);

/// Says why the body of a function of ONNX means something else in the model's operator set: it imports another one, in
/// which an operator of the body has another version. "" if it means the same.
std::string whyOfAnotherOpset(const ir::Model &model, const ir::Function &function);

} // namespace cutaway::passes
