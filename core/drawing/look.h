// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/palette.h"
#include "core/layout/diagram.h"
#include "core/layout/marks.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::drawing {

/// The colours of a box that shows how much of something it has.
struct Tint {
    std::optional<Rgb> fill; ///< the fill; nothing if the amount is not known, which is shown by hatching
    Rgb text;
    std::string value; ///< "8.18 GFLOP", drawn in the corner unless it is "" or wider than the box
};

/// How a diagram is drawn.
struct Look {
    const Palette *palette = &lightPalette();
    layout::Marks marks = {};                    ///< the marks of differences, which are shown by a colour and a sign
    std::vector<std::optional<Tint>> tints = {}; ///< by box; nothing, or an empty list: the palette's colours
    std::optional<layout::Rect> part = {};       ///< the visible part of the diagram; nothing: all of it
    double zoom = 2;                             ///< pixels per unit in a PNG, reduced where it would exceed maxPixels

    /// Returns the rectangle that the picture shows.
    layout::Rect bounds(const layout::Diagram &diagram) const { return part.value_or(diagram.bounds); }
};

/// The largest width and height of a PNG.
inline constexpr double maxPixels = 16000;

/// Returns `wanted`, or the largest scale at which a picture of this size keeps to maxPixels.
double zoomWithin(const layout::Rect &bounds, double wanted);

} // namespace cutaway::drawing
