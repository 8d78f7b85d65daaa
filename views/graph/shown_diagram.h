// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/look.h"
#include "views/graph/painter.h"

#include <memory>

namespace cutaway::views {

/// The diagram of a graph view as it looks there, to be written to a file.
struct ShownDiagram {
    std::shared_ptr<const layout::Diagram> diagram;
    drawing::Look look; ///< how it looks; its `part` is the visible area
};

/// Returns a look with the colours and signs that paint() gives, in this palette, without what `compared` hides.
drawing::Look lookOf(const Picture &picture, const Tinting *tinting, const Compared *compared,
                     const drawing::Palette &palette);

/// Returns the viewport that centres `part` in a room, as large as it fits.
Viewport filling(const QRectF &part, QSizeF room);

} // namespace cutaway::views
