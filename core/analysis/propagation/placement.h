// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/storages.h"
#include "core/ops/operator.h"

namespace cutaway::analysis {

/// Gives the tensors among a rule's results their storage and strides, by the operator's row. If the row has no place
/// rule, a result that the rule made from an argument's fact lies in that argument's storage.
void placeResults(const ops::Operator &row, const ops::Call &call, Storages &storages, ops::Facts &results);

struct MovedBytes {
    ir::Dim read = std::int64_t{0};
    ir::Dim written = std::int64_t{0};
};

/// Returns the bytes that a node reads and writes: it reads each tensor argument once, and writes what lies in new
/// memory, or in place. A view moves nothing; an operator that picks elements of its first argument reads as many of
/// them as it writes. `facts`: by ValueId. `isInPlace`: the operator writes to its first argument.
MovedBytes movedBytes(const ir::NodeRef &node, ops::Pattern pattern, bool isInPlace, std::span<const ops::Fact> facts,
                      std::span<const ops::Fact> results);

} // namespace cutaway::analysis
