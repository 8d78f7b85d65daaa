// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/arguments/scatter_arguments.h"
#include "core/ops/compute/call.h"
#include "core/ops/compute/places.h"

namespace cutaway::compute {

using ops::ScatterReduction;

/// Returns `x` with the elements of `source`, which has the same dtype, put to `places` one after the other. For
/// ScatterReduction::Mean the elements are only added up, and the caller divides the sums. No answer if the numbers of
/// elements and places differ.
Answer putAt(Array x, const Places &places, const Array &source, ScatterReduction reduction);

} // namespace cutaway::compute
