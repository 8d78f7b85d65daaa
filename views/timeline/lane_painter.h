// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/event_look.h"
#include "views/timeline/lane_sight.h"

#include <span>

namespace cutaway::views {

/// Draws the iterations and lanes of a trace. The time that this takes depends on the number of pixels, not on that of
/// events.
class LanePainter {
public:
    /// Events of one row that get a frame.
    struct Framed {
        trace::Timeline::Place place;
        trace::LaneRow events;
    };

    /// With `hits`, only those events have their full colour; null: all have.
    LanePainter(QPainter &painter, const OpenedTrace &opened, const LaneSight &sight, EventLook &look, QPalette palette,
                const EventHits *hits);

    void drawIterations() const;
    /// Draws the events in the rows of their lanes, and the names of the lanes at the left.
    void drawLanes();
    /// Draws frames around events; where several would cover each other, they share one frame.
    void drawFrames(std::span<const Framed> rows) const;
    void drawFrame(trace::EventIndex event, double width) const;
    /// Draws lines between an operator and the work that it launched on a device.
    void drawFlows(trace::EventIndex event) const;

private:
    class Strip;

    void drawName(const trace::Lane &lane, double top) const;
    void drawRow(const trace::LaneRow &row, double top);
    void drawStretch(Strip &strip, const trace::Stretch &stretch, double top);
    void drawBox(const QRectF &place, const QColor &color, trace::EventIndex event);
    void drawFrame(const QRectF &box, double width) const;

    QPainter &m_painter;
    const OpenedTrace &m_opened;
    const LaneSight &m_sight;
    EventLook &m_look;
    QPalette m_palette;
    const EventHits *m_hits;
    std::int64_t m_resolution;
};

} // namespace cutaway::views
