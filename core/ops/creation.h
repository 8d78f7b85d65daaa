// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// Common parts of the rules of operators that make tensors from sizes.
namespace cutaway::ops {

/// The dtype argument, or `fallback` where none is given.
std::optional<ir::DType> dtypeOr(const Call &call, std::optional<ir::DType> fallback);

/// A new tensor of these sizes; of unknown rank where they are not known. `element`: the value of every element.
Answer created(const std::optional<std::vector<ir::Dim>> &sizes, std::optional<ir::DType> dtype,
               const ir::Dim &element = ir::UnknownDim{});

/// The elements of an integer tensor as sizes; where they are not followed, as many unknown sizes.
std::optional<std::vector<ir::Dim>> sizesIn(const TensorFact *tensor);

} // namespace cutaway::ops
