// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/torch/signatures.h"

#include <unordered_set>

namespace cutaway::convert {

/// What still is written to when passes have resolved what they understand. ONNX has no writes.
struct WrittenValues {
    std::unordered_set<ir::ValueId> values;
    /// The nodes whose schema says that they write to them.
    std::unordered_set<ir::NodeId> writers;
};

WrittenValues writtenValuesOf(const ir::Graph &graph, ops::Signatures &signatures);

} // namespace cutaway::convert
