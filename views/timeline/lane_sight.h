// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline.h"

#include <QRectF>
#include <utility>

namespace cutaway::views {

struct EventHits;
struct OpenedTrace;

/// The part of a trace that is in sight: a range of time across; down the iterations, and below them the rows of the
/// lanes, of which some may be scrolled out of sight.
class LaneSight {
public:
    static constexpr double iterationHeight = 22, lineHeight = 18, betweenLanes = 8;

    /// `plot`: its pixels; `seconds`: the times at its sides, from the start of the trace; `scrolled`: pixels.
    LaneSight(const OpenedTrace &opened, const QRectF &plot, std::pair<double, double> seconds, double scrolled);

    const QRectF &plot() const { return m_plot; }
    QRectF lanes() const { return m_plot.adjusted(0, iterationHeight, 0, 0); }

    double toPixel(std::int64_t time) const { return m_plot.left() + (double(time - m_start) - m_from) * m_perTime; }
    std::int64_t toTime(double pixel) const;
    bool isSeen(std::int64_t start, std::int64_t end) const;

    /// Where a row is, from the top of the first one.
    static double topOf(const trace::Timeline &timeline, trace::Timeline::Place place);
    QRectF boxOf(trace::EventIndex event, trace::Timeline::Place place) const;
    /// Where an event is drawn, perhaps out of sight.
    std::optional<QRectF> placeOf(trace::EventIndex event) const;
    /// The event at some pixels, or one that is two pixels away.
    std::optional<trace::EventIndex> eventAt(QPointF position) const;
    /// In Linked::iterations.
    std::optional<std::size_t> iterationAt(QPointF position) const;

    /// Calls `visit` with each row in sight, its lane, its number there and its top in pixels.
    void visitRows(const std::function<void(std::size_t lane, std::size_t row, double top)> &visit) const;
    /// Nanoseconds below which events are drawn together: the time of a pixel, or of several, where the rows in sight
    /// have more events than can be drawn in the time of a frame.
    std::int64_t resolution(const EventHits *hits) const;
    /// Visits the part of a row that is in sight. An event of no time that stands at the beginning is seen, too.
    void visit(const trace::LaneRow &row, std::int64_t resolution,
               const std::function<void(const trace::Stretch &)> &visitor) const;

private:
    const OpenedTrace &m_opened;
    QRectF m_plot;
    std::int64_t m_start; ///< when the trace starts
    double m_from, m_to;  ///< nanoseconds from there
    double m_perTime;     ///< pixels of a nanosecond
    double m_scrolled;
};

} // namespace cutaway::views
