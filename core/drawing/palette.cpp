// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/palette.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <array>

namespace cutaway::drawing {

namespace {

constexpr Rgb rgb(std::uint32_t hex)
{
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

// The Okabe–Ito colours, which people with any colour vision can distinguish. The other categories get darker and
// lighter variants and greys, assigned so that similar colours seldom stand side by side.
using CategoryColours = std::array<Rgb, ops::categoryCount>;
constexpr CategoryColours lightCategories = {
    rgb(0x0072B2), // convolution: blue
    rgb(0xD55E00), // matrix product: vermillion
    rgb(0xCC79A7), // attention: reddish purple
    rgb(0x009E73), // normalization: bluish green
    rgb(0xE69F00), // activation: orange
    rgb(0x56B4E9), // elementwise: sky blue
    rgb(0xE5D716), // reduction: yellow, darkened for contrast on a white card
    rgb(0x9AA3AE), // shape: grey
    rgb(0x6B5B95), // indexing
    rgb(0xC9CED6), // creation: light grey
    rgb(0x1B2430), // control flow: black
    rgb(0x8F3F6B), // quantization: dark purple
    rgb(0x00614A), // recurrent: dark green
    rgb(0xF09A5C), // custom: light vermillion
    rgb(0xB4BAC2), // unknown
};
constexpr CategoryColours darkCategories = {
    rgb(0x3A9BDC), rgb(0xE8762B), rgb(0xD990B8), rgb(0x1FB88C), rgb(0xE9A820),
    rgb(0x7CC7F0), rgb(0xF0E442), rgb(0x8A94A3), rgb(0x9A8AC8), rgb(0x66707E),
    rgb(0xE8ECF1), rgb(0xB8668F), rgb(0x3F8F78), rgb(0xF2AE7C), rgb(0x727C8A),
};

constexpr std::array lightFills = {rgb(0xF2F5F9), rgb(0xE8EDF4), rgb(0xDEE5EF), rgb(0xD4DDE9), rgb(0xCAD5E4)};
constexpr std::array lightBorders = {rgb(0xCBD5E1), rgb(0xBFCBD9), rgb(0xB2C0D1), rgb(0xA6B5C8), rgb(0x9AAABF)};
constexpr std::array darkFills = {rgb(0x20262E), rgb(0x272E38), rgb(0x2E3742), rgb(0x36404C), rgb(0x3D4856)};
constexpr std::array darkBorders = {rgb(0x3A4552), rgb(0x434F5E), rgb(0x4C596A), rgb(0x556375), rgb(0x5E6D80)};

template <class Colours>
Rgb atDepth(const Colours &colours, int depth)
{
    return colours[static_cast<std::size_t>(std::clamp(depth, 0, static_cast<int>(colours.size()) - 1))];
}

} // namespace

Rgb Palette::moduleFill(int depth) const { return dark ? atDepth(darkFills, depth) : atDepth(lightFills, depth); }

Rgb Palette::moduleBorder(int depth) const { return dark ? atDepth(darkBorders, depth) : atDepth(lightBorders, depth); }

Rgb Palette::category(ops::Category category) const
{
    return (dark ? darkCategories : lightCategories)[static_cast<std::size_t>(category)];
}

Rgb Palette::mark(layout::Mark mark) const
{
    switch (mark) {
    case layout::Mark::Added: // bluish green
        return dark ? rgb(0x2CC79B) : rgb(0x00785A);
    case layout::Mark::Removed: // vermillion
        return dark ? rgb(0xF08A4B) : rgb(0xB84A00);
    case layout::Mark::Changed: // purple
        return dark ? rgb(0xC39BE8) : rgb(0x7A4FB5);
    case layout::Mark::Absent:
    case layout::Mark::None:
        break;
    }
    return edge;
}

const Palette &lightPalette()
{
    static constexpr Palette palette{.canvas = rgb(0xFBFCFD),
                                     .card = rgb(0xFFFFFF),
                                     .cardBorder = rgb(0xC3CCD8),
                                     .text = rgb(0x1B2430),
                                     .mutedText = rgb(0x505B6B),
                                     .edge = rgb(0x7C8999),
                                     .edgeLabel = rgb(0x505B6B),
                                     .selection = rgb(0x0072B2),
                                     .input = rgb(0xE4EFF7),
                                     .dark = false};
    return palette;
}

std::string colour(Rgb c) { return formatted("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

const Palette &darkPalette()
{
    static constexpr Palette palette{.canvas = rgb(0x191E24),
                                     .card = rgb(0x262D36),
                                     .cardBorder = rgb(0x4A5666),
                                     .text = rgb(0xE8ECF1),
                                     .mutedText = rgb(0xAEB9C7),
                                     .edge = rgb(0x8A97A8),
                                     .edgeLabel = rgb(0xAEB9C7),
                                     .selection = rgb(0x56B4E9),
                                     .input = rgb(0x1F3647),
                                     .dark = true};
    return palette;
}

} // namespace cutaway::drawing
