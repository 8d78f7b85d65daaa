// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/lane_sight.h"

#include "views/session/running/opened_trace.h"
#include "views/timeline/event_hits.h"

#include <algorithm>
#include <cmath>

namespace cutaway::views {
namespace {

constexpr double nearby = 2;                  ///< how many pixels beside an event still hit it
constexpr std::size_t mostStretches = 12'000; ///< how many stretches can be drawn in a frame, a 60th of a second

} // namespace

LaneSight::LaneSight(const OpenedTrace &opened, const QRectF &plot, std::pair<double, double> seconds, double scrolled)
    : m_opened(opened),
      m_plot(plot),
      m_start(opened.timeline.start()),
      m_from(seconds.first / nanosecond),
      m_to(seconds.second / nanosecond),
      m_perTime(plot.width() / (m_to - m_from)),
      m_scrolled(scrolled)
{
}

std::int64_t LaneSight::toTime(double pixel) const
{
    return m_start + std::llround(m_from + (pixel - m_plot.left()) / m_perTime);
}

bool LaneSight::isSeen(std::int64_t start, std::int64_t end) const
{
    return double(end - m_start) >= m_from && double(start - m_start) <= m_to;
}

double LaneSight::topOf(const trace::Timeline &timeline, trace::Timeline::Place place)
{
    double top = betweenLanes / 2;
    for (std::size_t lane = 0; lane < place.lane; ++lane)
        top += double(timeline.lanes()[lane].rows.size()) * lineHeight + betweenLanes;
    return top + double(place.row) * lineHeight;
}

QRectF LaneSight::boxOf(trace::EventIndex event, trace::Timeline::Place place) const
{
    const trace::Event &placed = m_opened.trace.events[event];
    const double left = toPixel(placed.start), right = toPixel(placed.end());
    return {left, lanes().top() + topOf(m_opened.timeline, place) - m_scrolled, std::max(right - left, 1.0),
            lineHeight - 1};
}

std::optional<QRectF> LaneSight::placeOf(trace::EventIndex event) const
{
    const auto place = m_opened.timeline.placeOf(event);
    return place ? std::optional(boxOf(event, *place)) : std::nullopt;
}

std::optional<trace::EventIndex> LaneSight::eventAt(QPointF position) const
{
    if (!lanes().contains(position))
        return std::nullopt;
    double top = position.y() - lanes().top() + m_scrolled - betweenLanes / 2;
    for (const trace::Lane &lane : m_opened.timeline.lanes()) {
        const double height = double(lane.rows.size()) * lineHeight;
        if (top >= 0 && top < height)
            return lane.rows[std::size_t(top / lineHeight)].at(toTime(position.x()), std::llround(nearby / m_perTime));
        top -= height + betweenLanes;
    }
    return std::nullopt;
}

std::optional<std::size_t> LaneSight::iterationAt(QPointF position) const
{
    const bool isThere = m_plot.contains(position) && position.y() < lanes().top();
    return isThere ? m_opened.timeline.iterationAt(toTime(position.x())) : std::nullopt;
}

void LaneSight::visitRows(const std::function<void(std::size_t, std::size_t, double)> &visit) const
{
    const QRectF area = lanes();
    double top = area.top() + betweenLanes / 2 - m_scrolled;
    const auto &all = m_opened.timeline.lanes();
    for (std::size_t lane = 0; lane < all.size(); ++lane, top += betweenLanes)
        for (std::size_t row = 0; row < all[lane].rows.size(); ++row, top += lineHeight)
            if (top + lineHeight >= area.top() && top <= area.bottom())
                visit(lane, row, top);
}

std::int64_t LaneSight::resolution(const EventHits *hits) const
{
    const std::int64_t from = toTime(m_plot.left()) - 1, to = toTime(m_plot.right());
    const auto width = std::size_t(std::max(m_plot.width(), 1.0));
    std::size_t stretches = 0;
    visitRows([&](std::size_t lane, std::size_t row, double) {
        stretches += std::min(m_opened.timeline.lanes()[lane].rows[row].countWithin(from, to), width);
        if (hits)
            stretches += std::min(hits->lanes[lane][row].countWithin(from, to), width);
    });
    const std::int64_t pixel = std::max<std::int64_t>(1, std::llround(1 / m_perTime));
    return pixel * std::int64_t(1 + stretches / mostStretches);
}

void LaneSight::visit(const trace::LaneRow &row, std::int64_t resolution,
                      const std::function<void(const trace::Stretch &)> &visitor) const
{
    row.visit(toTime(m_plot.left()) - 1, toTime(m_plot.right()), resolution, visitor);
}

} // namespace cutaway::views
