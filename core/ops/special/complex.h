// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"
#include "core/ops/operator.h"

#include <complex>

namespace cutaway::compute {

using Complex = std::complex<double>;

/// The elements as complex numbers, also those of real tensors.
std::vector<Complex> complexOf(const Array &x);
/// A tensor of complex numbers in double precision.
Array complexArray(Sizes shape, const std::vector<Complex> &elements);

/// The real and the imaginary parts along a new last dimension, in the dtype of the parts.
Array asParts(const Array &x);

/// Returns the results of the operator with this compute rule if complex tensors are among its operands or results.
/// Nothing where complex numbers are not supported.
Answer computedOfComplex(ops::ComputeRule rule, const Call &call, std::span<const ops::Fact> results);

} // namespace cutaway::compute
