// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/small_float.h"

#include <cmath>
#include <limits>

namespace cutaway::ir {

namespace {

double specialValue(const SmallFloat &f, bool negative, std::uint32_t mantissa)
{
    if (f.special == SmallFloat::Special::Ieee && mantissa == 0)
        return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

double decode(const SmallFloat &f, std::uint32_t pattern)
{
    using Special = SmallFloat::Special;
    const std::uint32_t mantissaMask = (1u << f.mantissaBits) - 1;
    const std::uint32_t exponentMask = (1u << f.exponentBits) - 1;
    const std::uint32_t mantissa = pattern & mantissaMask;
    const std::uint32_t exponent = pattern >> f.mantissaBits & exponentMask;
    const bool negative = (pattern >> (f.mantissaBits + f.exponentBits) & 1) != 0;

    const bool topExponent = exponent == exponentMask;
    const bool negativeZero = negative && exponent == 0 && mantissa == 0;
    if ((f.special == Special::Ieee && topExponent)
        || (f.special == Special::OnlyNan && topExponent && mantissa == mantissaMask)
        || (f.special == Special::NegativeZero && negativeZero))
        return specialValue(f, negative, mantissa);

    const double magnitude = exponent == 0
        ? std::ldexp(mantissa, 1 - f.bias - f.mantissaBits)
        : std::ldexp(mantissa + (mantissaMask + 1.0), static_cast<int>(exponent) - f.bias - f.mantissaBits);
    return negative ? -magnitude : magnitude;
}

} // namespace cutaway::ir
