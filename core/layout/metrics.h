// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

/// Sizes shared by layout and drawing, in pixels at 100 %.
namespace cutaway::layout::metrics {
inline constexpr double titleFont = 13;
inline constexpr double smallFont = 11; ///< font size of Muted, Detail and Weight lines and of edge labels
inline constexpr double titleRow = 20;  ///< height of a row with a title
inline constexpr double smallRow = 16;  ///< height of any other row
inline constexpr double barWidth = 4;   ///< the category's bar along a card's left side
inline constexpr double paddingX = 12;  ///< to the left and right of a card's text, the bar included
inline constexpr double paddingY = 6;   ///< above the first row and below the last one
inline constexpr double titleGap = 8;   ///< between a title and the muted text on its row
inline constexpr double minCardWidth = 72;
inline constexpr double cardRadius = 4;
inline constexpr double moduleRadius = 8;
inline constexpr int stackSheets = 2;      ///< number of sheets drawn behind a closed group
inline constexpr double stackStep = 3;     ///< the offset of each further sheet of a stack, to the right and down
inline constexpr double headerHeight = 32; ///< height of an open box's header, which has its first row of text
inline constexpr double titleInset = (headerHeight - titleRow) / 2; ///< above and below the text of a header
inline constexpr double boxPadding = 16;                            ///< between an open box's sides and its contents
inline constexpr double nodeGap = 24;                               ///< between neighbouring boxes of a row
inline constexpr double rankGap = 36;                               ///< between rows of boxes
inline constexpr double margin = 24;                                ///< around the whole diagram
inline constexpr double wantedAspect = 1.4; ///< preferred width / height of freely arranged contents
inline constexpr double labelHeight = 14;
inline constexpr double labelPadding = 3; ///< left and right of an edge's label inside its labelRect
inline constexpr double stubLength = 14;  ///< length of a stub's line above its reader
inline constexpr double stubRoom = 30;    ///< height of a stub's line and label; less than rankGap
inline constexpr double arrowLength = 7;
inline constexpr double arrowWidth = 6;
} // namespace cutaway::layout::metrics
