// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/far_layer.h"
#include "views/graph/painter.h"

#include <QPainter>

namespace cutaway::views {

inline constexpr double smallTextZoom = 0.55; ///< at a smaller zoom, text of 11 px cannot be read
inline constexpr double labelZoom = 0.6;
inline constexpr double shapeZoom = 0.2; ///< at a smaller zoom, corners and arrow heads are not seen

/// Returns the colour between two, `share` of the way from the first.
QColor tinted(QColor a, QColor b, double share);

/// The shared context of the painters of boxes, edges and signs: the painter, the visible area, and the emphasis.
struct PaintContext {
    QPainter &painter; ///< scaled to the diagram
    FarLayer *layer;   ///< the far layer that `painter` paints on, whose pixels may be filled directly; or null
    const Picture &picture;
    const Emphasis &emphasis;
    const drawing::Palette &palette;
    const Tinting *tinting;   ///< the colours of closed boxes; null: boxes keep their own colours
    const Compared *compared; ///< the comparison that is drawn; null if there is none
    double zoom;
    QPointF origin;
    QRectF shown; ///< the diagram's visible part

    /// Calls draw(i, box) for each visible box, with its opacity set.
    void forEachShownBox(auto &&draw) const
    {
        const auto &boxes = picture.diagram().boxes;
        picture.forEachBoxNear(shown, [&](std::uint32_t i) {
            if (!shown.intersects(toQt(boxes[i].rect)) || isHidden(i))
                return;
            painter.setOpacity(isFadedBox(i) ? fadedBox : 1);
            draw(i, boxes[i]);
        });
    }

    layout::Mark markOf(std::uint32_t box) const { return compared ? compared->box(box) : layout::Mark::None; }
    layout::Mark markOfEdge(std::uint32_t edge) const
    {
        return compared ? compared->marks.edges[edge] : layout::Mark::None;
    }
    bool isHidden(std::uint32_t box) const { return compared && compared->hides(markOf(box)); }
    bool isHiddenEdge(std::uint32_t edge) const { return compared && compared->hides(markOfEdge(edge)); }
    bool isFadedBox(std::uint32_t box) const;
    bool isFadedEdge(std::uint32_t edge) const;

    /// Returns a pen that is at least one pixel of the screen wide.
    QPen line(QColor color, double width) const { return {color, std::max(width, 1 / zoom)}; }
    /// Returns a rectangle that is at least so many pixels of the screen wide and high.
    QRectF atLeast(double pixels, const QRectF &rect) const
    {
        return {rect.topLeft(), rect.size().expandedTo(QSizeF(pixels, pixels) / zoom)};
    }
    void fillRect(const QRectF &rect, const QColor &color) const;

    static constexpr double fadedBox = 0.75; ///< a faded box's text stays readable; muted text is not faded further
    static constexpr double fadedLine = 0.4;
};

} // namespace cutaway::views
