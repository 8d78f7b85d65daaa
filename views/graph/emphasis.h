// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"
#include "views/graph/picture.h"

namespace cutaway::views {

/// The highlighted boxes and edges. `boxes` and `edges` have the sizes of the picture, or are empty when nothing is
/// selected.
struct Emphasis {
    std::optional<std::uint32_t> selectedBox;
    std::optional<std::uint32_t> hoveredBox;
    std::vector<bool> boxes; ///< by box: whether it is the selection, inside it, its neighbour, or around one of these
    std::vector<bool> edges; ///< by edge: whether it is highlighted, see emphasize()
    /// By box: the number of matches of a search in it, itself included; empty if there are none.
    std::vector<std::uint32_t> hits;
    bool fadesOthers = false;             ///< whether boxes without matches are faded
    std::vector<std::uint32_t> bookmarks; ///< boxes that have a bookmark, or hide contents that have one
    /// Boxes that make the first NaN or infinity of a run, or contain the hidden node that makes it.
    std::vector<std::pair<std::uint32_t, run::NotFinite::Kind>> notFinite;

    std::uint32_t hitsIn(std::uint32_t box) const { return hits.empty() ? 0 : hits[box]; }
    bool isStrong(std::uint32_t edge) const { return !edges.empty() && edges[edge]; }
    bool isFadedBox(std::uint32_t box) const
    {
        return (!boxes.empty() && !boxes[box]) || (fadesOthers && !hits.empty() && hits[box] == 0);
    }
    /// Whether an edge is faded; one inside the selection is neither strong nor faded.
    bool isFaded(std::uint32_t edge, const layout::Edge &ends) const
    {
        if (edges.empty() || edges[edge])
            return false;
        return !selectedBox || ends.from < *selectedBox || ends.to < *selectedBox || !boxes[ends.from]
            || !boxes[ends.to];
    }
};

/// Highlights the selected box, its neighbours and the edges between them; with `value`, only the edges that carry it
/// and the boxes at their ends. Matches of a search and bookmarks stay. `picture` is nullptr before the first one.
void emphasize(Emphasis &emphasis, const Picture *picture, std::optional<std::uint32_t> selected,
               std::optional<ir::ValueId> value);

} // namespace cutaway::views
