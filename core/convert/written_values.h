// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/torch/signatures.h"

#include <unordered_set>

namespace cutaway::convert {

/// Values that are still written to after passes have resolved the writes that they understand. ONNX has no writes.
struct WrittenValues {
    std::unordered_set<ir::ValueId> values;
    /// The nodes that write to values, by their schemas.
    std::unordered_set<ir::NodeId> writers;

    /// Whether the node reads or makes a value that is still written to.
    bool areAt(const ir::NodeRef &node) const;
};

/// Finds the values that are still written to, by the operators' schemas, in all regions of the graph.
WrittenValues writtenValuesOf(const ir::Graph &graph, ops::Signatures &signatures);

} // namespace cutaway::convert
