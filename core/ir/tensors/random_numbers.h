// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"

namespace cutaway::ir {

/// Numbers to try a model with, of a numeric dtype: floats from -1 to 1, rounded to the dtype, whole numbers 0 and 1.
/// The draws of a 32-bit Mersenne Twister of this seed in their order, x / 2^31 - 1 and the highest bit, so that a
/// program in any language can make the same ones.
Numbers randomNumbers(DType dtype, std::size_t count, std::uint32_t seed);

} // namespace cutaway::ir
