// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/lane_painter.h"

#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/session/running/opened_trace.h"
#include "views/timeline/event_hits.h"
#include "views/timeline/time_plot.h"
#include "views/timeline/traced_event.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

namespace cutaway::views {
namespace {

constexpr double writtenOn = 28;       ///< the least width in pixels at which an event gets a text
constexpr double framed = 4;           ///< the least width in pixels of a box with a frame
constexpr double sparse = 0.3;         ///< the share of its colour that a pixel keeps if events fill little of it
constexpr double faded = 0.25;         ///< the opacity of events that do not match
constexpr std::size_t mostFlows = 200; ///< the largest number of arrows for one event
constexpr double lineHeight = LaneSight::lineHeight;

} // namespace

/// The short events of one row as an image that is one pixel high, so that all are drawn at once.
class LanePainter::Strip {
public:
    Strip(const QRectF &area, double ratio)
        : m_area(area),
          m_ratio(ratio),
          m_pixels(int(std::ceil(area.width() * ratio)), 1, QImage::Format_ARGB32_Premultiplied)
    {
        m_pixels.fill(Qt::transparent);
    }

    /// Colours the pixels between two positions, at least one.
    void add(double left, double right, QRgb color)
    {
        const int first = std::max(int((left - m_area.left()) * m_ratio), 0);
        const int end = std::min(std::max(int((right - m_area.left()) * m_ratio), first + 1), m_pixels.width());
        auto *pixels = reinterpret_cast<QRgb *>(m_pixels.scanLine(0));
        for (int i = first; i < end; ++i)
            pixels[i] = color;
        m_isEmpty = false;
    }

    void draw(QPainter &painter, double top) const
    {
        if (!m_isEmpty)
            painter.drawImage(QRectF(m_area.left(), top, m_pixels.width() / m_ratio, lineHeight - 1), m_pixels);
    }

private:
    QRectF m_area;
    double m_ratio;
    QImage m_pixels;
    bool m_isEmpty = true;
};

LanePainter::LanePainter(QPainter &painter, const OpenedTrace &opened, const LaneSight &sight, EventLook &look,
                         QPalette palette, const EventHits *hits)
    : m_painter(painter),
      m_opened(opened),
      m_sight(sight),
      m_look(look),
      m_palette(std::move(palette)),
      m_hits(hits),
      m_resolution(sight.resolution(hits))
{
}

void LanePainter::drawIterations() const
{
    const QRectF area = m_sight.plot();
    double drawnTo = area.left() - 1;
    for (const trace::Iteration &iteration : m_opened.linked.iterations) {
        const std::int64_t end = iteration.start + iteration.duration;
        const QRectF band(QPointF(m_sight.toPixel(iteration.start), area.top()),
                          QPointF(m_sight.toPixel(end), area.top() + LaneSight::iterationHeight - 4));
        if (!m_sight.isSeen(iteration.start, end) || band.right() < drawnTo + 1)
            continue;
        const QRectF seen = band.intersected(area);
        drawnTo = band.right();
        if (band.width() < framed) {
            m_painter.fillRect(seen, separator(m_palette));
            continue;
        }
        m_painter.fillRect(seen, m_palette.color(QPalette::AlternateBase));
        m_painter.setPen(QPen(separator(m_palette), 1));
        m_painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
        m_painter.setPen(iteration.isWarmUp ? mutedText(m_palette) : m_palette.color(QPalette::Text));
        drawLabel(m_painter, seen,
                  {iteration.isWarmUp ? QObject::tr("%1, warm-up").arg(nameOf(iteration)) : nameOf(iteration)});
    }
}

void LanePainter::drawLanes()
{
    const QRectF area = m_sight.lanes();
    const auto &lanes = m_opened.timeline.lanes();
    m_sight.visitRows([&](std::size_t lane, std::size_t row, double top) {
        if (row == 0)
            drawName(lanes[lane], top);
        m_painter.setClipRect(area);
        m_painter.setOpacity(m_hits ? faded : 1);
        drawRow(lanes[lane].rows[row], top);
        m_painter.setOpacity(1);
        if (m_hits)
            drawRow(m_hits->lanes[lane][row], top);
    });
}

void LanePainter::drawName(const trace::Lane &lane, double top) const
{
    const QRectF area = m_sight.lanes();
    m_painter.setClipRect(QRectF(0, area.top(), area.left(), area.height()));
    m_painter.setPen(mutedText(m_palette));
    const int room = int(area.left()) - 20;
    m_painter.drawText(QRectF(12, top, room, lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                       m_painter.fontMetrics().elidedText(shown(lane.name), Qt::ElideRight, room));
}

void LanePainter::drawRow(const trace::LaneRow &row, double top)
{
    Strip strip(m_sight.lanes(), m_painter.device()->devicePixelRatioF());
    m_sight.visit(row, m_resolution, [&](const trace::Stretch &stretch) { drawStretch(strip, stretch, top); });
    strip.draw(m_painter, top);
}

/// Draws an event, or several that are too short to be drawn alone: in the colour of the longest one, the paler the
/// less of the time they take.
void LanePainter::drawStretch(Strip &strip, const trace::Stretch &stretch, double top)
{
    const double left = m_sight.toPixel(stretch.start), right = m_sight.toPixel(stretch.end);
    QColor color = m_look.colorOf(stretch.event);
    if (stretch.count > 1) {
        const double share = double(stretch.busy) / double(std::max<std::int64_t>(stretch.end - stretch.start, 1));
        color = mixed(color, m_palette.color(QPalette::Base), sparse + (1 - sparse) * std::clamp(share, 0.0, 1.0));
    }
    if (right - left < framed)
        strip.add(left, right, color.rgb());
    else
        drawBox(QRectF(left, top, right - left - 1, lineHeight - 1), color, stretch.event);
}

void LanePainter::drawBox(const QRectF &place, const QColor &color, trace::EventIndex event)
{
    const QRectF seen = place.intersected(m_sight.lanes().adjusted(-2, 0, 2, 0));
    m_painter.fillRect(seen, color);
    if (m_look.isHatched(event))
        m_painter.fillRect(seen, QBrush(mutedText(m_palette), Qt::BDiagPattern));
    if (!m_look.hasNode(event)) {
        m_painter.setPen(QPen(separator(m_palette), 1));
        m_painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const QRectF room = place.intersected(m_sight.lanes().adjusted(0, -lineHeight, 0, lineHeight));
    if (room.width() < writtenOn)
        return;
    m_painter.setPen(textOn(color));
    m_look.drawLabel(m_painter, room, event);
}

void LanePainter::drawFrame(const QRectF &box, double width) const
{
    const QRectF area = m_sight.lanes();
    if (!box.intersects(area))
        return;
    const QColor color = m_palette.color(QPalette::Text);
    if (box.width() < framed) // too narrow for a frame, so a line at the bottom stands for it
        return m_painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width() + 1, 3), color);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(color, width));
    m_painter.drawRect(box.intersected(area.adjusted(-4, -4, 4, 4)).adjusted(-1, -1, 0, 0));
}

void LanePainter::drawFrames(std::span<const Framed> rows) const
{
    for (const Framed &row : rows)
        m_sight.visit(row.events, m_resolution,
                      [&](const trace::Stretch &stretch) { drawFrame(m_sight.boxOf(stretch.event, row.place), 2); });
}

void LanePainter::drawFrame(trace::EventIndex event, double width) const
{
    if (const auto box = m_sight.placeOf(event))
        drawFrame(*box, width);
}

/// Draws lines from an event of a node to the events that it launches, and to it from its launcher. An event around
/// nodes gets none, since it launches too many.
void LanePainter::drawFlows(trace::EventIndex event) const
{
    const trace::Timeline &timeline = m_opened.timeline;
    if (!timeline.linkOf(event))
        return;
    std::vector<std::pair<trace::EventIndex, trace::EventIndex>> flows;
    if (const auto launcher = timeline.launcherOf(event))
        flows.emplace_back(*launcher, event);
    for (const trace::EventIndex launched : timeline.launchesOf(event))
        if (flows.size() < mostFlows)
            flows.emplace_back(timeline.launcherOf(launched).value_or(event), launched);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(m_palette.color(QPalette::Highlight), 1.5));
    for (const auto &[launcher, work] : flows) {
        const auto from = m_sight.placeOf(launcher), to = m_sight.placeOf(work);
        if (!from || !to)
            continue;
        const QPointF start(std::min(from->right(), std::max(from->left(), to->left())), from->bottom()),
            end(to->left(), to->top());
        QPainterPath path(start);
        const double middle = (start.y() + end.y()) / 2;
        path.cubicTo({start.x(), middle}, {end.x(), middle}, end);
        m_painter.drawPath(path);
    }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace cutaway::views
