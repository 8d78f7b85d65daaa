// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// The dtype that can hold both dtypes (c10::promoteTypes).
ir::DType promote(ir::DType a, ir::DType b);

/// The dtype of an arithmetic result (torch.result_type): tensors with dimensions count before 0-dim tensors, and these
/// before numbers, unless a later kind is of a higher category (boolean, integer, floating, complex). Nothing if one
/// dtype is not known.
std::optional<ir::DType> resultType(std::span<const Fact *const> arguments);

/// The dtype of the result of a float operator (sqrt, mean, true division) for this dtype: the same, or float32 for
/// integers.
ir::DType floatType(ir::DType dtype);
/// The dtype of a complex number's parts: float32 for complex64.
ir::DType realType(ir::DType dtype);

} // namespace cutaway::ops
