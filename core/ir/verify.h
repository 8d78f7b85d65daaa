// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>
#include <vector>

namespace cutaway::ir {

/// Checks a model's invariants and returns a sentence per violation, at most 100: ids in range, single definition,
/// definitions before uses and in an enclosing region, use lists equal to the operands, region ownership, signature
/// consistent with the graph, tensors inside their storages. O(nodes + uses).
std::vector<std::string> verify(const Model &model);
std::vector<std::string> verify(const Graph &graph);

} // namespace cutaway::ir
