// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace cutaway::run {
struct Timing;
}

namespace cutaway::views {

class Analysing;
class Navigation;
class Session;

/// Timed operations as boxes over time, as long as their median time, in one lane for each provider, below the modules
/// that they belong to. The wheel zooms, dragging moves, a click selects the node.
class Lanes : public QWidget {
    Q_OBJECT

public:
    explicit Lanes(Session &session, QWidget *parent = nullptr);

    /// Reads the figures of the session again; the range stays if the profile is the same.
    void fill();
    /// Shows the whole run.
    void fit();
    /// The box of the fused nodes that `node` leads (NodeTimes), if there is one.
    std::optional<QRectF> placeOf(ir::NodeId node) const;
    /// The range that is shown, in seconds from the start of the run.
    std::pair<double, double> range() const { return {m_from, m_to}; }
    std::size_t boxCount() const { return m_boxes.size(); }

    QSize sizeHint() const override { return {640, 200}; }

signals:
    void rangeChanged();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    struct Box {
        double start = 0, end = 0;      ///< seconds
        std::size_t part = 0;           ///< of run::Timing::nodes
        std::optional<ir::NodeId> lead; ///< nothing: not a node of the graph
    };
    /// Boxes that do not overlap in time.
    struct Row {
        std::vector<std::uint32_t> boxes; ///< of m_boxes, by start
    };
    struct Band {
        double start = 0, end = 0;
        ir::ScopeId scope;
    };
    struct Lane {
        QString name;
        std::vector<std::vector<Band>> modules; ///< by depth
        std::vector<Row> rows;
    };

    void makeLanes(const run::Timing &timing);
    void separate(const std::vector<std::uint32_t> &boxes);
    void stack(Lane &lane, const std::vector<std::uint32_t> &boxes) const;
    void makeBands(Lane &lane, const std::vector<std::uint32_t> &boxes) const;
    double rowHeight() const;
    QRectF plot() const;
    double toPixel(double second) const;
    double toSecond(double pixel) const;
    void showRange(double from, double to);
    void zoomAt(double pixel, double factor);
    void showBox(const Box &box);
    std::optional<std::uint32_t> boxAt(QPointF position) const;
    std::optional<std::uint32_t> boxOf(ir::NodeId node) const;
    void follow();
    void selectNext(int direction);
    void drawRuler(QPainter &painter) const;
    void drawLane(QPainter &painter, const Lane &lane, double top) const;
    void drawBands(QPainter &painter, const std::vector<Band> &bands, double top) const;
    void drawRow(QPainter &painter, const Row &row, double top) const;
    void drawBox(QPainter &painter, std::uint32_t index, const QRectF &place) const;
    QString nameOf(const Box &box) const;
    QString operatorOf(const Box &box) const;
    QColor colorOf(const Box &box) const;
    QString textOf(const Box &box) const;
    /// Calls `visit` with each row of boxes and its top.
    template <class Visit>
    void visitRows(Visit visit) const;

    Analysing &m_analysing;
    Navigation &m_navigation;
    std::shared_ptr<const run::Timing> m_timing;
    std::vector<Box> m_boxes; ///< by start
    std::vector<Lane> m_lanes;
    double m_end = 0;            ///< of the run
    double m_from = 0, m_to = 1; ///< what is shown
    std::optional<std::uint32_t> m_hovered;
    std::optional<QPointF> m_press;
    double m_lastDrag = 0;
    bool m_dragging = false;
    bool m_choosing = false; ///< the selection is made here
};

} // namespace cutaway::views
