// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/layout/text_measure.h"

#include <vector>

namespace cutaway::layout {

/// A line of a box with its position: `origin` is the left end of its baseline, in the diagram's coordinates.
struct PlacedLine {
    std::size_t line = 0; ///< index in Box::lines
    Point origin;
};

/// Returns the size of a closed box with these lines. A Muted line right after the Title is on the title's row.
Size cardSize(const std::vector<Line> &lines, Box::Kind kind, const TextMeasure &measure);

/// Returns the width that an open box's header needs.
double headerWidth(const std::vector<Line> &lines, const TextMeasure &measure);

/// Returns the lines to draw on a box: all lines of a closed box, the first row of an open one.
std::vector<PlacedLine> placeLines(const Box &box, const TextMeasure &measure);

/// Returns `text` with its middle replaced by an ellipsis if it has more than `limit` characters. The full text must be
/// shown elsewhere (tooltip, inspector).
std::string shortened(std::string_view text, std::size_t limit);

} // namespace cutaway::layout
