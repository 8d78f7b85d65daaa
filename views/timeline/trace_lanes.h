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
    std::weak_ptr<const OpenedTrace> m_ranged; ///< the trace that the range is of
    std::shared_ptr<const Figures> m_figures;  ///< beside which it is shown; null without a trace
    std::unique_ptr<EventLook> m_look;         ///< null without a trace
    QString m_searched;
    std::optional<EventHits> m_hits;
    std::optional<ir::NodeId> m_followed; ///< the node that was selected last
    std::vector<LanePainter::Framed> m_selected;
    std::optional<trace::EventIndex> m_chosen, m_hovered;
    bool m_choosing = false; ///< the selection is made here
    LatestWork m_searching;  ///< last: it ends first
};

} // namespace cutaway::views
