// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/torch/signatures.h"

#include <unordered_set>

namespace cutaway::convert {

/// Values that are still written to after passes have resolved the writes that they understand. ONNX has no writes.
struct WrittenValues {
    /// Lists that are made in a region and that only appends of that region write to: to be followed in order.
    std::unordered_set<ir::ValueId> grownLists;
    /// All other values that may be written to.
    std::unordered_set<ir::ValueId> others;
    /// The nodes that write to values, by their schemas.
    std::unordered_set<ir::NodeId> writers;
};

WrittenValues writtenValuesOf(const ir::Graph &graph, ops::Signatures &signatures);

/// The list that an append grows; nothing if the node is none, or the list is not in `written`.
std::optional<ir::ValueId> grownBy(const ir::NodeRef &node, const WrittenValues &written);

} // namespace cutaway::convert
