// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/trace_lanes.h"

#include "core/ops/category.h"
#include "views/appearance/fonts.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/timeline/traced_event.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <map>

namespace cutaway::views {
namespace {

constexpr double namesWidth = 128, iterationHeight = 22, lineHeight = 18, betweenLanes = 8;
constexpr double writtenOn = 28;              ///< pixels of an event from which on it has a name
constexpr double framed = 4;                  ///< pixels of a box from which on it has a frame
constexpr std::size_t mostFlows = 200;        ///< of one operator: more would be a surface
constexpr std::size_t mostStretches = 12'000; ///< that are drawn in the time of a frame, a 60th of a second
constexpr double paler = 0.45, sparse = 0.3;  ///< how much of a colour is left of events within others, and of few

QColor mixed(const QColor &color, const QColor &ground, double share)
{
    const auto mix = [share](int a, int b) { return int(std::lround(a * share + b * (1 - share))); };
    return {mix(color.red(), ground.red()), mix(color.green(), ground.green()), mix(color.blue(), ground.blue())};
}

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
    m_hovered.reset();
    takeColors();
    if (m_trace && m_trace != m_ranged.lock()) { // while figures are computed, there is none for a moment
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

/// Asked for each event that is drawn, so they are kept.
void TraceLanes::takeColors()
{
    m_colors.clear();
    if (!m_trace || !m_analysing.figures()) // the palette may change while the figures are computed
        return;
    const ir::Graph &graph = m_analysing.figures()->function().graph;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        m_colors.push_back(graph.at(id).removed
                               ? separator(palette())
                               : toColor(diagramPalette(palette()).category(ops::categoryOf({graph, id}))));
}

double TraceLanes::secondsAt(std::int64_t time) const
{
    return static_cast<double>(time - m_trace->timeline.start()) * nanosecond;
}

std::int64_t TraceLanes::timeAt(double second) const
{
    return m_trace->timeline.start() + std::llround(second / nanosecond);
}

/// Nanoseconds.
std::int64_t TraceLanes::pixelTime() const
{
    const auto [from, to] = range();
    return std::max<std::int64_t>(1, std::llround((to - from) / plot().width() / nanosecond));
}

QRectF TraceLanes::lanesArea() const { return plot().adjusted(0, iterationHeight, 0, 0); }

/// Without the scrolling.
double TraceLanes::topOf(trace::Timeline::Place place) const
{
    double top = betweenLanes / 2;
    for (std::size_t lane = 0; lane < place.lane; ++lane)
        top += double(m_trace->timeline.lanes()[lane].rows.size()) * lineHeight + betweenLanes;
    return top + double(place.row) * lineHeight;
}

void TraceLanes::layOut()
{
    const QRectF area = lanesArea();
    const double content = m_trace ? topOf({m_trace->timeline.lanes().size(), 0}) : 0;
    const int wide = m_scroll->sizeHint().width();
    m_scroll->setGeometry(width() - wide, int(area.top()), wide, int(area.height()));
    m_scroll->setRange(0, std::max(0, int(std::ceil(content - area.height()))));
    m_scroll->setPageStep(int(area.height()));
    m_scroll->setSingleStep(int(lineHeight));
    m_scroll->setVisible(m_scroll->maximum() > 0);
    update();
}

void TraceLanes::search(const QString &text)
{
    m_searched = text;
    const auto figures = m_analysing.figures();
    if (!m_trace || !figures || text.isEmpty()) {
        m_searching.cancel();
        return takeHits(std::nullopt);
    }
    m_searching.request([this, text, trace = m_trace, figures](const std::stop_token &stop) {
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

/// From the event that was chosen, or from the range that is shown; round at the ends.
void TraceLanes::goToHit(int direction)
{
    if (!m_hits || m_hits->all.empty())
        return;
    const auto &all = m_hits->all;
    const auto startOf = [this](trace::EventIndex event) { return m_trace->trace.events[event].start; };
    auto next = !m_chosen ? std::ranges::lower_bound(all, timeAt(range().first), {}, startOf)
        : direction > 0   ? std::ranges::upper_bound(all, *m_chosen)
                          : std::ranges::lower_bound(all, *m_chosen);
    if (direction < 0)
        next = std::prev(next == all.begin() ? all.end() : next);
    const trace::EventIndex event = next == all.end() ? all.front() : *next;
    choose(event);
    goTo(event);
}

/// Returns the events of the selected node, by start.
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

/// Brings an event of a node into sight that was selected now, if none is there. A step of passes tells of the same
/// one.
void TraceLanes::follow()
{
    const auto node = m_navigation.selectedNode();
    const bool isNew = std::exchange(m_followed, node) != node;
    const auto selected = takeSelection();
    const auto isHere = [this](trace::EventIndex event) {
        const trace::Event &each = m_trace->trace.events[event];
        const auto place = isSeen(secondsAt(each.start), secondsAt(each.end())) ? placeOf(event) : std::nullopt;
        return place && place->intersects(lanesArea());
    };
    if (isNew && !m_choosing && !selected.empty() && std::ranges::none_of(selected, isHere))
        goTo(selected.front());
}

void TraceLanes::choose(trace::EventIndex event)
{
    m_chosen = event;
    m_choosing = true;
    if (const auto node = traced(event).node())
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
    const int top = int(topOf(*place)), height = int(lanesArea().height());
    if (top < m_scroll->value() || top + int(lineHeight) > m_scroll->value() + height)
        m_scroll->setValue(top - height / 2);
}

/// Goes along the row of the event that was chosen.
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

QRectF TraceLanes::boxOf(trace::EventIndex event, trace::Timeline::Place place) const
{
    const trace::Event &placed = m_trace->trace.events[event];
    const double left = toPixel(secondsAt(placed.start)), right = toPixel(secondsAt(placed.end()));
    return {left, lanesArea().top() + topOf(place) - m_scroll->value(), std::max(right - left, 1.0), lineHeight - 1};
}

std::optional<QRectF> TraceLanes::placeOf(trace::EventIndex event) const
{
    const auto place = m_trace ? m_trace->timeline.placeOf(event) : std::nullopt;
    return place ? std::optional(boxOf(event, *place)) : std::nullopt;
}

std::optional<trace::EventIndex> TraceLanes::eventAt(QPointF position) const
{
    if (!m_trace || !lanesArea().contains(position))
        return std::nullopt;
    double top = position.y() - lanesArea().top() + m_scroll->value() - betweenLanes / 2;
    const double second = toSecond(position.x());
    const auto tolerance = std::llround((toSecond(position.x() + 2) - second) / nanosecond);
    for (const trace::Lane &lane : m_trace->timeline.lanes()) {
        const double height = double(lane.rows.size()) * lineHeight;
        if (top >= 0 && top < height)
            return lane.rows[std::size_t(top / lineHeight)].at(timeAt(second), tolerance);
        top -= height + betweenLanes;
    }
    return std::nullopt;
}

std::optional<std::size_t> TraceLanes::iterationAt(QPointF position) const
{
    const QRectF area = plot();
    const bool isThere = m_trace && area.contains(position) && position.y() < area.top() + iterationHeight;
    return isThere ? m_trace->timeline.iterationAt(timeAt(toSecond(position.x()))) : std::nullopt;
}

TracedEvent TraceLanes::traced(trace::EventIndex event) const { return {*m_trace, *m_analysing.figures(), event}; }

QColor TraceLanes::colorOf(trace::EventIndex event) const
{
    const QColor ground = palette().color(QPalette::Base);
    const auto node = traced(event).node();
    if (!node)
        return m_trace->timeline.linkOf(event) ? mixed(mutedText(palette()), ground, paler)
                                               : palette().color(QPalette::AlternateBase);
    return traced(event).isLinked() ? m_colors[node->index] : mixed(m_colors[node->index], ground, paler);
}

QString TraceLanes::textAt(QPointF position) const
{
    if (const auto event = eventAt(position))
        return traced(*event).text();
    const auto iteration = iterationAt(position);
    if (!iteration)
        return {};
    const trace::Iteration &run = m_trace->linked.iterations[*iteration];
    const QString takes =
        tr("%1 takes %2").arg(nameOf(run), secondsText(static_cast<double>(run.duration) * nanosecond));
    return run.isWarmUp ? takes + '\n' + tr("warm-up, left out of the times of nodes") : takes;
}

void TraceLanes::hover(std::optional<QPointF> position)
{
    const auto before = std::exchange(m_hovered, position ? eventAt(*position) : std::nullopt);
    if (m_hovered != before)
        update();
}

void TraceLanes::click(QPointF position)
{
    if (const auto event = eventAt(position))
        choose(*event);
}

/// Shows an event, or an iteration, with a little around it.
void TraceLanes::doubleClick(QPointF position)
{
    const auto event = eventAt(position);
    const auto iteration = iterationAt(position);
    if (!event && !iteration)
        return;
    const std::int64_t start =
        event ? m_trace->trace.events[*event].start : m_trace->linked.iterations[*iteration].start;
    const std::int64_t duration =
        event ? m_trace->trace.events[*event].duration : m_trace->linked.iterations[*iteration].duration;
    const double around = static_cast<double>(duration) * nanosecond * (event ? 1.0 : 0.02);
    showRange(secondsAt(start) - around, secondsAt(start + duration) + around);
}

void TraceLanes::moveUp(double pixels) { m_scroll->setValue(m_scroll->value() + int(std::lround(pixels))); }

void TraceLanes::resizeEvent(QResizeEvent *) { layOut(); }

void TraceLanes::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        takeColors();
    TimePlot::changeEvent(event);
}

void TraceLanes::drawIterations(QPainter &painter) const
{
    const double top = plot().top();
    double drawnTo = plot().left() - 1;
    for (const trace::Iteration &iteration : m_trace->linked.iterations) {
        const double start = secondsAt(iteration.start), end = secondsAt(iteration.start + iteration.duration);
        const QRectF band(QPointF(toPixel(start), top), QPointF(toPixel(end), top + iterationHeight - 4));
        if (!isSeen(start, end) || band.right() < drawnTo + 1)
            continue;
        const QRectF seen = band.intersected(plot());
        drawnTo = band.right();
        if (band.width() < framed) {
            painter.fillRect(seen, separator(palette()));
            continue;
        }
        painter.fillRect(seen, palette().color(QPalette::AlternateBase));
        painter.setPen(QPen(separator(palette()), 1));
        painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(iteration.isWarmUp ? mutedText(palette()) : palette().color(QPalette::Text));
        drawLabel(painter, seen, {iteration.isWarmUp ? tr("%1, warm-up").arg(nameOf(iteration)) : nameOf(iteration)});
    }
}

/// The short events of a row as the colours of its pixels, which are drawn at once.
class TraceLanes::Strip {
public:
    Strip(const QRectF &area, double ratio)
        : m_area(area),
          m_ratio(ratio),
          m_pixels(int(std::ceil(area.width() * ratio)), 1, QImage::Format_ARGB32_Premultiplied)
    {
        m_pixels.fill(Qt::transparent);
    }

    /// Colours all pixels that a range begins in, at least one.
    void add(double left, double right, QRgb color)
    {
        const int first = std::max(int((left - m_area.left()) * m_ratio), 0);
        const int end = std::min(std::max(int((right - m_area.left()) * m_ratio), first + 1), m_pixels.width());
        auto *pixels = reinterpret_cast<QRgb *>(m_pixels.scanLine(0));
        for (int i = first; i < end; ++i)
            pixels[i] = color;
    }

    void draw(QPainter &painter, double top) const
    {
        painter.drawImage(QRectF(m_area.left(), top, m_pixels.width() / m_ratio, lineHeight - 1), m_pixels);
    }

private:
    QRectF m_area;
    double m_ratio;
    QImage m_pixels;
};

/// Calls `visit` with each row in sight, its lane, its number there and its top.
template <class Visit>
void TraceLanes::visitRows(Visit visit) const
{
    const QRectF area = lanesArea();
    double top = area.top() + betweenLanes / 2 - m_scroll->value();
    const auto &lanes = m_trace->timeline.lanes();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane, top += betweenLanes)
        for (std::size_t row = 0; row < lanes[lane].rows.size(); ++row, top += lineHeight)
            if (top + lineHeight >= area.top() && top <= area.bottom())
                visit(lane, row, top);
}

/// The time of a pixel, or of several, where the rows in sight have more events than can be drawn in the time of a
/// frame.
std::int64_t TraceLanes::resolution() const
{
    const std::int64_t from = timeAt(range().first) - 1, to = timeAt(range().second);
    const auto width = std::size_t(std::max(plot().width(), 1.0));
    std::size_t stretches = 0;
    visitRows([&](std::size_t lane, std::size_t row, double) {
        stretches += std::min(m_trace->timeline.lanes()[lane].rows[row].countWithin(from, to), width);
        if (m_hits)
            stretches += std::min(m_hits->lanes[lane][row].countWithin(from, to), width);
    });
    return pixelTime() * std::int64_t(1 + stretches / mostStretches);
}

void TraceLanes::drawLanes(QPainter &painter) const
{
    const QRectF area = lanesArea();
    const auto &lanes = m_trace->timeline.lanes();
    painter.setClipRect(area);
    visitRows([&](std::size_t lane, std::size_t row, double top) {
        if (row == 0) {
            painter.setClipRect(QRectF(0, area.top(), width(), area.height()));
            painter.setPen(mutedText(palette()));
            const QString name =
                painter.fontMetrics().elidedText(shown(lanes[lane].name), Qt::ElideRight, int(namesWidth) - 20);
            painter.drawText(QRectF(12, top, namesWidth - 20, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, name);
            painter.setClipRect(area);
        }
        painter.setOpacity(m_hits ? 0.25 : 1);
        drawRow(painter, lanes[lane].rows[row], top);
        painter.setOpacity(1);
        if (m_hits)
            drawRow(painter, m_hits->lanes[lane][row], top);
    });
}

void TraceLanes::drawRow(QPainter &painter, const trace::LaneRow &row, double top) const
{
    Strip strip(lanesArea(), devicePixelRatioF());
    visit(row, [&](const trace::Stretch &stretch) { drawStretch(painter, strip, stretch, top); });
    strip.draw(painter, top);
}

/// Visits what is in sight, by pixels. An event of no time that stands at the beginning is seen, too.
void TraceLanes::visit(const trace::LaneRow &row, const std::function<void(const trace::Stretch &)> &visitor) const
{
    row.visit(timeAt(range().first) - 1, timeAt(range().second), m_resolution, visitor);
}

/// Short events that stand together have the colour of the longest one, the fainter the less time they take.
void TraceLanes::drawStretch(QPainter &painter, Strip &strip, const trace::Stretch &stretch, double top) const
{
    const double left = toPixel(secondsAt(stretch.start)), right = toPixel(secondsAt(stretch.end));
    QColor color = colorOf(stretch.event);
    if (stretch.count > 1) {
        const double share = double(stretch.busy) / double(std::max<std::int64_t>(stretch.end - stretch.start, 1));
        color = mixed(color, palette().color(QPalette::Base), sparse + (1 - sparse) * std::clamp(share, 0.0, 1.0));
    }
    if (right - left < framed)
        return strip.add(left, right, color.rgb());
    const QRectF place(left, top, right - left - 1, lineHeight - 1);
    const QRectF seen = place.intersected(lanesArea().adjusted(-2, 0, 2, 0));
    painter.fillRect(seen, color);
    const TracedEvent event = traced(stretch.event);
    if (!event.node()) {
        if (event.isLinked())
            painter.fillRect(seen, QBrush(mutedText(palette()), Qt::BDiagPattern));
        painter.setPen(QPen(separator(palette()), 1));
        painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (place.width() < writtenOn)
        return;
    painter.setPen(textOn(color));
    drawLabel(painter, place, event.labels());
}

/// Draws one frame where several would cover each other, and a line below what is too narrow for one.
void TraceLanes::drawFrames(QPainter &painter) const
{
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](const QRectF &box, double width) {
        if (!box.intersects(lanesArea()))
            return;
        if (box.width() < framed)
            return painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width() + 1, 3),
                                    palette().color(QPalette::Text));
        painter.setPen(QPen(palette().color(QPalette::Text), width));
        painter.drawRect(box.intersected(lanesArea().adjusted(-4, -4, 4, 4)).adjusted(-1, -1, 0, 0));
    };
    for (const Selected &row : m_selected)
        visit(row.events, [&](const trace::Stretch &stretch) { frame(boxOf(stretch.event, row.place), 2); });
    for (const auto event : {m_chosen, m_hovered})
        if (const auto box = event ? placeOf(*event) : std::nullopt)
            frame(*box, event == m_chosen ? 2 : 1);
}

/// Draws lines from the operator that launched work on a device to that work. Events around nodes launch too much to
/// be told apart.
void TraceLanes::drawFlows(QPainter &painter, trace::EventIndex event) const
{
    if (!m_trace->timeline.linkOf(event))
        return;
    std::vector<std::pair<trace::EventIndex, trace::EventIndex>> flows;
    if (const auto launcher = m_trace->timeline.launcherOf(event))
        flows.emplace_back(*launcher, event);
    for (const trace::EventIndex launched : m_trace->timeline.launchesOf(event))
        if (flows.size() < mostFlows)
            flows.emplace_back(m_trace->timeline.launcherOf(launched).value_or(event), launched);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
    for (const auto &[launcher, work] : flows) {
        const auto from = placeOf(launcher), to = placeOf(work);
        if (!from || !to)
            continue;
        const QPointF start(std::min(from->right(), std::max(from->left(), to->left())), from->bottom()),
            end(to->left(), to->top());
        QPainterPath path(start);
        const double middle = (start.y() + end.y()) / 2;
        path.cubicTo({start.x(), middle}, {end.x(), middle}, end);
        painter.drawPath(path);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TraceLanes::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    drawFocus(painter);
    if (!m_trace || !m_analysing.figures())
        return;
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    drawRuler(painter);
    m_resolution = resolution();
    painter.setClipRect(plot());
    drawIterations(painter);
    drawLanes(painter);
    drawFrames(painter);
    for (const auto event : {m_chosen, m_hovered == m_chosen ? std::nullopt : m_hovered})
        if (event)
            drawFlows(painter, *event);
}

} // namespace cutaway::views
