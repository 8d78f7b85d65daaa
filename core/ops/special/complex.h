// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"
#include "core/ops/operator.h"

#include <complex>

namespace cutaway::compute {

using Complex = std::complex<double>;

/// The elements, of real tensors too.
std::vector<Complex> complexOf(const Array &x);
/// In double precision.
Array complexArray(Sizes shape, const std::vector<Complex> &elements);

/// Real and imaginary part as the last dimension, of the dtype of the parts.
Array asParts(const Array &x);

/// What the operator with this compute rule gives where tensors of complex numbers are among its operands or results.
/// Nothing where that is not followed.
Answer computedOfComplex(ops::ComputeRule rule, const Call &call, std::span<const ops::Fact> results);

} // namespace cutaway::compute
