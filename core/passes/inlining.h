// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <string>
#include <vector>

namespace cutaway::passes {

/// Returns a node's arguments from position `first` on, with each list replaced by its items. These are the inputs of a
/// region of a node in an exported program.
std::vector<ir::Operand> openedArguments(const ir::NodeRef &node, std::size_t first);

/// Returns the operands that replace the node's results, in order, if its region or callee returns `outputs`; nothing
/// if their number does not match.
std::optional<std::vector<ir::Operand>> resultsFrom(const ir::NodeRef &node, const std::vector<ir::Operand> &outputs);

/// Replaces all uses of a node's results by `results` and removes the node.
void replaceNode(rewrite::Rewriter &rewriter, const ir::NodeRef &node, const std::vector<ir::Operand> &results);

/// Replaces a node by the nodes of one of its regions, whose inputs become `inputs`. Returns false and changes nothing
/// if inputs or results do not match.
bool replaceByRegion(rewrite::Rewriter &rewriter, const ir::NodeRef &node, ir::RegionId region,
                     const std::vector<ir::Operand> &inputs);

/// Returns why a function of ONNX would have another meaning inside the model's graph: it imports another operator set,
/// in which an operator of its body has another version. "" if the meaning is the same.
std::string whyOfAnotherOpset(const ir::Model &model, const ir::Function &function);

} // namespace cutaway::passes
