// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/palette.h"
#include "core/layout/marks.h"
#include "views/graph/heat.h"
#include "views/graph/picture.h"
#include "views/graph/viewport.h"

#include <QPainter>

namespace cutaway::views {

/// What stands out in a picture. Sizes are the picture's, or zero when nothing is selected.
struct Emphasis {
    std::optional<std::uint32_t> selectedBox;
    std::optional<std::uint32_t> hoveredBox;
    std::vector<bool> boxes; ///< selected, its neighbours, what encloses them and what is inside
    std::vector<bool> edges; ///< that lead to and from the selection

    bool isStrong(std::uint32_t edge) const { return !edges.empty() && edges[edge]; }
    bool isFadedBox(std::uint32_t box) const { return !boxes.empty() && !boxes[box]; }
    /// Inside what is selected edges are neither.
    bool isFaded(std::uint32_t edge, const layout::Edge &ends) const
    {
        if (edges.empty() || edges[edge])
            return false;
        return !selectedBox || ends.from < *selectedBox || ends.to < *selectedBox || !boxes[ends.from]
            || !boxes[ends.to];
    }
};

/// Which of two states is drawn of a picture that has both.
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

/// Draws what `viewport` shows of the picture into a rectangle at the painter's origin, of `size`. Text that would be
/// too small to read is left out; colours and module titles stay. With `heat`, closed boxes are filled by it; with
/// `compared` what differs has its colour and sign.
void paint(QPainter &painter, const Picture &picture, const Emphasis &emphasis, const Viewport &viewport, QSizeF size,
           const drawing::Palette &palette, const Heat *heat = nullptr, const Compared *compared = nullptr);

} // namespace cutaway::views
