// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// How far two ways to compute the same may be apart, relative to the number: some roundings of the dtype.
double roundingOf(ir::DType dtype);

/// The least number that has all digits.
double leastNormal(ir::DType dtype);

/// Precision: rounding to the nearest, or towards zero, explains the error. Else Elements.
Extent extentOf(const Rounding &rounding);
/// Sums up what is rounded between two dtypes. Errors that rounding does not explain are left out.
void addRounding(std::vector<Rounding> &sums, const Rounding &one);

} // namespace cutaway::diff
