// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/palette.h"
#include "core/layout/marks.h"
#include "views/graph/emphasis.h"
#include "views/graph/picture.h"
#include "views/graph/tinting.h"
#include "views/graph/viewport.h"

class QPainter;

namespace cutaway::views {

/// The zoom from which on the names on boxes can be read.
inline constexpr double titleZoom = 0.5;

/// Which state of a picture of two states is drawn.
enum class Side { Both, Before, After };

/// How a comparison is drawn.
struct Compared {
    const layout::Marks &marks;
    Side side = Side::Both;
    bool fadesUnchanged = false;

    layout::Mark box(std::uint32_t box) const { return marks.boxes[box].mark; }
    bool hides(layout::Mark mark) const
    {
        return mark == layout::Mark::Absent || (side == Side::Before && mark == layout::Mark::Added)
            || (side == Side::After && mark == layout::Mark::Removed);
    }
};

/// Draws the part of the picture in `viewport` into a rectangle of `size` at the painter's origin. Text that would be
/// too small to read is left out; colours and module titles stay. With `tinting`, closed boxes are filled with its
/// colours; with `compared`, differences have colours and signs.
void paint(QPainter &painter, const Picture &picture, const Emphasis &emphasis, const Viewport &viewport, QSizeF size,
           const drawing::Palette &palette, const Tinting *tinting = nullptr, const Compared *compared = nullptr);

} // namespace cutaway::views
