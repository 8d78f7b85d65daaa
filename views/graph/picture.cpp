// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/picture.h"

#include "core/layout/metrics.h"
#include "views/appearance/fonts.h"
#include "views/graph/viewport.h"

#include <cmath>

namespace cutaway::views {
namespace {

QPainterPath edgePath(const layout::Edge &edge)
{
    QPainterPath path;
    if (edge.points.empty())
        return path;
    path.moveTo(toQt(edge.points.front()));
    for (std::size_t i = 3; i < edge.points.size(); i += 3)
        path.cubicTo(toQt(edge.points[i - 2]), toQt(edge.points[i - 1]), toQt(edge.points[i]));
    return path;
}

double distance(const QPainterPath &path, QPointF point)
{
    double nearest = std::numeric_limits<double>::infinity();
    const int steps = std::max(8, path.elementCount() * 4);
    for (int i = 0; i <= steps; ++i) {
        const QPointF d = path.pointAtPercent(double(i) / steps) - point;
        nearest = std::min(nearest, std::hypot(d.x(), d.y()));
    }
    return nearest;
}

} // namespace

Picture::Picture(std::shared_ptr<const layout::Diagram> diagram)
    : m_diagram(std::move(diagram)),
      m_edgesOf(m_diagram->boxes.size()),
      m_lines(m_diagram->boxes.size())
{
    for (std::uint32_t i = 0; i < m_diagram->boxes.size(); ++i)
        m_boxes.emplace(m_diagram->boxes[i].subject, i);
    for (std::uint32_t i = 0; i < m_diagram->edges.size(); ++i) {
        const layout::Edge &edge = m_diagram->edges[i];
        m_edgesOf[edge.from].push_back(i);
        if (edge.to != edge.from)
            m_edgesOf[edge.to].push_back(i);
        m_paths.push_back(edgePath(edge));
        const double room = layout::metrics::arrowWidth;
        QRectF bounds = m_paths.back().controlPointRect().adjusted(-room, -room, room, room);
        m_edgeBounds.push_back(edge.labelRect ? bounds.united(toQt(*edge.labelRect)) : bounds);
    }
    const auto cover = [](std::vector<QRectF> &chunks, std::size_t i, const QRectF &rect) {
        if (i % chunkSize == 0)
            chunks.push_back(rect);
        else
            chunks.back() = chunks.back().united(rect);
    };
    for (std::size_t i = 0; i < m_diagram->boxes.size(); ++i)
        cover(m_boxChunks, i, toQt(m_diagram->boxes[i].rect));
    for (std::size_t i = 0; i < m_edgeBounds.size(); ++i)
        cover(m_edgeChunks, i, m_edgeBounds[i]);
}

QRectF Picture::bounds() const { return toQt(m_diagram->bounds); }

QPointF Picture::start() const
{
    using Kind = layout::Box::Kind;
    for (const layout::Box &box : m_diagram->boxes)
        if (box.kind == Kind::Input)
            return toQt(box.rect).center();
    return m_diagram->boxes.empty() ? bounds().center() : toQt(m_diagram->boxes.front().rect).center();
}

std::optional<std::uint32_t> Picture::find(const layout::Subject &subject) const
{
    const auto it = m_boxes.find(subject);
    return it == m_boxes.end() ? std::nullopt : std::optional(it->second);
}

std::optional<std::uint32_t> Picture::boxAt(layout::Point point) const
{
    // What is inside comes later in the list.
    for (std::uint32_t i = m_diagram->boxes.size(); i-- > 0;)
        if (m_diagram->boxes[i].rect.contains(point))
            return i;
    return {};
}

std::optional<std::uint32_t> Picture::edgeAt(layout::Point point, double reach) const
{
    std::optional<std::uint32_t> best;
    double nearest = reach;
    for (std::uint32_t i = 0; i < m_diagram->edges.size(); ++i) {
        const layout::Edge &edge = m_diagram->edges[i];
        if (edge.labelRect && edge.labelRect->contains(point))
            return i;
        if (!m_edgeBounds[i].adjusted(-reach, -reach, reach, reach).contains(toQt(point)))
            continue;
        if (const double d = distance(m_paths[i], toQt(point)); d < nearest) {
            nearest = d;
            best = i;
        }
    }
    return best;
}

QRectF Picture::disclosure(std::uint32_t i) const
{
    const layout::Box &box = m_diagram->boxes[i];
    if (!box.canOpen)
        return {};
    const double height =
        box.open ? layout::metrics::headerHeight : layout::metrics::titleRow + 2 * layout::metrics::paddingY;
    return {box.rect.x, box.rect.y, layout::metrics::paddingX + 4, std::min(height, box.rect.height)};
}

const std::vector<layout::PlacedLine> &Picture::lines(std::uint32_t i) const
{
    if (!m_lines[i])
        m_lines[i] = layout::placeLines(m_diagram->boxes[i], diagramTextWidth);
    return *m_lines[i];
}

} // namespace cutaway::views
