// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/trace_lanes.h"

#include "views/appearance/fonts.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/timeline/traced_event.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <map>

namespace cutaway::views {
namespace {

constexpr double namesWidth = 128;

} // namespace

TraceLanes::TraceLanes(Session &session, QWidget *parent)
    : TimePlot(namesWidth, parent),
      m_running(session.running()),
      m_analysing(session.analysing()),
      m_navigation(session.navigation()),
      m_scroll(new QScrollBar(Qt::Vertical, this))
{
    setAccessibleName(tr("Timeline of the trace"));
    m_scroll->setCursor(Qt::ArrowCursor);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this] { update(); });
    connect(&session.navigation(), &Navigation::selectionChanged, this, &TraceLanes::follow);
}

void TraceLanes::fill()
{
    m_trace = m_analysing.figures() ? m_running.trace() : nullptr;
    m_figures = m_trace ? m_analysing.figures() : nullptr;
    m_hovered.reset();
    takeLook();
    // The trace is null while figures are computed. If the same trace is there again afterwards, the visible range
    // stays.
    if (m_trace && m_trace != m_ranged.lock()) {
        m_ranged = m_trace;
        m_chosen.reset();
        m_hits.reset();
        setEnd(std::max(secondsAt(m_trace->timeline.end()), nanosecond));
        fit();
    }
    layOut();
    search(m_searched);
    takeSelection();
}

void TraceLanes::takeLook() { m_look = m_trace ? std::make_unique<EventLook>(m_trace, m_figures, palette()) : nullptr; }

LaneSight TraceLanes::sight() const { return {*m_trace, plot(), range(), double(m_scroll->value())}; }

double TraceLanes::secondsAt(std::int64_t time) const
{
    return static_cast<double>(time - m_trace->timeline.start()) * nanosecond;
}

void TraceLanes::layOut()
{
    const QRectF area = plot().adjusted(0, LaneSight::iterationHeight, 0, 0);
    const double content = m_trace ? LaneSight::topOf(m_trace->timeline, {m_trace->timeline.lanes().size(), 0}) : 0;
    const int wide = m_scroll->sizeHint().width();
    m_scroll->setGeometry(width() - wide, int(area.top()), wide, int(area.height()));
    m_scroll->setRange(0, std::max(0, int(std::ceil(content - area.height()))));
    m_scroll->setPageStep(int(area.height()));
    m_scroll->setSingleStep(int(LaneSight::lineHeight));
    m_scroll->setVisible(m_scroll->maximum() > 0);
    update();
}

void TraceLanes::search(const QString &text)
{
    m_searched = text;
    if (!m_trace || text.isEmpty()) {
        m_searching.cancel();
        return takeHits(std::nullopt);
    }
    m_searching.request([this, text, trace = m_trace, figures = m_figures](const std::stop_token &stop) {
        auto hits = std::make_shared<EventHits>(findEvents(*trace, figures->function().graph, text, stop));
        return LatestWork::Finish([this, trace, hits] {
            if (trace == m_trace)
                takeHits(std::move(*hits));
        });
    });
}

void TraceLanes::takeHits(std::optional<EventHits> hits)
{
    m_hits = std::move(hits);
    update();
    emit hitsChanged();
}

/// Selects the next match in a direction, from the chosen event or else from the visible range. After the last match
/// comes the first.
void TraceLanes::goToHit(int direction)
{
    if (!m_hits || m_hits->all.empty())
        return;
    const auto &all = m_hits->all;
    const auto startOf = [this](trace::EventIndex event) { return m_trace->trace.events[event].start; };
    auto next = !m_chosen ? std::ranges::lower_bound(all, sight().toTime(plot().left()), {}, startOf)
        : direction > 0   ? std::ranges::upper_bound(all, *m_chosen)
                          : std::ranges::lower_bound(all, *m_chosen);
    if (direction < 0)
        next = std::prev(next == all.begin() ? all.end() : next);
    const trace::EventIndex event = next == all.end() ? all.front() : *next;
    choose(event);
    goTo(event);
}

/// Takes the selected node over, whose events get frames, and returns these events by start.
std::vector<trace::EventIndex> TraceLanes::takeSelection()
{
    const auto node = m_navigation.selectedNode();
    const auto events = m_trace && node ? m_trace->timeline.eventsOf(*node) : std::vector<trace::EventIndex>();
    std::map<std::pair<std::size_t, std::size_t>, std::vector<trace::EventIndex>> rows;
    for (const trace::EventIndex event : events)
        if (const auto place = m_trace->timeline.placeOf(event))
            rows[{place->lane, place->row}].push_back(event);
    m_selected.clear();
    for (auto &[place, inRow] : rows)
        m_selected.push_back({{place.first, place.second}, {std::move(inRow), m_trace->trace.events}});
    update();
    return events;
}

/// Scrolls to an event of a newly selected node if none is visible. A step of passes reports the same node again, and
/// then nothing is scrolled.
void TraceLanes::follow()
{
    const auto node = m_navigation.selectedNode();
    const bool isNew = std::exchange(m_followed, node) != node;
    const auto selected = takeSelection();
    const auto isHere = [this](trace::EventIndex event) {
        const trace::Event &each = m_trace->trace.events[event];
        const auto place = sight().isSeen(each.start, each.end()) ? placeOf(event) : std::nullopt;
        return place && place->intersects(sight().lanes());
    };
    if (isNew && !m_choosing && !selected.empty() && std::ranges::none_of(selected, isHere))
        goTo(selected.front());
}

void TraceLanes::choose(trace::EventIndex event)
{
    m_chosen = event;
    m_choosing = true;
    if (const auto node = TracedEvent(*m_trace, *m_figures, event).node())
        m_navigation.reveal(*node);
    m_choosing = false;
    update();
}

void TraceLanes::goTo(trace::EventIndex event)
{
    const trace::Event &shown = m_trace->trace.events[event];
    if (const double start = secondsAt(shown.start), end = secondsAt(shown.end());
        start < range().first || end > range().second)
        bring(start, end);
    const auto place = m_trace->timeline.placeOf(event);
    if (!place)
        return;
    const int top = int(LaneSight::topOf(m_trace->timeline, *place)), height = int(sight().lanes().height());
    if (top < m_scroll->value() || top + int(LaneSight::lineHeight) > m_scroll->value() + height)
        m_scroll->setValue(top - height / 2);
}

/// Selects the next event in the row of the chosen one, in a direction.
void TraceLanes::selectNext(int direction)
{
    const auto place = m_trace && m_chosen ? m_trace->timeline.placeOf(*m_chosen) : std::nullopt;
    if (!place)
        return;
    const auto &events = m_trace->timeline.lanes()[place->lane].rows[place->row].events();
    const auto at = std::ranges::lower_bound(events, *m_chosen) - events.begin() + direction;
    if (at < 0 || at >= std::ssize(events))
        return;
    choose(events[std::size_t(at)]);
    goTo(events[std::size_t(at)]);
}

std::optional<QRectF> TraceLanes::placeOf(trace::EventIndex event) const
{
    return m_trace ? sight().placeOf(event) : std::nullopt;
}

QString TraceLanes::textAt(QPointF position) const
{
    if (!m_trace)
        return {};
    if (const auto event = sight().eventAt(position))
        return TracedEvent(*m_trace, *m_figures, *event).text();
    const auto iteration = sight().iterationAt(position);
    if (!iteration)
        return {};
    const trace::Iteration &run = m_trace->linked.iterations[*iteration];
    const QString takes =
        tr("%1 takes %2").arg(nameOf(run), secondsText(static_cast<double>(run.duration) * nanosecond));
    return run.isWarmUp ? takes + '\n' + tr("warm-up, left out of the times of nodes") : takes;
}

void TraceLanes::hover(std::optional<QPointF> position)
{
    const auto before = std::exchange(m_hovered, m_trace && position ? sight().eventAt(*position) : std::nullopt);
    if (m_hovered != before)
        update();
}

void TraceLanes::click(QPointF position)
{
    if (const auto event = m_trace ? sight().eventAt(position) : std::nullopt)
        choose(*event);
}

/// Shows the range of the event or iteration at a position, with some time around it.
void TraceLanes::doubleClick(QPointF position)
{
    if (!m_trace)
        return;
    const auto show = [this](std::int64_t start, std::int64_t duration, double around) {
        const double room = static_cast<double>(duration) * nanosecond * around;
        showRange(secondsAt(start) - room, secondsAt(start + duration) + room);
    };
    if (const auto event = sight().eventAt(position))
        show(m_trace->trace.events[*event].start, m_trace->trace.events[*event].duration, 1);
    else if (const auto at = sight().iterationAt(position))
        show(m_trace->linked.iterations[*at].start, m_trace->linked.iterations[*at].duration, 0.02);
}

void TraceLanes::moveUp(double pixels) { m_scroll->setValue(m_scroll->value() + int(std::lround(pixels))); }

void TraceLanes::resizeEvent(QResizeEvent *) { layOut(); }

void TraceLanes::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        takeLook();
    TimePlot::changeEvent(event);
}

void TraceLanes::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    drawFocus(painter);
    if (!m_trace)
        return;
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    drawRuler(painter);
    const LaneSight sight = this->sight();
    LanePainter lanes(painter, *m_trace, sight, *m_look, palette(), m_hits ? &*m_hits : nullptr);
    painter.setClipRect(plot());
    lanes.drawIterations();
    lanes.drawLanes();
    lanes.drawFrames(m_selected);
    for (const auto event : {m_chosen, m_hovered == m_chosen ? std::nullopt : m_hovered})
        if (event) {
            lanes.drawFrame(*event, event == m_chosen ? 2 : 1);
            lanes.drawFlows(*event);
        }
}

} // namespace cutaway::views
