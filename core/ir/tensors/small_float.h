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
        Ieee,         ///< the largest exponent encodes infinity and NaN (float16, bfloat16, float8_e5m2)
        OnlyNan,      ///< NaN is all ones, no infinity (…fn)
        NegativeZero, ///< NaN is negative zero, no infinity (…fnuz)
        None,         ///< no NaN and no infinity (float4)
    } special;
};

inline constexpr SmallFloat halfPrecision{5, 10, 15, SmallFloat::Special::Ieee};

/// The layout of a dtype; nullopt if it is no such format.
std::optional<SmallFloat> smallFloat(DType dtype);

/// Decodes the low bits of `pattern`.
double decode(const SmallFloat &format, std::uint32_t pattern);

/// Encodes `x`, rounded to nearest even. An overflow becomes infinity, NaN or the largest number, the first of these
/// that the format has; a NaN becomes zero in formats without NaN.
std::uint32_t encode(const SmallFloat &format, double x);

} // namespace cutaway::ir
