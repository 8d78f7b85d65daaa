// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/dim_arithmetic.h"

namespace cutaway::ops {

// What sizes allow that numbers do not: they are never negative, and what divides one divides it exactly.

/// Whether it is certainly 0 or more, symbols being sizes.
bool isNonNegative(const ir::Dim &dim);
/// Zero for what is less.
ir::Dim atLeastZero(const ir::Dim &dim);

/// The product of `sizes` divided by that of `divisors`, equal factors cancelled first: [s0, 512] by [s0, 8] is 64.
/// Unknown if a divisor is 0.
ir::Dim quotient(std::span<const ir::Dim> sizes, std::span<const ir::Dim> divisors);
ir::Dim quotientRoundedUp(const ir::Dim &size, const ir::Dim &divisor);

/// The sizes in full where one is left open (-1, or not known): what remains of `elements`. Nothing if two are -1 or
/// the numbers of elements certainly differ.
std::optional<ir::Shape> completed(std::span<const ir::Dim> elements, ir::Shape sizes);

/// A part of a dimension, as Python's slices give it.
struct Part {
    ir::Dim start; ///< the first position
    ir::Dim length;
};
/// From `start` up to `end` by `step`, which may be negative; positions below zero count from the end, and those
/// outside are moved to the nearest inside. An expression that could be negative is taken not to be. The step is not
/// zero.
Part slice(const ir::Dim &size, const ir::Dim &start, const ir::Dim &end, std::int64_t step);

/// A position that may count from the end.
ir::Dim position(const ir::Dim &index, const ir::Dim &size);

} // namespace cutaway::ops
