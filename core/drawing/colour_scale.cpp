// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/colour_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cutaway::drawing {

namespace {

/// A colour by lightness, chroma and hue (degrees) of Oklab, in which equal distances look equal.
struct Oklch {
    double l, c, h;
};

std::uint8_t toSrgb(double linear)
{
    linear = std::clamp(linear, 0.0, 1.0);
    const double coded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(coded * 255));
}

/// Converts a colour of Oklab: Björn Ottosson, "A perceptual color space for image processing", 2020.
Rgb fromOklch(const Oklch &colour)
{
    const double angle = colour.h * std::numbers::pi / 180;
    const double a = colour.c * std::cos(angle), b = colour.c * std::sin(angle);
    const auto cubed = [](double x) { return x * x * x; };
    const double l = cubed(colour.l + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cubed(colour.l - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cubed(colour.l - 0.0894841775 * a - 1.2914855480 * b);
    return {toSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            toSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            toSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// The ends of the scale in the light and the dark theme. The lightness goes from near the background's to far from it;
// one end is yellow, the other violet. Lightness alone shows the order, for readers who do not distinguish colours.
constexpr Oklch lightFrom{0.97, 0.05, 105}, lightTo{0.36, 0.16, -65};
constexpr Oklch darkFrom{0.30, 0.09, -75}, darkTo{0.90, 0.16, 100};

double luminance(Rgb c)
{
    const auto linear = [](std::uint8_t coded) {
        const double x = coded / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

} // namespace

Rgb scaleColour(double share, bool dark)
{
    share = std::clamp(share, 0.0, 1.0);
    const Oklch &from = dark ? darkFrom : lightFrom, &to = dark ? darkTo : lightTo;
    const auto mix = [share](double x, double y) { return x + (y - x) * share; };
    // The chroma rises towards the middle, where colours may be stronger than at both ends.
    const double chroma = mix(from.c, to.c) + 0.10 * std::sin(std::numbers::pi * share);
    return fromOklch({mix(from.l, to.l), chroma, mix(from.h, to.h)});
}

Rgb signedColour(double share, bool dark)
{
    share = std::clamp(share, -1.0, 1.0);
    const double strength = std::abs(share);
    constexpr double blue = 250, orange = 55;
    const double lightness = dark ? 0.27 + 0.50 * strength : 0.97 - 0.42 * strength;
    return fromOklch({lightness, 0.01 + 0.15 * strength, share < 0 ? blue : orange});
}

Rgb kindColour(std::size_t n, bool dark)
{
    constexpr std::array hues{250.0, 60.0, 150.0, 350.0, 100.0, 300.0, 200.0, 30.0};
    const double lift = n % 2 == 0 ? 0.0 : 0.08;
    return fromOklch({dark ? 0.42 + lift : 0.88 - lift, dark ? 0.09 : 0.07, hues[n % hues.size()]});
}

Rgb textOn(Rgb ground) { return luminance(ground) > 0.179 ? Rgb{0, 0, 0} : Rgb{255, 255, 255}; }

} // namespace cutaway::drawing
