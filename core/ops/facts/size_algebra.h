// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/dim_arithmetic.h"

namespace cutaway::ops {

// Arithmetic that holds for sizes but not for all numbers: sizes are never negative, and the divisor of a size
// divides it exactly.

/// Whether `dim` is certainly 0 or more; symbols count as sizes.
bool isNonNegative(const ir::Dim &dim);
/// Returns `dim`, or zero if it is less.
ir::Dim atLeastZero(const ir::Dim &dim);

/// Returns the product of `sizes` divided by that of `divisors`; equal factors are cancelled first: [s0, 512] by [s0,
/// 8] is 64. Unknown if a divisor is 0.
ir::Dim quotient(std::span<const ir::Dim> sizes, std::span<const ir::Dim> divisors);
ir::Dim quotientRoundedUp(const ir::Dim &size, const ir::Dim &divisor);

/// Returns `sizes` with the size that is left open (-1, or not known) completed, so that the product is that of
/// `elements`. Nothing if two are -1 or the numbers of elements certainly differ.
std::optional<ir::Shape> completed(std::span<const ir::Dim> elements, ir::Shape sizes);

/// A part of a dimension, as Python's slices describe it.
struct Part {
    ir::Dim start; ///< the first position
    ir::Dim length;
};
/// Returns the part from `start` up to `end` by `step`, which may be negative but not zero. Positions below zero
/// count from the end, and positions outside are moved to the nearest one inside. An expression that could be
/// negative is assumed not to be.
Part slice(const ir::Dim &size, const ir::Dim &start, const ir::Dim &end, std::int64_t step);

/// Returns the position that an index refers to, which counts from the end if it is negative.
ir::Dim position(const ir::Dim &index, const ir::Dim &size);

} // namespace cutaway::ops
