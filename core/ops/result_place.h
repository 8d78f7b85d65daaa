// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Where the `index`-th tensor of a call's results lies: by the row's rule, else in new memory as its pattern lays it
/// out.
Place placeOf(const Operator &row, const Call &call, const TensorFact &result, std::size_t index);

} // namespace cutaway::ops
