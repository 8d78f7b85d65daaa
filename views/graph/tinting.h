// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/data_tints.h"
#include "views/graph/heat.h"
#include "views/session/annotations/colouring.h"

#include <QColor>
#include <variant>

namespace cutaway::views {

/// The boxes of a picture by a column of node data, in both themes.
struct ColumnTints {
    ByColumn column;
    drawing::DataTints light, dark;

    const drawing::DataTints &in(bool isDark) const { return isDark ? dark : light; }
};

/// A colouring of the boxes of a picture that replaces that by categories.
using Tinting = std::variant<Heat, ColumnTints>;

/// `column`: if the function that is drawn has more nodes, the others have no cells.
ColumnTints columnTints(const layout::Diagram &diagram, const layout::Outline &outline,
                        const node_data::Column &column);

/// The colour of a box; no fill: hatched, since it is not known how much it has.
struct BoxColour {
    std::optional<QColor> fill;
};
/// Returns the colour of a box; nothing if the box keeps its own colours.
std::optional<BoxColour> colourOf(const Tinting &tinting, const layout::Box &box, std::uint32_t index, bool isDark);
/// The value of a box, for its corner; "" for none.
QString valueOf(const Tinting &tinting, std::uint32_t index);

} // namespace cutaway::views
