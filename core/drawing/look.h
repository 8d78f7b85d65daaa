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
    std::optional<Rgb> fill; ///< nothing: hatched, since it is not known how much
    Rgb text;
    std::string value; ///< "8.18 GFLOP", at the corner; not drawn if it is "" or longer than the box
};

/// How a diagram is drawn.
struct Look {
    const Palette *palette = &lightPalette();
    layout::Marks marks = {};                    ///< differences have a colour and a sign
    std::vector<std::optional<Tint>> tints = {}; ///< by box; nothing, or empty: in the colours of the palette
    std::optional<layout::Rect> part = {};       ///< only what lies here; else all of the diagram
    double zoom = 2;                             ///< pixels per unit in a PNG; less where it would exceed maxPixels

    /// Returns the rectangle that the picture shows.
    layout::Rect bounds(const layout::Diagram &diagram) const { return part.value_or(diagram.bounds); }
};

/// The largest width and height of a PNG.
inline constexpr double maxPixels = 16000;

/// Returns `wanted`, or the largest scale at which a picture of this size keeps to maxPixels.
double zoomWithin(const layout::Rect &bounds, double wanted);

} // namespace cutaway::drawing
