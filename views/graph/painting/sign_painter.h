// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/painting/paint_context.h"

namespace cutaway::views {

/// Paints the marks over boxes: outlines of the selection and of matches, and signs for differences, figures, matches,
/// bookmarks and values that are not finite.
class SignPainter {
public:
    explicit SignPainter(const PaintContext &context) : m_context(context) { }

    void paintAll();

private:
    using Box = layout::Box;

    void outlines();
    void outline(const Box &box, QColor color, double width, double distance);
    bool isHitBox(std::uint32_t i) const;
    void hitCount(std::uint32_t i, const Box &box);
    void badge(std::uint32_t i, const Box &box);
    void heatValue(std::uint32_t i, const Box &box);
    void ribbon(const Box &box);
    void notFinite(const Box &box, run::NotFinite::Kind kind, bool isSecond);

    const PaintContext &m_context;
};

} // namespace cutaway::views
