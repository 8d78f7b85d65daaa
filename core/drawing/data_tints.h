// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/look.h"
#include "core/layout/outline.h"
#include "core/node_data/node_data.h"

namespace cutaway::drawing {

/// How the number of a closed box is made from the numbers of the nodes in it.
enum class Sum : std::uint8_t {
    Largest, ///< the largest number, as "max 3.2", for numbers that cannot be added up
    Total,
};

/// The range of the numbers that are shown, from the least to the largest.
struct Scale {
    enum class Kind : std::uint8_t {
        Linear,
        Logarithmic, ///< no number is negative, and they differ by magnitudes
        AroundZero,  ///< some numbers are negative; the range is symmetric around 0
    };
    double least = 0, most = 0;
    Kind kind = Kind::Linear;

    /// Returns the position of a number in the range, from 0 to 1; an infinity is at the end on its side.
    double share(double number) const;
    /// Returns the colour at a position in the range.
    Rgb colour(double share, bool dark) const;
};

struct KindTint {
    std::string text;
    Rgb fill;
};

/// The colours of a diagram's boxes, with the scale or the texts that their legend shows.
struct DataTints {
    /// By box; nothing if the column has no value for the box, which then keeps its own colours.
    std::vector<std::optional<Tint>> boxes;
    std::optional<Scale> scale;  ///< the scale of a column of numbers, if some are shown
    std::vector<KindTint> kinds; ///< the texts of the column, if it has any
    node_data::Unit unit = {};   ///< the unit of the column's numbers
};

/// Returns the colours of a diagram's boxes by a column of node data: numbers get colours of a scale, each text gets a
/// colour of its own. A closed box has a text if all nodes in it have that text. Amounts that are added up are never on
/// a logarithmic scale. O(parts + boxes · log parts)
DataTints tintsOf(const layout::Diagram &diagram, const layout::Outline &outline, const node_data::Column &column,
                  Sum sum, const Palette &palette);

} // namespace cutaway::drawing
