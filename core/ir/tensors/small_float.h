// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

#include <cstdint>
#include <optional>

namespace cutaway::ir {

/// The layout of a binary floating-point format of at most 16 bits.
struct SmallFloat {
    int exponentBits;
    int mantissaBits;
    int bias;
    enum class Special : std::uint8_t {
        Ieee,         ///< the largest exponent is for infinity and NaN (float16, bfloat16, float8_e5m2)
        OnlyNan,      ///< all ones are NaN, and there is no infinity (…fn)
        NegativeZero, ///< the pattern of negative zero is NaN, and there is no infinity (…fnuz)
        None,         ///< there is neither NaN nor infinity (float4)
    } special;
};

inline constexpr SmallFloat halfPrecision{5, 10, 15, SmallFloat::Special::Ieee};

/// Returns the layout of a dtype; nullopt if it is no such format.
std::optional<SmallFloat> smallFloat(DType dtype);

/// The largest number of a floating dtype, and the distance from 1 to the next larger one (machine epsilon).
struct FloatLimits {
    double largest, epsilon;
};
/// Returns the limits of a floating dtype; nullopt for other dtypes.
std::optional<FloatLimits> floatLimits(DType dtype);

/// Decodes the low bits of `pattern`.
double decode(const SmallFloat &format, std::uint32_t pattern);

/// Encodes `x`, rounded to nearest even. An overflow becomes infinity, or NaN in formats without infinity, or the
/// largest number in formats with neither; a NaN becomes zero in formats without NaN.
std::uint32_t encode(const SmallFloat &format, double x);

} // namespace cutaway::ir
