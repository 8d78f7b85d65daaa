// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/ops/torch/signatures.h"

#include <unordered_set>

namespace cutaway::analysis {

/// The values of a graph that may be written to while it runs: those that an operator's schema writes to, those passed
/// to an unknown operator, and everything that may share memory with these. All other values keep their contents. Empty
/// for ONNX, which has no writes. O(nodes).
std::unordered_set<ir::ValueId> writtenValues(const ir::Graph &graph, ops::Signatures &signatures);

} // namespace cutaway::analysis
