// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"
#include "views/session/figures.h"

namespace cutaway::views {

/// The values that the boxes of a picture are coloured by. A group of equal modules is coloured by the value of one
/// member: with the sum, the group would take the whole scale and leave none for the boxes beside it.
struct Heat {
    Measure measure;
    std::vector<Quantity> boxes;        ///< by box: its value; for a group, the sum of its members
    std::vector<std::uint32_t> members; ///< by box: the number of members in that sum; 1 where nothing is summed
    double most = 0;                    ///< the largest known value of closed boxes; of a group, that of one member
    bool someUnknown = false;
    QString example{}; ///< the sizes that formulas are shown at; "" if none is shown

    /// Returns the value of a box, of a group that of one member, divided by `most`: from 0 to 1; nothing if it is
    /// unknown.
    std::optional<double> share(std::uint32_t box) const;
    /// Returns the value of a box: "1.20 GFLOP", or "5 × 240 MFLOP" for a group; "" for zero and if it is unknown.
    QString text(std::uint32_t box) const;

private:
    friend Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure);
    std::optional<double> ofOne(std::uint32_t box) const;
};

/// Returns the values of all boxes of a diagram.
Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure);

} // namespace cutaway::views
