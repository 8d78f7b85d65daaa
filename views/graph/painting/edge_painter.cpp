// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/painting/edge_painter.h"

#include "core/layout/metrics.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

#include <cmath>

namespace cutaway::views {
namespace {

namespace metrics = layout::metrics;
using layout::Mark;

} // namespace

void EdgePainter::forEachShownEdge(bool strong, auto &&draw)
{
    m_context.picture.forEachEdgeNear(m_context.shown, [&](std::uint32_t i) {
        const QRectF bounds = m_context.picture.edgeBounds(i);
        // An edge that is not highlighted is left out if it is shorter than a pixel.
        const bool isSeen = strong || std::max(bounds.width(), bounds.height()) * m_context.zoom >= 1;
        if (m_context.emphasis.isStrong(i) != strong || !isSeen || !m_context.shown.intersects(bounds)
            || m_context.isHiddenEdge(i))
            return;
        m_context.painter.setOpacity(
            m_context.isFadedEdge(i) || (m_context.picture.edge(i).isQuiet && !strong) ? PaintContext::fadedLine : 1);
        draw(i);
    });
}

void EdgePainter::paintAll()
{
    for (const bool strong : {false, true})
        forEachShownEdge(strong, [this](std::uint32_t i) { edge(i); });
    drawFarLines();
}

void EdgePainter::paintLabels()
{
    m_context.picture.forEachEdgeNear(m_context.shown, [this](std::uint32_t i) { label(i); });
}

void EdgePainter::edge(std::uint32_t i)
{
    const bool strong = m_context.emphasis.isStrong(i);
    const Mark mark = m_context.markOfEdge(i);
    if (m_context.zoom < shapeZoom)
        return farEdge(i, {strong, mark, m_context.painter.opacity()});
    const QColor color = toColor(strong ? m_context.palette.selection : m_context.palette.mark(mark));
    QPen pen = m_context.line(color, strong ? 2 : 1.2);
    if (mark == Mark::Removed)
        pen.setDashPattern({4, 3});
    else if (m_context.picture.edge(i).form == layout::Edge::Form::Stub)
        pen.setDashPattern({2.5, 2.5});
    else if (m_context.picture.edge(i).isBridge)
        pen.setDashPattern({1.2, 2.5});
    m_context.painter.setBrush(Qt::NoBrush);
    m_context.painter.setPen(pen);
    m_context.painter.drawPath(m_context.picture.path(i));
    arrowHead(m_context.picture.edge(i), color);
}

/// Draws an edge from far as lines of one pixel between its knots, which looks like the whole edge. There may be tens
/// of thousands, so vertical and horizontal lines are filled as rectangles, and the rest is drawn together.
void EdgePainter::farEdge(std::uint32_t i, const FarPen &pen)
{
    if (m_farPen != pen) {
        drawFarLines();
        m_farPen = pen;
        m_context.painter.setOpacity(pen.opacity);
    }
    const double pixel = 1 / m_context.zoom;
    const QColor color = farColor(pen);
    const std::span<const Picture::Knot> knots = m_context.picture.knots(i);
    for (std::size_t from = 0, to = 1; to < knots.size(); ++to) {
        const double width = std::abs(knots[to].x - knots[from].x), height = std::abs(knots[to].y - knots[from].y);
        if (std::max(width, height) < pixel && to + 1 < knots.size())
            continue;
        const QPointF a(knots[from].x, knots[from].y), b(knots[to].x, knots[to].y);
        if (std::min(width, height) < pixel)
            m_context.fillRect(m_context.atLeast(pen.width(), QRectF(a, b).normalized()), color);
        else
            m_farLines << QLineF(a, b);
        from = to;
    }
}

/// Returns the colour of an edge from far. Since a line is at least a pixel wide, it becomes paler as the zoom gets
/// smaller, so that boxes stand out.
QColor EdgePainter::farColor(const FarPen &pen) const
{
    if (pen.strong || pen.mark != Mark::None)
        return toColor(pen.strong ? m_context.palette.selection : m_context.palette.mark(pen.mark));
    constexpr double palest = 0.6;
    return tinted(toColor(m_context.palette.edge), toColor(m_context.palette.canvas),
                  palest * (1 - m_context.zoom / shapeZoom));
}

void EdgePainter::drawFarLines()
{
    if (m_farLines.isEmpty())
        return;
    QPen pen(farColor(m_farPen), m_farPen.width());
    pen.setCosmetic(true);
    m_context.painter.setPen(pen);
    m_context.painter.setOpacity(m_farPen.opacity);
    m_context.painter.drawLines(m_farLines);
    m_farLines.clear();
}

void EdgePainter::arrowHead(const layout::Edge &edge, QColor color)
{
    if (edge.points.size() < 4 || edge.goesOn)
        return;
    const QPointF tip = toQt(edge.points.back());
    QLineF back(tip, toQt(edge.points[edge.points.size() - 2]));
    if (back.length() < 0.01)
        back.setP2(toQt(edge.points[edge.points.size() - 4]));
    back.setLength(metrics::arrowLength);
    QLineF across = back.normalVector();
    across.setLength(metrics::arrowWidth / 2);
    const QPointF side = across.p2() - across.p1();
    m_context.painter.setPen(Qt::NoPen);
    m_context.painter.setBrush(color);
    m_context.painter.drawPolygon(QPolygonF{{tip, back.p2() + side, back.p2() - side}});
}

void EdgePainter::label(std::uint32_t i)
{
    const layout::Edge &edge = m_context.picture.edge(i);
    if (!edge.labelRect || !m_context.shown.intersects(toQt(*edge.labelRect)) || m_context.isHiddenEdge(i))
        return;
    m_context.painter.setOpacity(1);
    m_context.painter.setFont(edgeLabelFont());
    m_context.painter.setPen(
        toColor(m_context.emphasis.isStrong(i) ? m_context.palette.text : m_context.palette.edgeLabel));
    m_context.painter.drawText(toQt(*edge.labelRect).adjusted(metrics::labelPadding, 0, 0, 0),
                               Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                               isolated(QString::fromStdString(edge.label)));
}

} // namespace cutaway::views
