// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"
#include "core/ir/ids.h"
#include "views/parts/axis.h"

#include <QWidget>

namespace cutaway::views {

class Analysing;
class Document;
class Figures;
class Navigation;
class Session;

/// A roofline plot: a dot for each node at its operations per byte and its attainable operations per second, on
/// logarithmic axes, below the roofs of the device. The area of a dot shows the node's share of the time. A measured
/// node has a ring, too, joined with the dot while the node is hovered or selected.
class Scatter : public QWidget {
    Q_OBJECT

public:
    explicit Scatter(Session &session, QWidget *parent = nullptr);

    /// Reads the figures of the session again.
    void fill();
    /// Returns the position of a node's dot; nothing if it has none.
    std::optional<QPointF> placeOf(ir::NodeId node) const;
    /// Returns the position of a node's ring, which also stands for nodes fused with it; nothing if it has none.
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
    using Dots = std::vector<Dot>; ///< slowest first, so that small dots are not hidden
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

    Analysing &m_analysing;
    Document &m_document;
    Navigation &m_navigation;
    Dots m_dots, m_rings;
    mutable Axis m_x = Axis::logarithmic(Quantity::Unit::Count, 0.1, 1000);
    mutable Axis m_y = Axis::logarithmic(Quantity::Unit::Flop, 1e9, 1e15);
    std::pair<ir::DType, double> m_roof{}; ///< the peak rate in operations per second, and the dtype that it holds for
    std::optional<ir::NodeId> m_hovered;
};

} // namespace cutaway::views
