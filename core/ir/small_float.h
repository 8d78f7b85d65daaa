// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

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

/// The number that the low bits of `pattern` stand for.
double decode(const SmallFloat &format, std::uint32_t pattern);

} // namespace cutaway::ir
