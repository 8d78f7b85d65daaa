// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// The place of the `index`-th tensor of a call's results: by the row's rule, or else in new memory, laid out by the
/// row's pattern.
Place placeOf(const Operator &row, const Call &call, const TensorFact &result, std::size_t index);

} // namespace cutaway::ops
