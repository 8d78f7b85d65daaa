// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"
#include "views/session/figures.h"

namespace cutaway::views {

/// The values that the boxes of a picture are coloured by.
struct Heat {
    Measure measure;
    std::vector<Quantity> boxes; ///< by box
    double most = 0;             ///< the maximum over closed boxes with a known value
    bool someUnknown = false;
    bool someFormula = false;

    /// From 0 to 1; nothing if the value is unknown.
    std::optional<double> share(std::uint32_t box) const;
};

Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure);

} // namespace cutaway::views
