// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// Returns the dtype that can hold the numbers of both dtypes (c10::promoteTypes).
ir::DType promote(ir::DType a, ir::DType b);

/// Returns the dtype of an arithmetic result (torch.result_type): tensors with dimensions decide before tensors
/// without dimensions, and these before numbers, unless a later kind has a higher category (Boolean, integer,
/// floating, complex). Nothing if one dtype is not known.
std::optional<ir::DType> resultType(std::span<const Fact *const> arguments);

/// Returns the dtype that a float operator (sqrt, mean, true division) gives for an input dtype: the same, or float32
/// for integers.
ir::DType floatType(ir::DType dtype);
/// The dtype of a complex number's parts: float32 for complex64.
ir::DType realType(ir::DType dtype);

} // namespace cutaway::ops
