// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"
#include "views/graph/picture.h"

namespace cutaway::views {

/// The highlighted boxes and edges. The vectors have the sizes of the picture, or are empty when nothing is selected.
struct Emphasis {
    std::optional<std::uint32_t> selectedBox;
    std::optional<std::uint32_t> hoveredBox;
    std::vector<bool> boxes; ///< selected, its neighbours, what encloses them and what is inside
    std::vector<bool> edges; ///< edges that lead to and from the selection
    /// How many hits of a search are in each box, the box itself included; empty if no search has hits.
    std::vector<std::uint32_t> hits;
    bool fadesOthers = false;             ///< boxes without hits
    std::vector<std::uint32_t> bookmarks; ///< boxes that have one, or hide one
    /// Boxes that make, or hide what makes, the first NaN or infinity of a run.
    std::vector<std::pair<std::uint32_t, run::NotFinite::Kind>> notFinite;

    std::uint32_t hitsIn(std::uint32_t box) const { return hits.empty() ? 0 : hits[box]; }
    bool isStrong(std::uint32_t edge) const { return !edges.empty() && edges[edge]; }
    bool isFadedBox(std::uint32_t box) const
    {
        return (!boxes.empty() && !boxes[box]) || (fadesOthers && !hits.empty() && hits[box] == 0);
    }
    /// Edges inside the selection are neither strong nor faded.
    bool isFaded(std::uint32_t edge, const layout::Edge &ends) const
    {
        if (edges.empty() || edges[edge])
            return false;
        return !selectedBox || ends.from < *selectedBox || ends.to < *selectedBox || !boxes[ends.from]
            || !boxes[ends.to];
    }
};

/// Highlights the selected box, its neighbours and the edges between; with `value`, only the edges that carry it and
/// the boxes at their ends. The hits of a search and bookmarks stay. `picture`: nullptr before the first.
void emphasize(Emphasis &emphasis, const Picture *picture, std::optional<std::uint32_t> selected,
               std::optional<ir::ValueId> value);

} // namespace cutaway::views
