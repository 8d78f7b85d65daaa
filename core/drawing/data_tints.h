// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/look.h"
#include "core/layout/outline.h"
#include "core/node_data/node_data.h"

namespace cutaway::drawing {

/// A closed box shows this of the numbers of the nodes in it.
enum class Sum : std::uint8_t {
    Largest, ///< "max 3.2": of numbers that may be no amounts
    Total,
};

/// The range of the numbers that are shown, from the least to the largest.
struct Scale {
    enum class Kind : std::uint8_t {
        Linear,
        Logarithmic, ///< the numbers are none below 0, and far apart
        AroundZero,  ///< some are below 0; the range is as wide on both sides of it
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

/// The colours of a diagram's boxes, with the scale or the texts that a legend explains them by.
struct DataTints {
    std::vector<std::optional<Tint>> boxes; ///< by box; nothing: the column says nothing of it and it keeps its colours
    std::optional<Scale> scale;             ///< the scale of a column of numbers, if some are shown
    std::vector<KindTint> kinds;            ///< the texts of the column, if it has any
    node_data::Unit unit = {};              ///< the unit of the column's numbers
};

/// The colours of a diagram's boxes by a column of node data: numbers on a scale, texts in a colour each. A closed box
/// has the text that all nodes in it have. Amounts that are added up are never on a logarithmic scale.
/// O(parts + boxes · log parts)
DataTints tintsOf(const layout::Diagram &diagram, const layout::Outline &outline, const node_data::Column &column,
                  Sum sum, const Palette &palette);

} // namespace cutaway::drawing
