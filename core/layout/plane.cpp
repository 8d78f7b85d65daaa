// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/plane.h"

#include <algorithm>
#include <limits>

namespace cutaway::layout {

namespace {

constexpr double maxLabelRoom = 180; ///< the limit is needed, as a formula of sizes may be longer than any box is wide

} // namespace

std::optional<double> portOffset(const PlaneVertex &vertex, const std::vector<double> &ports,
                                 std::optional<std::uint32_t> port)
{
    if (!port || *port >= ports.size())
        return std::nullopt;
    return ports[*port] - vertex.size.width / 2;
}

void normalize(const Plane &plane, PlaneLayout &layout)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Point low{infinity, infinity};
    Point high{-infinity, -infinity};
    const auto include = [&](double x, double y) {
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
    };
    for (std::size_t i = 0; i < layout.centers.size(); ++i) {
        const Point center = layout.centers[i];
        const Size size = plane.vertices[i].size;
        include(center.x - size.width / 2, center.y - size.height / 2);
        include(center.x + size.width / 2, center.y + size.height / 2);
    }
    for (const std::vector<Point> &curve : layout.curves)
        for (const Point &point : curve)
            include(point.x, point.y);
    // Labels stand to the right of their lines and count for the bounds: a narrow box would have no room for them.
    for (std::size_t i = 0; i < layout.curves.size() && i < plane.edges.size(); ++i)
        if (const auto &curve = layout.curves[i]; plane.edges[i].labelWidth > 0 && !curve.empty()) {
            const Point middle = curve[curve.size() / 2];
            include(middle.x + std::min(plane.edges[i].labelWidth, maxLabelRoom), middle.y);
        }
    if (layout.centers.empty())
        return;
    for (Point &center : layout.centers)
        center = {center.x - low.x, center.y - low.y};
    for (std::vector<Point> &curve : layout.curves)
        for (Point &point : curve)
            point = {point.x - low.x, point.y - low.y};
    layout.size = {high.x - low.x, high.y - low.y};
}

} // namespace cutaway::layout
