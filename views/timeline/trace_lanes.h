// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/latest_work.h"
#include "views/timeline/event_hits.h"
#include "views/timeline/lane_painter.h"
#include "views/timeline/time_plot.h"

#include <memory>

class QScrollBar;

namespace cutaway::views {

class Analysing;
class Figures;
class Navigation;
class Running;
class Session;

/// The events of a trace over time, below its iterations. There is a lane for each thread and stream, in which an event
/// is below the one that contains it. An event has the colour of its node, and those inside it a paler one; an operator
/// without a node is hatched. A click selects the node. The time to draw depends on the pixels, not on the events.
class TraceLanes : public TimePlot {
    Q_OBJECT

public:
    explicit TraceLanes(Session &session, QWidget *parent = nullptr);

    /// Reads the trace of the session again. The visible range stays if it is the same trace.
    void fill();
    const OpenedTrace *trace() const { return m_trace.get(); }

    /// Finds, on another thread, the events that have the text in their name or in that of their node, and then fades
    /// all others. "" ends the search.
    void search(const QString &text);
    /// Selects the next (1) or previous (-1) match, counted from the chosen event.
    void goToHit(int direction);
    /// Returns the matches of the search; nothing if there is no search.
    const std::optional<EventHits> &hits() const { return m_hits; }

    /// Returns the event that was clicked, or that a search went to; nothing if there is none.
    std::optional<trace::EventIndex> chosen() const { return m_chosen; }
    /// Returns the box of an event, which may be out of sight; nothing if no row has it.
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
    LaneSight sight() const;
    double secondsAt(std::int64_t time) const;
    void layOut();
    void takeLook();
    std::vector<trace::EventIndex> takeSelection();
    void follow();
    void choose(trace::EventIndex event);
    void goTo(trace::EventIndex event);
    void takeHits(std::optional<EventHits> hits);

    Running &m_running;
    Analysing &m_analysing;
    Navigation &m_navigation;
    QScrollBar *m_scroll;
    std::shared_ptr<const OpenedTrace> m_trace;
    std::weak_ptr<const OpenedTrace> m_ranged; ///< the trace that the visible range belongs to
    std::shared_ptr<const Figures> m_figures;  ///< the figures that the trace is shown with; null without a trace
    std::unique_ptr<EventLook> m_look;         ///< null without a trace
    QString m_searched;
    std::optional<EventHits> m_hits;
    std::optional<ir::NodeId> m_followed; ///< the node that was selected last
    std::vector<LanePainter::Framed> m_selected;
    std::optional<trace::EventIndex> m_chosen, m_hovered;
    bool m_choosing = false; ///< whether this widget is just making the selection
    LatestWork m_searching;  ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
