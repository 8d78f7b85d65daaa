// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/geometry.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>

namespace cutaway::views {

/// Which part of a diagram a widget shows: `origin` is the diagram's point at the widget's top left corner.
struct Viewport {
    static constexpr double minZoom = 0.002;
    static constexpr double maxZoom = 4;

    QPointF origin;
    double zoom = 1;

    QPointF toScreen(QPointF p) const { return (p - origin) * zoom; }
    QPointF toDiagram(QPointF p) const { return p / zoom + origin; }
    QRectF shownRect(QSizeF widget) const { return {origin, widget / zoom}; }

    /// Zooms so that the diagram's point under `screen` stays there.
    void zoomAt(QPointF screen, double factor)
    {
        const QPointF fixed = toDiagram(screen);
        zoom = std::clamp(zoom * factor, minZoom, maxZoom);
        origin = fixed - screen / zoom;
    }
    void pan(QPointF screenDelta) { origin -= screenDelta / zoom; }
    void centreOn(QPointF point, QSizeF widget)
    {
        origin = point - QPointF(widget.width(), widget.height()) / (2 * zoom);
    }
};

/// Shows all of `content`, centred, at 100 % at most.
inline Viewport fitted(const QRectF &content, QSizeF widget, double margin = 16)
{
    Viewport view;
    const double across = (widget.width() - 2 * margin) / std::max(content.width(), 1.0);
    const double down = (widget.height() - 2 * margin) / std::max(content.height(), 1.0);
    view.zoom = std::clamp(std::min(across, down), Viewport::minZoom, 1.0);
    view.centreOn(content.center(), widget);
    return view;
}

/// The initial view: all of the content if that is readable, else its top at the smallest readable size, with `start`
/// visible.
inline Viewport opening(const QRectF &content, QSizeF widget, QPointF start, double minReadable = 0.75)
{
    Viewport view = fitted(content, widget);
    if (view.zoom >= minReadable)
        return view;
    view.zoom = minReadable;
    const double room = widget.width() / view.zoom, margin = 16 / view.zoom;
    view.centreOn(content.center(), widget);
    if (content.width() > room)
        view.origin.setX(std::clamp(start.x() - room / 2, content.left() - margin, content.right() - room + margin));
    view.origin.setY(content.top());
    return view;
}

inline QRectF toQt(const layout::Rect &r) { return {r.x, r.y, r.width, r.height}; }
inline QPointF toQt(layout::Point p) { return {p.x, p.y}; }

} // namespace cutaway::views
