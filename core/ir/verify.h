// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>
#include <vector>

namespace cutaway::ir {

/// What is wrong with a model, empty if nothing: ids in range, single definition, definitions before uses and in an
/// enclosing region, use lists equal to what is read, region ownership, signature in step with the graph, tensors
/// inside their storages. One sentence each, at most 100. O(nodes + uses).
std::vector<std::string> verify(const Model &model);
std::vector<std::string> verify(const Graph &graph);

} // namespace cutaway::ir
