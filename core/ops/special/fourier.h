// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/special/complex.h"

namespace cutaway::compute {

using Samples = std::vector<Complex>;

/// Returns Σ x[k]·exp(∓2πi·jk/n) over the n samples for the first `count` frequencies j, by this definition.
Samples transformed(const Samples &x, std::size_t count, bool isInverse);
Samples scaled(Samples samples, double factor);
/// Whether samples can be transformed: all are finite, because libraries differ in other results, and the sums have
/// no more `terms` in total than can be computed in a minute.
bool canBeTransformed(const Samples &samples, double terms);

} // namespace cutaway::compute
