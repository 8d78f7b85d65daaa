// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/painting/paint_context.h"

namespace cutaway::views {

/// Paints boxes with their texts: open ones as frames, closed ones as cards. From far both are filled rectangles.
class BoxPainter {
public:
    explicit BoxPainter(const PaintContext &context) : m_context(context) { }

    void openBox(std::uint32_t i, const layout::Box &box);
    void card(std::uint32_t i, const layout::Box &box);

private:
    using Box = layout::Box;
    using Style = layout::Line::Style;

    /// How a box looks if neither marks nor figures change its colours.
    struct Look {
        QColor fill, border;
        double radius;
    };

    Look lookOf(const Box &box) const;
    void shape(const Box &box, double radius);
    void farFrame(const QRectF &rect, QColor border, QColor fill);
    bool isSpeck(const Box &box) const;
    void drawSpeck(std::uint32_t i, const Box &box);
    std::optional<BoxColour> colourAt(std::uint32_t i, const Box &box) const;
    QPen marked(layout::Mark mark) const;
    QBrush brushOf(const BoxColour &colour, QColor fill) const;
    void categoryBar(const Box &box, QColor color, bool isTinted);
    void titles(std::uint32_t i, const Box &box);
    QColor textColor(std::uint32_t i, const Box &box, Style style) const;
    void text(std::uint32_t i, const Box &box);
    bool hasNoteBeside(std::uint32_t i, const layout::PlacedLine &line) const;
    void smallTitle(const Box &box, QPointF origin, const QString &text);
    QRectF onScreen(const Box &box) const;
    void farTitle(std::uint32_t i, const Box &box);
    void farHeader(std::uint32_t i, const Box &box);
    void drawFarText(std::uint32_t i, const Box &box, const QRectF &room, Qt::Alignment place, int pixels);
    void disclosure(std::uint32_t i, const Box &box);

    const PaintContext &m_context;
};

} // namespace cutaway::views
