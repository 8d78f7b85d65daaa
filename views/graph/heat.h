// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"
#include "views/session/figures.h"

namespace cutaway::views {

/// What the boxes of a picture are coloured by, beside their category.
struct Heat {
    Measure measure;
    std::vector<Quantity> boxes; ///< by box
    double most = 0;             ///< of the closed boxes that are known
    bool someUnknown = false;
    bool someFormula = false;

    /// From 0 to 1; nothing for what is not known.
    std::optional<double> share(std::uint32_t box) const;
};

Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure);

} // namespace cutaway::views
