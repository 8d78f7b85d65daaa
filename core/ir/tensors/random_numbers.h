// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"

#include <optional>

namespace cutaway::ir {

/// The range that random numbers are drawn from.
struct NumberRange {
    double low = 0, high = 0; ///< low <= high
    bool operator==(const NumberRange &) const = default;
};

/// Makes test data of a numeric dtype. Without a range, floats are from -1 to 1; int8 and uint8 have all values of
/// the dtype, like images and quantized tensors; wider integers, which may be indices, are 0 and 1. Each element
/// takes the next number x of a 32-bit Mersenne Twister with this seed, so that programs in any language can
/// reproduce the data. Floats are low + (high - low) * (x / 2^32), rounded to the dtype. Integers are low +
/// floor((high - low + 1) * (x / 2^32)), where low and high are rounded inwards and lie within the dtype.
Numbers randomNumbers(DType dtype, std::size_t count, std::uint32_t seed, std::optional<NumberRange> range = {});

} // namespace cutaway::ir
