// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Returns how far two computations of the same number may differ, relative to the number: some roundings of the dtype.
double roundingOf(ir::DType dtype);

/// Returns the least normal number of a floating dtype.
double leastNormal(ir::DType dtype);

/// Returns Precision if rounding to the nearest, or towards zero, explains the error; else Elements.
Extent extentOf(const Rounding &rounding);
/// Adds a rounding error to the sums by pair of dtypes. An error that rounding does not explain is left out.
void addRounding(std::vector<Rounding> &sums, const Rounding &one);

} // namespace cutaway::diff
