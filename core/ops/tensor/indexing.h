// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> indexingOperators();

/// Returns `tensor` indexed by `given`, which has an index tensor or None for each of the first dimensions; a mask
/// stands for as many dimensions as it has itself.
Answer indexed(const Call &call, const TensorFact &tensor, const SequenceFact &given);

namespace kind {
inline constexpr OperatorKind embedding{"embedding"};
inline constexpr OperatorKind gather{"gather"};
inline constexpr OperatorKind indexSelect{"indexselect"};
inline constexpr OperatorKind scatter{"scatter"};
} // namespace kind

} // namespace cutaway::ops
