// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that compute distances between points.
std::span<const Operator> distanceOperators();

} // namespace cutaway::ops
