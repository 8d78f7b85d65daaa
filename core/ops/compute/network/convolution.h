// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

namespace cutaway::compute {

/// Computes the convolution that a call describes, for these tensors instead of the call's own; in double precision.
/// nullptr: no bias. Nothing if the call is not understood, or if it takes too long.
std::optional<Array> convolved(const Call &call, const Array &x, const Array &weight, const Array *bias);

} // namespace cutaway::compute
