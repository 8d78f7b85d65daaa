// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that rearrange elements: flip, roll, diagonal, pixel_shuffle, unfold.
std::span<const Operator> rearrangingOperators();

} // namespace cutaway::ops
