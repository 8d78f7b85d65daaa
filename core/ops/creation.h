// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// Common parts of the rules of operators that make tensors from sizes.
namespace cutaway::ops {

/// Returns the dtype argument, or `fallback` if it is not given.
std::optional<ir::DType> dtypeOr(const Call &call, std::optional<ir::DType> fallback);

/// A new tensor of these sizes, or of unknown rank if they are nothing. `element`: the value of every element.
Answer created(const std::optional<std::vector<ir::Dim>> &sizes, std::optional<ir::DType> dtype,
               const ir::Dim &element = ir::UnknownDim{});

/// Returns the elements of an integer tensor as sizes; unknown sizes if they are not tracked.
std::optional<std::vector<ir::Dim>> sizesIn(const TensorFact *tensor);

} // namespace cutaway::ops
