// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/text_measure.h"

#include "core/layout/metrics.h"

#include <array>

namespace cutaway::layout {

namespace {

/// The widths of ' ' to '~' in hundredths of the font size, from a very wide sans.
constexpr std::array<unsigned char, 95> advances = {
    32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 99, 69, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79,
    60, 79, 70, 64, 61, 73, 69, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 64, 55, 64, 62, 35, 64,
    63, 28, 28, 58, 28, 97, 63, 61, 64, 64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84,
};
constexpr double wideCharacter = 1.0; ///< for CJK and everything else that is not ASCII or Latin
constexpr double latinCharacter = 0.66;
constexpr double monospaceCharacter = 0.602;
constexpr double averageWidth = 0.95; ///< a factor for the table, since most fonts are narrower

std::size_t sequenceLength(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

} // namespace

double approximateTextWidth(std::string_view text, Line::Style style)
{
    const bool monospace = style == Line::Style::Weight;
    double em = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t length = sequenceLength(c);
        if (length >= 3)
            em += wideCharacter;
        else if (monospace)
            em += monospaceCharacter;
        else
            em += length == 2          ? latinCharacter
                : c >= ' ' && c <= '~' ? advances[c - ' '] * averageWidth / 100
                                       : wideCharacter;
        i += length;
    }
    return em * (style == Line::Style::Title ? metrics::titleFont : metrics::smallFont);
}

} // namespace cutaway::layout
