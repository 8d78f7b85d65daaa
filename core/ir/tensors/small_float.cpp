// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/tensors/small_float.h"

#include <algorithm>
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

std::uint32_t topExponent(const SmallFloat &f) { return ((1u << f.exponentBits) - 1) << f.mantissaBits; }

/// Returns the bit pattern of a NaN without its sign.
std::uint32_t nanPattern(const SmallFloat &f)
{
    using Special = SmallFloat::Special;
    const std::uint32_t mantissaMask = (1u << f.mantissaBits) - 1;
    switch (f.special) {
    case Special::Ieee:
        return topExponent(f) | 1u << (f.mantissaBits - 1);
    case Special::OnlyNan:
        return topExponent(f) | mantissaMask;
    case Special::NegativeZero:
        return 1u << (f.mantissaBits + f.exponentBits);
    case Special::None:
        break;
    }
    return 0;
}

std::uint32_t largestFinite(const SmallFloat &f)
{
    using Special = SmallFloat::Special;
    if (f.special == Special::Ieee)
        return topExponent(f) - 1;
    const std::uint32_t allOnes = topExponent(f) | ((1u << f.mantissaBits) - 1);
    return f.special == Special::OnlyNan ? allOnes - 1 : allOnes;
}

/// Returns the bit pattern, without its sign, of a number beyond the largest one.
std::uint32_t overflowPattern(const SmallFloat &f)
{
    if (f.special == SmallFloat::Special::Ieee)
        return topExponent(f);
    return f.special == SmallFloat::Special::None ? largestFinite(f) : nanPattern(f);
}

/// Returns the bit pattern of a finite number without its sign. The mantissa, with its leading one unless the number
/// is subnormal, is added to the exponent, so that rounding up carries into the exponent.
std::uint32_t magnitudePattern(const SmallFloat &f, double magnitude)
{
    const int lowest = 1 - f.bias;
    const int exponent = magnitude == 0 ? lowest : std::max(lowest, std::ilogb(magnitude));
    const auto mantissa = static_cast<std::int64_t>(std::nearbyint(std::ldexp(magnitude, f.mantissaBits - exponent)));
    const std::int64_t pattern = (std::int64_t{exponent - lowest} << f.mantissaBits) + mantissa;
    return pattern > largestFinite(f) ? overflowPattern(f) : static_cast<std::uint32_t>(pattern);
}

} // namespace

std::optional<SmallFloat> smallFloat(DType dtype)
{
    using Special = SmallFloat::Special;
    switch (dtype) {
    case DType::Float16:
        return halfPrecision;
    case DType::BFloat16:
        return SmallFloat{8, 7, 127, Special::Ieee};
    case DType::Float8E5M2:
        return SmallFloat{5, 2, 15, Special::Ieee};
    case DType::Float8E4M3FN:
        return SmallFloat{4, 3, 7, Special::OnlyNan};
    case DType::Float8E5M2FNUZ:
        return SmallFloat{5, 2, 16, Special::NegativeZero};
    case DType::Float8E4M3FNUZ:
        return SmallFloat{4, 3, 8, Special::NegativeZero};
    case DType::Float4E2M1FN:
        return SmallFloat{2, 1, 1, Special::None};
    default:
        return std::nullopt;
    }
}

std::optional<FloatLimits> floatLimits(DType dtype)
{
    if (dtype == DType::Float64)
        return FloatLimits{std::numeric_limits<double>::max(), std::numeric_limits<double>::epsilon()};
    if (dtype == DType::Float32)
        return FloatLimits{std::numeric_limits<float>::max(), std::numeric_limits<float>::epsilon()};
    const auto format = smallFloat(dtype);
    return format
        ? std::optional(FloatLimits{decode(*format, largestFinite(*format)), std::ldexp(1.0, -format->mantissaBits)})
        : std::nullopt;
}

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

std::uint32_t encode(const SmallFloat &f, double x)
{
    if (std::isnan(x))
        return nanPattern(f);
    const std::uint32_t magnitude = std::isinf(x) ? overflowPattern(f) : magnitudePattern(f, std::abs(x));
    const bool isSignless = magnitude == 0 && f.special == SmallFloat::Special::NegativeZero;
    const std::uint32_t sign = std::signbit(x) && !isSignless ? 1u << (f.mantissaBits + f.exponentBits) : 0;
    return magnitude | sign;
}

} // namespace cutaway::ir
