// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Returns the placement of the `index`-th tensor among a call's results: by the row's rule, or else in new memory
/// whose strides follow from the row's pattern.
Place placeOf(const Operator &row, const Call &call, const TensorFact &result, std::size_t index);

} // namespace cutaway::ops
