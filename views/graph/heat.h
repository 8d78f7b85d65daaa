// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"
#include "views/session/figures.h"

namespace cutaway::views {

/// The values that the boxes of a picture are coloured by. A group of equal modules has the value of one of them: their
/// sum would take the whole scale and leave none for what is beside it.
struct Heat {
    Measure measure;
    std::vector<Quantity> boxes;        ///< by box; of a group, the sum
    std::vector<std::uint32_t> members; ///< by box: so many have the sum
    double most = 0;                    ///< the maximum over closed boxes with a known value
    bool someUnknown = false;
    QString example{}; ///< the sizes that formulas are shown at; "" if none is shown

    /// Returns the share of a box, from 0 to 1; nothing if its value is unknown.
    std::optional<double> share(std::uint32_t box) const;
    /// "1.20 GFLOP", "5 × 240 MFLOP"; "" for zero and for an unknown value.
    QString text(std::uint32_t box) const;

private:
    friend Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure);
    std::optional<double> ofOne(std::uint32_t box) const;
};

/// The figures of all boxes of a diagram.
Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure);

} // namespace cutaway::views
