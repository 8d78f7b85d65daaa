// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/data_tints.h"
#include "views/graph/heat.h"
#include "views/session/annotations/colouring.h"

#include <QColor>
#include <variant>

namespace cutaway::views {

/// The colours that a column of node data gives the boxes of a picture, for both themes.
struct ColumnTints {
    ByColumn column;
    drawing::DataTints light, dark;

    const drawing::DataTints &in(bool isDark) const { return isDark ? dark : light; }
};

/// A colouring of boxes that replaces the colours of categories.
using Tinting = std::variant<Heat, ColumnTints>;

/// Returns the colours that a column gives the boxes of a diagram. Nodes beyond the column's cells have no value.
ColumnTints columnTints(const layout::Diagram &diagram, const layout::Outline &outline,
                        const node_data::Column &column);

/// The colour of a box. Without `fill` the box is hatched, since its value is unknown.
struct BoxColour {
    std::optional<QColor> fill;
};
/// Returns the colour of a box; nothing if the box keeps its own colours.
std::optional<BoxColour> colourOf(const Tinting &tinting, const layout::Box &box, std::uint32_t index, bool isDark);
/// Returns the text of a box's value for its corner; "" if it has none.
QString valueOf(const Tinting &tinting, std::uint32_t index);

} // namespace cutaway::views
