// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/special/complex.h"

namespace cutaway::compute {

using Samples = std::vector<Complex>;

constexpr double maxFourierTerms = 3e9; // more take minutes

/// Σ x[k]·exp(∓2πi·jk/n) of n samples, computed by this definition, for the first `count` frequencies j.
Samples transformed(const Samples &x, std::size_t count, bool isInverse);
Samples scaled(Samples samples, double factor);
/// Whether all samples are finite. Libraries differ in what they make of others.
bool areFinite(const Samples &samples);

} // namespace cutaway::compute
