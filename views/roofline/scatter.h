// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/axis.h"
#include "views/session/session.h"

#include <QWidget>

namespace cutaway::views {

/// Nodes by operations per byte and by what a device reaches with them, both logarithmic, under the device's roofs. The
/// area of a dot is its share of the time. What was measured is a ring, joined with its dot when one looks at it.
class Scatter : public QWidget {
    Q_OBJECT

public:
    explicit Scatter(Session &session, QWidget *parent = nullptr);

    /// Takes the figures of the session anew.
    void fill();
    /// Where a node's dot is; nothing for one that has none.
    std::optional<QPointF> placeOf(ir::NodeId node) const;
    /// The same of its ring, with which stands all that runs as one with it.
    std::optional<QPointF> measuredPlaceOf(ir::NodeId node) const;
    std::size_t dotCount() const { return m_dots.size(); }
    std::size_t ringCount() const { return m_rings.size(); }

    QSize sizeHint() const override { return {640, 220}; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    struct Dot {
        ir::NodeId node;
        double intensity, speed, seconds;
    };
    using Dots = std::vector<Dot>; ///< the slowest first, so that small ones are not hidden
    static Dots predicted(const Figures &figures);
    static Dots measured(const Figures &figures);
    QPointF placeOf(const Dot &dot) const;
    std::optional<QPointF> placeOf(const Dots &dots, ir::NodeId node) const;
    static double radiusOf(const Dots &dots, const Dot &dot);
    const Dot *nearest(const Dots &dots, QPointF position) const;
    std::optional<ir::NodeId> nodeAt(QPointF position) const;
    void placeAxes() const;
    void drawRoofs(QPainter &painter, const QRectF &area) const;
    void drawDots(QPainter &painter, const Dots &dots, bool asRings) const;
    void drawEmphasis(QPainter &painter, ir::NodeId node, double width) const;
    void drawLegend(QPainter &painter, const QRectF &area) const;
    QString textOf(ir::NodeId node) const;

    Session &m_session;
    Dots m_dots, m_rings;
    mutable Axis m_x = Axis::logarithmic(Quantity::Unit::Count, 0.1, 1000);
    mutable Axis m_y = Axis::logarithmic(Quantity::Unit::Flop, 1e9, 1e15);
    std::pair<ir::DType, double> m_roof{}; ///< of products
    std::optional<ir::NodeId> m_hovered;
};

} // namespace cutaway::views
