// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/mark.h"
#include "core/ops/category.h"

#include <cstdint>
#include <string>

namespace cutaway::drawing {

struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb &) const = default;
};

std::string colour(Rgb c); ///< "#56b4e9", as SVG and HTML write it

/// The colours of a diagram in the light or the dark theme, for the window and for files. Text has a contrast of at
/// least 4.5:1 to its background.
struct Palette {
    Rgb canvas, card, cardBorder, text, mutedText, edge, edgeLabel, selection, input;
    Rgb moduleFill(int depth) const; ///< the fill of a module, which gets a shade darker with each nesting level
    Rgb moduleBorder(int depth) const;
    Rgb category(ops::Category category) const; ///< the colour of a card's bar, from the Okabe–Ito colours
    Rgb mark(layout::Mark mark) const; ///< the colour of added, removed and changed things; that of edges for None
    Rgb markText() const { return dark ? canvas : card; } ///< colour of text on a mark
    bool dark = false;
};

const Palette &lightPalette();
const Palette &darkPalette();

} // namespace cutaway::drawing
