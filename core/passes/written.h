// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/ops/torch/signatures.h"

#include <unordered_set>

namespace cutaway::passes {

/// The values of a graph that something in it may write to while it runs: what an operator's schema says it writes to,
/// what an operator that nobody knows is given, and everything that may share memory with these. Values that are not
/// in it stay as they were made. None in a graph of ONNX, where nothing is written to. O(nodes).
std::unordered_set<ir::ValueId> writtenValues(const ir::Graph &graph, ops::Signatures &signatures);

} // namespace cutaway::passes
