// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Computes Python's `x[…]` of a tensor, the call's first argument. The second argument is a subscript or a tuple of
/// several: numbers, index tensors, None, slices as {"start": 1, "stop": n, "step": 2} without those entries that are
/// None, and "..." for the ellipsis.
Answer subscript(const Call &call);

} // namespace cutaway::ops
