// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/walking.h"

#include "views/graph/viewport.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::views {
namespace {

constexpr double rowWeight = 4; ///< how many times further away a box in another row counts

} // namespace

std::optional<std::uint32_t> firstBoxIn(const Picture &picture, const QRectF &sight)
{
    const auto &boxes = picture.diagram().boxes;
    const auto first = std::ranges::find_if(boxes, [&](const layout::Box &box) {
        return sight.contains(toQt(box.rect).center()) && !(box.open && box.parent);
    });
    return first == boxes.end() ? std::nullopt : std::optional(std::uint32_t(first - boxes.begin()));
}

std::optional<std::uint32_t> siblingOf(const Picture &picture, std::uint32_t box, int direction)
{
    const layout::Box &from = picture.box(box);
    const QPointF centre = toQt(from.rect).center();
    std::optional<std::uint32_t> best;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < picture.diagram().boxes.size(); ++i) {
        const QPointF d = toQt(picture.box(i).rect).center() - centre;
        const double cost = std::abs(d.x()) + rowWeight * std::abs(d.y());
        if (i != box && picture.box(i).parent == from.parent && d.x() * direction > 1 && cost < nearest) {
            nearest = cost;
            best = i;
        }
    }
    return best;
}

std::optional<std::uint32_t> neighbourOf(const Picture &picture, std::uint32_t box, int direction)
{
    for (const std::uint32_t i : picture.edgesOf(box)) {
        const layout::Edge &edge = picture.edge(i);
        const std::uint32_t next = direction > 0 ? edge.to : edge.from;
        if (next != box)
            return next;
    }
    return {};
}

std::optional<std::uint32_t> nextLevelOf(const Picture &picture, std::uint32_t box, int direction)
{
    const auto &boxes = picture.diagram().boxes;
    if (direction < 0)
        return boxes[box].parent;
    return box + 1 < boxes.size() && boxes[box + 1].parent == box ? std::optional(box + 1) : std::nullopt;
}

} // namespace cutaway::views
