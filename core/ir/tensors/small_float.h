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
        Ieee,         ///< the largest exponent is infinity and NaN (float16, bfloat16, float8_e5m2)
        OnlyNan,      ///< only all ones is NaN, no infinity (…fn)
        NegativeZero, ///< only negative zero is NaN, no infinity (…fnuz)
        None,         ///< every pattern is a number (float4)
    } special;
};

inline constexpr SmallFloat halfPrecision{5, 10, 15, SmallFloat::Special::Ieee};

/// The layout of a dtype, if it is such a format.
std::optional<SmallFloat> smallFloat(DType dtype);

/// The number that the low bits of `pattern` stand for.
double decode(const SmallFloat &format, std::uint32_t pattern);

/// The pattern of the number nearest to `x`, of two the even one. What is too large becomes infinity, or else NaN, or
/// else the largest number, whichever of them the format has; a NaN without a pattern becomes zero.
std::uint32_t encode(const SmallFloat &format, double x);

} // namespace cutaway::ir
