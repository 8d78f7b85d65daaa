// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// The dtype that holds both (c10::promoteTypes).
ir::DType promote(ir::DType a, ir::DType b);

/// The dtype of an arithmetic result (torch.result_type): tensors with dimensions before 0-dim tensors before numbers,
/// unless a later kind is of a higher category (boolean, integer, floating, complex). Nothing if one is not known.
std::optional<ir::DType> resultType(std::span<const Fact *const> arguments);

/// What a float operator (sqrt, mean, true division) gives for this dtype: itself, or float32 for integers.
ir::DType floatType(ir::DType dtype);
/// float32 of complex64: the dtype of a complex number's parts.
ir::DType realType(ir::DType dtype);

} // namespace cutaway::ops
