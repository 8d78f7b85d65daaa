// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::structure {

/// Returns, by NodeId, whether a node computes nothing of the model's data, but prepares the computation: a check, a
/// size and arithmetic on sizes, a constant, a mask that is made of these or of the function's integer inputs, a copy
/// of a weight. O(operands).
std::vector<bool> plumbingOf(const ir::Graph &graph);

/// Whether a type consists of numbers, flags, texts, and lists of these, so that it certainly contains no tensor.
bool isPlain(const ir::Context &context, ir::TypeId type);

} // namespace cutaway::structure
