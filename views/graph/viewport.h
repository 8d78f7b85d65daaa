// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/geometry.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

/// The part of a diagram that a widget shows: `origin` is the diagram's point at the widget's top left corner.
struct Viewport {
    static constexpr double minZoom = 0.002;
    static constexpr double maxZoom = 4;
    static constexpr double zoomStep = 1.25; ///< the factor of the zoom for a key, and for a notch of the wheel

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

/// Returns the viewport that shows all of `content`, centred, at 100 % at most.
inline Viewport fitted(const QRectF &content, QSizeF widget, double margin = 16)
{
    Viewport view;
    const double across = (widget.width() - 2 * margin) / std::max(content.width(), 1.0);
    const double down = (widget.height() - 2 * margin) / std::max(content.height(), 1.0);
    view.zoom = std::clamp(std::min(across, down), Viewport::minZoom, 1.0);
    view.centreOn(content.center(), widget);
    return view;
}

/// Returns the initial view. It shows all of the content if the names on it can be read then. Else it shows the top at
/// a readable zoom, or at a smaller one if that makes the whole width visible. A wider content is cut off at both sides
/// so that the point `start` is visible.
inline Viewport opening(const QRectF &content, QSizeF widget, QPointF start)
{
    constexpr double wholeReadable = 0.66, partReadable = 0.75, leastReadable = 0.6, side = 16;
    Viewport view = fitted(content, widget);
    if (view.zoom >= wholeReadable)
        return view;
    const double across = (widget.width() - 2 * side) / std::max(content.width(), 1.0);
    view.zoom = across < leastReadable ? partReadable : std::min(across, partReadable);
    const double room = widget.width() / view.zoom, margin = side / view.zoom;
    view.centreOn(content.center(), widget);
    // How far the diagram around the start has to be visible, about the width of a box.
    constexpr double aroundStart = 100;
    const bool isStartSeen = std::abs(start.x() - content.center().x()) + aroundStart <= room / 2;
    if (content.width() > room && !isStartSeen)
        view.origin.setX(std::clamp(start.x() - room / 2, content.left() - margin, content.right() - room + margin));
    if (content.height() > widget.height() / view.zoom)
        view.origin.setY(content.top());
    return view;
}

/// Returns the view with a box in the middle at a readable zoom: all of it if there is room, else its upper left part.
inline Viewport revealing(const QRectF &box, QSizeF widget, double zoom)
{
    constexpr double margin = 48, minReadable = 0.6, comfortable = 0.8;
    const double whole = fitted(box, widget, margin).zoom;
    Viewport view;
    view.zoom = std::max(std::min(std::clamp(zoom, comfortable, 1.0), whole), minReadable);
    view.centreOn(box.center(), widget);
    if (box.width() * view.zoom > widget.width() - margin)
        view.origin.setX(box.left() - margin / view.zoom);
    if (box.height() * view.zoom > widget.height() - margin)
        view.origin.setY(box.top() - margin / view.zoom);
    return view;
}

/// Returns the viewport moved by as little as shows all of a box, or its beginning if there is no room for all.
inline Viewport showing(Viewport view, const QRectF &box, QSizeF widget)
{
    const double margin = 24 / view.zoom;
    const auto moved = [margin](double at, double room, double low, double high) {
        const double last = high + margin - room;
        return at < last ? std::min(last, low - margin) : std::min(at, low - margin);
    };
    const QSizeF room = widget / view.zoom;
    view.origin = {moved(view.origin.x(), room.width(), box.left(), box.right()),
                   moved(view.origin.y(), room.height(), box.top(), box.bottom())};
    return view;
}

/// Returns the viewport moved so that a part of `content` is visible: a quarter of the widget, or everything there is.
inline Viewport held(Viewport view, const QRectF &content, QSizeF widget)
{
    const auto moved = [](double at, double room, double low, double high) {
        const double kept = std::min(room / 4, high - low);
        return std::clamp(at, low + kept - room, high - kept);
    };
    const QSizeF room = widget / view.zoom;
    view.origin = {moved(view.origin.x(), room.width(), content.left(), content.right()),
                   moved(view.origin.y(), room.height(), content.top(), content.bottom())};
    return view;
}

/// Returns a rectangle or point of a diagram as Qt's type.
inline QRectF toQt(const layout::Rect &r) { return {r.x, r.y, r.width, r.height}; }
inline QPointF toQt(layout::Point p) { return {p.x, p.y}; }

} // namespace cutaway::views
