// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

namespace cutaway::compute {

/// The largest number of multiplications: a product with more would take minutes.
inline constexpr double maxProducts = 1e11;

/// The matrix product by NumPy's rule: the last two dimensions multiply, those before them broadcast, a vector is a row
/// on the left and a column on the right. Integers are multiplied as integers, other numbers in double precision.
/// Nothing if the sizes do not fit, or if it takes too long.
std::optional<Array> matrixProduct(const Array &left, const Array &right);

/// Returns the tensor with its last two dimensions exchanged; a vector is unchanged.
Array transposedLast(const Array &array);

} // namespace cutaway::compute
