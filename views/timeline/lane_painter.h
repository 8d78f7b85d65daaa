// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/event_look.h"
#include "views/timeline/lane_sight.h"

#include <span>

namespace cutaway::views {

/// Draws a picture of the iterations and lanes of a trace. It takes as long as it has pixels, however many events there
/// are.
class LanePainter {
public:
    /// Some events of one row, which have frames.
    struct Framed {
        trace::Timeline::Place place;
        trace::LaneRow events;
    };

    /// `hits`: those events stand out from all others; null: all are alike.
    LanePainter(QPainter &painter, const OpenedTrace &opened, const LaneSight &sight, EventLook &look, QPalette palette,
                const EventHits *hits);

    void drawIterations() const;
    /// Events below each other in their lanes, with the names of the lanes at the left.
    void drawLanes();
    /// One frame where several would cover each other.
    void drawFrames(std::span<const Framed> rows) const;
    void drawFrame(trace::EventIndex event, double width) const;
    /// Lines from the operator that launched work on a device to that work.
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
