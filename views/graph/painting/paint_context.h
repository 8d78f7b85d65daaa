// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/far_layer.h"
#include "views/graph/painter.h"

namespace cutaway::views {

inline constexpr double smallTextZoom = 0.55; ///< below, text of 11 px is no longer read
inline constexpr double labelZoom = 0.6;
inline constexpr double shapeZoom = 0.2; ///< below, corners and arrow heads are not seen

/// Returns the colour between two, `share` of the way from the first.
QColor tinted(QColor a, QColor b, double share);

/// The painters of boxes, edges and signs share this: where they paint, the part that is in sight, and what stands out.
struct PaintContext {
    QPainter &painter; ///< scaled to the diagram
    FarLayer *layer;   ///< the layer that `painter` paints on, to be filled without it; or null
    const Picture &picture;
    const Emphasis &emphasis;
    const drawing::Palette &palette;
    const Tinting *tinting;   ///< or null
    const Compared *compared; ///< or null
    double zoom;
    QPointF origin;
    QRectF shown; ///< the diagram's part that is in sight

    /// Calls draw(i, box) for each box in sight, with the opacity that it has.
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

    static constexpr double fadedBox = 0.75; ///< its text stays readable: what is muted anyway is not faded
    static constexpr double fadedLine = 0.4;
};

} // namespace cutaway::views
