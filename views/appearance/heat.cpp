// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/appearance/heat.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutaway::views {
namespace {

/// A colour by lightness, chroma and hue (degrees) of Oklab, in which equal distances look equal.
struct Oklch {
    double l, c, h;
};

double toSrgb(double linear)
{
    linear = std::clamp(linear, 0.0, 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// Björn Ottosson, "A perceptual color space for image processing", 2020.
QColor fromOklch(const Oklch &colour)
{
    const double angle = colour.h * std::numbers::pi / 180;
    const double a = colour.c * std::cos(angle), b = colour.c * std::sin(angle);
    const auto cubed = [](double x) { return x * x * x; };
    const double l = cubed(colour.l + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cubed(colour.l - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cubed(colour.l - 0.0894841775 * a - 1.2914855480 * b);
    return QColor::fromRgbF(static_cast<float>(toSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
                            static_cast<float>(toSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
                            static_cast<float>(toSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)));
}

// From the ground's side to the far side of lightness, yellow to violet: lightness alone tells the order, so colour
// vision does not matter.
constexpr Oklch lightFrom{0.97, 0.05, 105}, lightTo{0.36, 0.16, -65};
constexpr Oklch darkFrom{0.30, 0.09, -75}, darkTo{0.90, 0.16, 100};

double luminance(const QColor &c)
{
    const auto linear = [](double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

QColor heatColor(double share, bool dark)
{
    const Oklch &from = dark ? darkFrom : lightFrom, &to = dark ? darkTo : lightTo;
    const auto mix = [t = std::clamp(share, 0.0, 1.0)](double x, double y) { return x + (y - x) * t; };
    // The middle may be more colourful than both ends.
    const double chroma = mix(from.c, to.c) + 0.10 * std::sin(std::numbers::pi * std::clamp(share, 0.0, 1.0));
    return fromOklch({mix(from.l, to.l), chroma, mix(from.h, to.h)});
}

QColor textOn(const QColor &ground) { return luminance(ground) > 0.179 ? QColor(Qt::black) : QColor(Qt::white); }

} // namespace cutaway::views
