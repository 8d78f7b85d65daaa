// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/axis.h"
#include "views/session/session.h"

#include <QWidget>

namespace cutaway::views {

/// Nodes by operations per byte and by what a device reaches with them, both logarithmic, under the device's roofs. The
/// area of a dot is its share of the time.
class Scatter : public QWidget {
    Q_OBJECT

public:
    explicit Scatter(Session &session, QWidget *parent = nullptr);

    /// Takes the figures of the session anew.
    void fill();
    /// Where a node's dot is; nothing for one that has none.
    std::optional<QPointF> placeOf(ir::NodeId node) const;
    std::size_t dotCount() const { return m_dots.size(); }

    QSize sizeHint() const override { return {640, 220}; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    struct Dot {
        ir::NodeId node;
        double intensity, speed, seconds;
    };
    QPointF placeOf(const Dot &dot) const;
    double radiusOf(const Dot &dot) const;
    const Dot *dotAt(QPointF position) const;
    void placeAxes() const;
    void drawRoofs(QPainter &painter, const QRectF &area) const;
    void drawDots(QPainter &painter) const;
    QString textOf(const Dot &dot) const;

    Session &m_session;
    std::vector<Dot> m_dots; ///< the slowest first, so that small ones are not hidden
    mutable Axis m_x = Axis::logarithmic(Quantity::Unit::Count, 0.1, 1000);
    mutable Axis m_y = Axis::logarithmic(Quantity::Unit::Flop, 1e9, 1e15);
    double m_slowest = 0;
    std::pair<ir::DType, double> m_roof{}; ///< of products
};

} // namespace cutaway::views
