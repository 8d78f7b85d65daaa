// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/picture.h"

#include "core/layout/metrics.h"
#include "views/appearance/fonts.h"
#include "views/graph/viewport.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::views {
namespace {

/// Returns the bounds of a line with its arrow head.
QRectF boundsOf(const std::vector<layout::Point> &points)
{
    if (points.empty())
        return {};
    const auto [left, right] = std::ranges::minmax(points, {}, &layout::Point::x);
    const auto [top, bottom] = std::ranges::minmax(points, {}, &layout::Point::y);
    const double room = layout::metrics::arrowWidth;
    return QRectF(left.x, top.y, right.x - left.x, bottom.y - top.y).adjusted(-room, -room, room, room);
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

Picture::Picture(std::shared_ptr<const layout::Diagram> diagram) : m_diagram(std::move(diagram))
{
    indexBoxes();
    indexEdges();
    const auto cover = [](std::vector<QRectF> &chunks, std::size_t i, const QRectF &rect) {
        if (i % chunkSize == 0)
            chunks.push_back(rect);
        else
            chunks.back() = chunks.back().united(rect);
    };
    for (std::size_t i = 0; i < m_diagram->boxes.size(); ++i)
        cover(m_boxChunks, i, toQt(m_diagram->boxes[i].rect));
    for (std::size_t i = 0; i < m_edgeBounds.size(); ++i)
        cover(m_edgeChunks, i, edgeBounds(std::uint32_t(i)));
}

void Picture::indexBoxes()
{
    m_boxes.reserve(m_diagram->boxes.size());
    for (std::uint32_t i = 0; i < m_diagram->boxes.size(); ++i) {
        m_boxes.push_back({m_diagram->boxes[i].subject, i});
        for (const layout::Subject &other : m_diagram->boxes[i].others)
            m_boxes.push_back({other, i});
    }
    std::ranges::sort(m_boxes);
}

void Picture::indexEdges()
{
    const auto forEachEnd = [this](auto &&visit) {
        for (std::uint32_t i = 0; i < m_diagram->edges.size(); ++i) {
            const layout::Edge &edge = m_diagram->edges[i];
            visit(edge.from, i);
            if (edge.to != edge.from)
                visit(edge.to, i);
        }
    };
    m_edgesBegin.assign(m_diagram->boxes.size() + 1, 0);
    forEachEnd([this](std::uint32_t box, std::uint32_t) { ++m_edgesBegin[box + 1]; });
    std::partial_sum(m_edgesBegin.begin(), m_edgesBegin.end(), m_edgesBegin.begin());
    m_edgesOf.resize(m_edgesBegin.back());
    std::vector<std::uint32_t> next = m_edgesBegin;
    forEachEnd([&](std::uint32_t box, std::uint32_t edge) { m_edgesOf[next[box]++] = edge; });
    m_edgeBounds.reserve(m_diagram->edges.size());
    std::size_t knots = 0;
    for (const layout::Edge &edge : m_diagram->edges)
        knots += (edge.points.size() + 2) / 3;
    m_knots.reserve(knots);
    m_knotsBegin.reserve(m_diagram->edges.size() + 1);
    m_knotsBegin.push_back(0);
    for (const layout::Edge &edge : m_diagram->edges) {
        for (std::size_t i = 0; i < edge.points.size(); i += 3)
            m_knots.push_back({static_cast<float>(edge.points[i].x), static_cast<float>(edge.points[i].y)});
        m_knotsBegin.push_back(static_cast<std::uint32_t>(m_knots.size()));
        const QRectF bounds = boundsOf(edge.points);
        const QRectF all = edge.labelRect ? bounds.united(toQt(*edge.labelRect)) : bounds;
        m_edgeBounds.push_back({float(all.left()), float(all.top()), float(all.right()), float(all.bottom())});
    }
}

QPainterPath Picture::path(std::uint32_t i) const
{
    const std::vector<layout::Point> &points = edge(i).points;
    QPainterPath path;
    if (points.empty())
        return path;
    path.moveTo(toQt(points.front()));
    for (std::size_t k = 3; k < points.size(); k += 3)
        path.cubicTo(toQt(points[k - 2]), toQt(points[k - 1]), toQt(points[k]));
    return path;
}

QRectF Picture::bounds() const { return toQt(m_diagram->bounds); }

QPointF Picture::start() const
{
    // An input further down stands beside the node that reads it, and is not visible at first.
    constexpr double nearTop = 200;
    const layout::Box *highest = nullptr;
    for (const layout::Box &box : m_diagram->boxes) {
        if (box.kind == layout::Box::Kind::Input && box.rect.y < bounds().top() + nearTop)
            return toQt(box.rect).center();
        if (!box.open && (!highest || box.rect.y < highest->rect.y))
            highest = &box;
    }
    return highest ? toQt(highest->rect).center() : bounds().center();
}

std::optional<std::uint32_t> Picture::find(const layout::Subject &subject) const
{
    const auto it = std::ranges::lower_bound(m_boxes, subject, {}, &Place::subject);
    return it == m_boxes.end() || it->subject != subject ? std::nullopt : std::optional(it->box);
}

std::optional<std::uint32_t> Picture::boxAt(layout::Point point) const
{
    // The search goes backwards, since a box comes after the box around it in the list.
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
        if (!edgeBounds(i).adjusted(-reach, -reach, reach, reach).contains(toQt(point)))
            continue;
        if (const double d = distance(path(i), toQt(point)); d < nearest) {
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
    const auto [known, isNew] = m_lines.try_emplace(i);
    if (isNew)
        known->second = layout::placeLines(m_diagram->boxes[i], diagramTextWidth);
    return known->second;
}

} // namespace cutaway::views
