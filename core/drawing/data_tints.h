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

/// The colours of a diagram's boxes by a column of node data: numbers on a scale from the least to the largest one,
/// texts in a colour each. A closed box has the text that all nodes in it have. Boxes of which the column says nothing
/// keep their colours. By box. O(parts + boxes · log parts)
std::vector<std::optional<Tint>> tintsOf(const layout::Diagram &diagram, const layout::Outline &outline,
                                         const node_data::Column &column, Sum sum, const Palette &palette);

} // namespace cutaway::drawing
