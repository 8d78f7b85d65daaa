// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/painting/paint_context.h"

#include <QLineF>

namespace cutaway::views {

/// Paints edges, those of the selection on top, and their labels.
class EdgePainter {
public:
    explicit EdgePainter(const PaintContext &context) : m_context(context) { }

    void paintAll();
    void paintLabels();

private:
    struct FarPen {
        bool strong = false;
        layout::Mark mark = layout::Mark::None;
        double opacity = 1;
        double width() const { return strong ? 2 : 1; } ///< pixels
        bool operator==(const FarPen &) const = default;
    };

    void forEachShownEdge(bool strong, auto &&draw);
    void edge(std::uint32_t i);
    void farEdge(std::uint32_t i, const FarPen &pen);
    QColor farColor(const FarPen &pen) const;
    void drawFarLines();
    void arrowHead(const layout::Edge &edge, QColor color);
    void label(std::uint32_t i);

    const PaintContext &m_context;
    FarPen m_farPen;
    QList<QLineF> m_farLines; ///< lines that are drawn later, all with m_farPen
};

} // namespace cutaway::views
