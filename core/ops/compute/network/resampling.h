// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

/// Resampling is done one axis after the other: each position of the result is a weighted sum of a few of the input's.
namespace cutaway::compute {

/// An element along an axis of the input, and its weight in an element of the result.
struct Tap {
    std::int64_t at;
    double weight;
};
/// The taps of each position along an axis of the result.
using Taps = std::vector<std::vector<Tap>>;

/// The weight of an element at distance x in cubic convolution (Keys, 1981) with the coefficient a.
double cubic(double x, double a);

/// Returns the tensor with one axis resampled. `x` and the result are in double precision.
Array alongOne(const Array &x, std::size_t axis, const Taps &taps);

} // namespace cutaway::compute
