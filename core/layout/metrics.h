// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

/// Sizes shared by layout and drawing, in pixels at 100 %.
namespace cutaway::layout::metrics {
inline constexpr double titleFont = 13;
inline constexpr double smallFont = 11; ///< Muted, Detail, Weight, edge labels
inline constexpr double titleRow = 20;  ///< height of a row with a title
inline constexpr double smallRow = 16;  ///< height of any other row
inline constexpr double barWidth = 4;   ///< the category's bar along a card's left side
inline constexpr double paddingX = 12;  ///< left and right of a card's text, bar included
inline constexpr double paddingY = 6;   ///< above the first and below the last row
inline constexpr double titleGap = 8;   ///< between a title and the muted text on its row
inline constexpr double minCardWidth = 72;
inline constexpr double cardRadius = 4;
inline constexpr double moduleRadius = 8;
inline constexpr int stackSheets = 2;      ///< sheets drawn behind a closed group,
inline constexpr double stackStep = 3;     ///< each shifted right and down by this, outside its rect
inline constexpr double headerHeight = 32; ///< strip of an open box that holds its first row
inline constexpr double titleInset = (headerHeight - titleRow) / 2; ///< above and below the text of a header
inline constexpr double boxPadding = 16;                            ///< between an open box's sides and its contents
inline constexpr double nodeGap = 24;                               ///< between neighbours
inline constexpr double rankGap = 36;                               ///< between rows of boxes
inline constexpr double margin = 24;                                ///< around the whole diagram
inline constexpr double wantedAspect = 1.4; ///< preferred width / height of freely arranged contents
inline constexpr double labelHeight = 14;
inline constexpr double labelPadding = 3; ///< left and right of an edge's label inside its labelRect
inline constexpr double stubLength = 14;  ///< length of a stub's line above its reader,
inline constexpr double stubRoom = 30;    ///< and with its label; less than rankGap
inline constexpr double arrowLength = 7;
inline constexpr double arrowWidth = 6;
} // namespace cutaway::layout::metrics
