// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline.h"

#include <QRectF>
#include <utility>

namespace cutaway::views {

struct EventHits;
struct OpenedTrace;

/// The visible part of a trace. Time runs from left to right. The iterations are at the top, and below them the rows of
/// the lanes, some of which may be scrolled out of sight.
class LaneSight {
public:
    static constexpr double iterationHeight = 22, lineHeight = 18, betweenLanes = 8;

    /// `plot` is the area in pixels, `seconds` the times at its left and right end, counted from the start of the
    /// trace, and `scrolled` the pixels by which the rows are scrolled.
    LaneSight(const OpenedTrace &opened, const QRectF &plot, std::pair<double, double> seconds, double scrolled);

    const QRectF &plot() const { return m_plot; }
    QRectF lanes() const { return m_plot.adjusted(0, iterationHeight, 0, 0); }

    double toPixel(std::int64_t time) const { return m_plot.left() + (double(time - m_start) - m_from) * m_perTime; }
    std::int64_t toTime(double pixel) const;
    bool isSeen(std::int64_t start, std::int64_t end) const;

    /// Returns by how many pixels a row is below the top of the lanes when nothing is scrolled.
    static double topOf(const trace::Timeline &timeline, trace::Timeline::Place place);
    QRectF boxOf(trace::EventIndex event, trace::Timeline::Place place) const;
    /// Returns the box of an event, which may be out of sight; nothing if no row has it.
    std::optional<QRectF> placeOf(trace::EventIndex event) const;
    /// Returns the event at a position, or the nearest one within two pixels to the left or right.
    std::optional<trace::EventIndex> eventAt(QPointF position) const;
    /// Returns the index in Linked::iterations of the iteration at a position.
    std::optional<std::size_t> iterationAt(QPointF position) const;

    /// Calls `visit` for each visible row with its lane, its index in the lane, and its top in pixels.
    void visitRows(const std::function<void(std::size_t lane, std::size_t row, double top)> &visit) const;
    /// Returns the duration in nanoseconds below which events are drawn together. It is that of a pixel, or of several
    /// if the visible rows have more events than can be drawn in the time of a frame.
    std::int64_t resolution(const EventHits *hits) const;
    /// Visits the events in the visible part of a row. An event without duration at the left end counts as visible.
    void visit(const trace::LaneRow &row, std::int64_t resolution,
               const std::function<void(const trace::Stretch &)> &visitor) const;

private:
    const OpenedTrace &m_opened;
    QRectF m_plot;
    std::int64_t m_start; ///< the time at which the trace starts, in nanoseconds
    double m_from, m_to;  ///< the visible range, in nanoseconds from m_start
    double m_perTime;     ///< pixels per nanosecond
    double m_scrolled;
};

} // namespace cutaway::views
