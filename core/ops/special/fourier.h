// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/special/complex.h"

namespace cutaway::compute {

using Samples = std::vector<Complex>;

/// Σ x[k]·exp(∓2πi·jk/n) of n samples, computed by this definition, for the first `count` frequencies j.
Samples transformed(const Samples &x, std::size_t count, bool isInverse);
Samples scaled(Samples samples, double factor);
/// Whether samples are transformed: all are finite, as libraries differ in what they make of others, and the sums have
/// no more `terms` together than are computed in a minute.
bool canBeTransformed(const Samples &samples, double terms);

} // namespace cutaway::compute
