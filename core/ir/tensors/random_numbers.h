// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"

namespace cutaway::ir {

/// Test data of a numeric dtype: floats from -1 to 1, rounded to the dtype; integers 0 and 1. Each element takes the
/// next draw x of a 32-bit Mersenne Twister of this seed: x / 2^31 - 1 or x's highest bit, so that a program in any
/// language can reproduce them.
Numbers randomNumbers(DType dtype, std::size_t count, std::uint32_t seed);

} // namespace cutaway::ir
