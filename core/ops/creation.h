// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// What operators share that make tensors from sizes.
namespace cutaway::ops {

/// The dtype argument, or what is taken where none is given.
std::optional<ir::DType> dtypeOr(const Call &call, std::optional<ir::DType> fallback);

/// A new tensor of these sizes; of unknown rank where they are not known. `element` is what every element is.
Facts created(const Call &call, const std::optional<std::vector<ir::Dim>> &sizes, std::optional<ir::DType> dtype,
              const ir::Dim &element = ir::UnknownDim{});

/// The sizes that an integer tensor holds; unknown ones, as many as it has elements, where it is not followed.
std::optional<std::vector<ir::Dim>> sizesIn(const TensorFact *tensor);

} // namespace cutaway::ops
