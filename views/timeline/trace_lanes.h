// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/latest_work.h"
#include "views/timeline/event_hits.h"
#include "views/timeline/time_plot.h"

#include <memory>

class QScrollBar;

namespace cutaway::views {

class Analysing;
class Navigation;
class Running;
class Session;
class TracedEvent;

/// The events of a trace over time, below its iterations: a lane for each thread and stream, in which an event is below
/// the one that it lies in. An event has the colour of its node, the ones in it a paler one; what is no node's is
/// hatched. A click selects the node. A picture takes as long as it has pixels, however many events there are.
class TraceLanes : public TimePlot {
    Q_OBJECT

public:
    explicit TraceLanes(Session &session, QWidget *parent = nullptr);

    /// Reads the trace of the session again; the range stays if it is the same.
    void fill();
    const OpenedTrace *trace() const { return m_trace.get(); }

    /// Looks, on another thread, for the events that have the text in their name or that of their node, and then fades
    /// all others; "": none.
    void search(const QString &text);
    /// Goes to the next (1) or previous (-1) event that was found, behind or before the present one.
    void goToHit(int direction);
    /// Nothing: nothing is searched for.
    const std::optional<EventHits> &hits() const { return m_hits; }

    /// The event that was clicked or gone to.
    std::optional<trace::EventIndex> chosen() const { return m_chosen; }
    /// Where an event is drawn, perhaps out of sight.
    std::optional<QRectF> placeOf(trace::EventIndex event) const;

signals:
    void hitsChanged();

protected:
    QString textAt(QPointF position) const override;
    void hover(std::optional<QPointF> position) override;
    void click(QPointF position) override;
    void doubleClick(QPointF position) override;
    void selectNext(int direction) override;
    void moveUp(double pixels) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// Events of the selected node that stand in one row.
    struct Selected {
        trace::Timeline::Place place;
        trace::LaneRow events;
    };
    class Strip;

    double secondsAt(std::int64_t time) const;
    std::int64_t timeAt(double second) const;
    std::int64_t pixelTime() const;
    std::int64_t resolution() const;
    QRectF lanesArea() const;
    double topOf(trace::Timeline::Place place) const;
    void layOut();
    void takeColors();
    std::vector<trace::EventIndex> takeSelection();
    void follow();
    void choose(trace::EventIndex event);
    void goTo(trace::EventIndex event);
    void takeHits(std::optional<EventHits> hits);
    QRectF boxOf(trace::EventIndex event, trace::Timeline::Place place) const;
    std::optional<trace::EventIndex> eventAt(QPointF position) const;
    std::optional<std::size_t> iterationAt(QPointF position) const;
    TracedEvent traced(trace::EventIndex event) const;
    QColor colorOf(trace::EventIndex event) const;
    template <class Visit>
    void visitRows(Visit visit) const;
    void visit(const trace::LaneRow &row, const std::function<void(const trace::Stretch &)> &visitor) const;
    void drawIterations(QPainter &painter) const;
    void drawLanes(QPainter &painter) const;
    void drawRow(QPainter &painter, const trace::LaneRow &row, double top) const;
    void drawStretch(QPainter &painter, Strip &strip, const trace::Stretch &stretch, double top) const;
    void drawFrames(QPainter &painter) const;
    void drawFlows(QPainter &painter, trace::EventIndex event) const;

    Running &m_running;
    Analysing &m_analysing;
    Navigation &m_navigation;
    QScrollBar *m_scroll;
    std::shared_ptr<const OpenedTrace> m_trace;
    std::weak_ptr<const OpenedTrace> m_ranged; ///< the trace that the range is of
    std::vector<QColor> m_colors;              ///< by NodeId
    QString m_searched;
    std::optional<EventHits> m_hits;
    std::optional<ir::NodeId> m_followed; ///< the node that was selected last
    std::vector<Selected> m_selected;
    std::int64_t m_resolution = 1; ///< nanoseconds below which events are drawn together; of the present picture
    std::optional<trace::EventIndex> m_chosen, m_hovered;
    bool m_choosing = false; ///< the selection is made here
    LatestWork m_searching;  ///< last: it ends first
};

} // namespace cutaway::views
