// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "views/timeline/time_plot.h"

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

/// The timed operations of a profile as boxes over time, as wide as their median time, in a lane for each provider.
/// Bands above the boxes show the modules that they belong to. A click selects the node.
class Lanes : public TimePlot {
    Q_OBJECT

public:
    explicit Lanes(Session &session, QWidget *parent = nullptr);

    /// Reads the figures of the session again; the range stays if the profile is the same.
    void fill();
    /// Returns the box of the fused nodes that `node` leads (see NodeTimes); nothing if there is none.
    std::optional<QRectF> placeOf(ir::NodeId node) const;
    std::size_t boxCount() const { return m_boxes.size(); }

protected:
    QString textAt(QPointF position) const override;
    void hover(std::optional<QPointF> position) override;
    void click(QPointF position) override;
    void doubleClick(QPointF position) override;
    void selectNext(int direction) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Box {
        double start = 0, end = 0;      ///< seconds from the start of the run
        std::size_t part = 0;           ///< index into run::Timing::nodes
        std::optional<ir::NodeId> lead; ///< the first node of those that run together; nothing if the graph has none
    };
    /// Boxes that do not overlap in time.
    struct Row {
        std::vector<std::uint32_t> boxes; ///< indices into m_boxes, by start
    };
    struct Band {
        double start = 0, end = 0;
        ir::ScopeId scope;
    };
    struct Lane {
        QString name;
        std::vector<std::vector<Band>> modules; ///< bands by depth
        std::vector<Row> rows;
    };

    void makeLanes(const run::Timing &timing);
    void separate(const std::vector<std::uint32_t> &boxes);
    void stack(Lane &lane, const std::vector<std::uint32_t> &boxes) const;
    void makeBands(Lane &lane, const std::vector<std::uint32_t> &boxes) const;
    double rowHeight() const;
    std::optional<std::uint32_t> boxAt(QPointF position) const;
    std::optional<std::uint32_t> boxOf(ir::NodeId node) const;
    void follow();
    void drawLane(QPainter &painter, const Lane &lane, double top) const;
    void drawBands(QPainter &painter, const std::vector<Band> &bands, double top) const;
    void drawRow(QPainter &painter, const Row &row, double top) const;
    void drawBox(QPainter &painter, std::uint32_t index, const QRectF &place) const;
    QString nameOf(const Box &box) const;
    QString operatorOf(const Box &box) const;
    QColor colorOf(const Box &box) const;
    QString textOf(const Box &box) const;
    /// Calls `visit` with each row of boxes and its top in pixels.
    template <class Visit>
    void visitRows(Visit visit) const;

    Analysing &m_analysing;
    Navigation &m_navigation;
    std::shared_ptr<const run::Timing> m_timing;
    std::vector<Box> m_boxes; ///< by start
    std::vector<Lane> m_lanes;
    std::optional<std::uint32_t> m_hovered;
    bool m_choosing = false; ///< whether this widget is just making the selection
};

} // namespace cutaway::views
