// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/columns.h"

#include "core/layout/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace cutaway::layout {

namespace {

constexpr double lowEnough = 1300; ///< a plane up to this height stays as it is
constexpr double leastFill = 0.4;  ///< the least height of a column, as a share of the height of equal columns
constexpr double columnGap = 56;
constexpr double detour = 32; ///< distance of a routed line from its column
constexpr double corner = 8;

/// A height at which a plane can be cut, and the edge that crosses it.
struct Cut {
    double y = 0;
    std::optional<std::uint32_t> edge{};
};

struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void include(double a, double b)
    {
        low = std::min(low, a);
        high = std::max(high, b);
    }
};

Extent rowsOf(const std::vector<Point> &curve)
{
    Extent extent;
    for (const Point &point : curve)
        extent.include(point.y, point.y);
    return extent;
}

/// Returns all gaps between rows of boxes that at most one edge crosses, from top to bottom.
std::vector<Cut> possibleCuts(const Plane &plane, const PlaneLayout &layout)
{
    struct Event {
        double y;
        int boxes; ///< +1 where a box begins, -1 where one ends
        int edges;
        std::int64_t edge; ///< index of an edge, negative where it ends: the sum is the index of the only open edge
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < layout.centers.size(); ++i) {
        const double half = plane.vertices[i].size.height / 2;
        events.push_back({layout.centers[i].y - half, 1, 0, 0});
        events.push_back({layout.centers[i].y + half, -1, 0, 0});
    }
    for (std::size_t i = 0; i < layout.curves.size(); ++i) {
        const Extent rows = rowsOf(layout.curves[i]);
        const auto number = static_cast<std::int64_t>(i);
        events.push_back({rows.low, 0, 1, number});
        events.push_back({rows.high, 0, -1, -number});
    }
    std::ranges::sort(events, {}, &Event::y);
    std::vector<Cut> cuts;
    int boxes = 0;
    int edges = 0;
    std::int64_t edge = 0;
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
        boxes += events[i].boxes;
        edges += events[i].edges;
        edge += events[i].edge;
        const double room = events[i + 1].y - events[i].y;
        if (boxes == 0 && edges <= 1 && room > metrics::rankGap / 4)
            cuts.push_back(
                {events[i].y + room / 2, edges == 1 ? std::optional(static_cast<std::uint32_t>(edge)) : std::nullopt});
    }
    return cuts;
}

/// Cuts the plane into columns of at most the height `most`, each filled as far as that allows. Returns nothing if a
/// column would be higher or nearly empty, or there would be more than `columns`.
std::optional<std::vector<Cut>> filled(const std::vector<Cut> &possible, double height, int columns, double most)
{
    const double least = leastFill * height / columns;
    std::vector<Cut> chosen;
    double top = 0;
    while (height - top > most) {
        const auto end = std::ranges::upper_bound(possible, std::min(top + most, height - least), {}, &Cut::y);
        if (end == possible.begin() || std::prev(end)->y < top + least || std::ssize(chosen) + 1 >= columns)
            return std::nullopt;
        chosen.push_back(*std::prev(end));
        top = chosen.back().y;
    }
    return chosen;
}

/// Chooses cuts with which the highest column is as low as possible, and among those within 5 % of it the fewest:
/// twelve equal blocks in up to eight columns become six columns of two.
std::vector<Cut> chosenCuts(const std::vector<Cut> &possible, double height, int columns)
{
    constexpr double slack = 1.05;
    double tooLow = height / (columns + 1), enough = height;
    while (enough - tooLow > 1) {
        const double most = (tooLow + enough) / 2;
        (filled(possible, height, columns, most) ? enough : tooLow) = most;
    }
    for (const double most : {slack * enough, enough})
        if (auto cuts = filled(possible, height, columns, most))
            return *std::move(cuts);
    return {};
}

/// Returns a polyline with rounded corners, as cubic segments.
std::vector<Point> rounded(const std::vector<Point> &corners)
{
    const auto towards = [](Point a, Point b, double distance) {
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const double t = length > 0 ? std::min(distance / length, 0.5) : 0;
        return Point{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    };
    std::vector<Point> out{corners.front()};
    const auto lineTo = [&](Point to) {
        const Point from = out.back();
        out.push_back({(2 * from.x + to.x) / 3, (2 * from.y + to.y) / 3});
        out.push_back({(from.x + 2 * to.x) / 3, (from.y + 2 * to.y) / 3});
        out.push_back(to);
    };
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        lineTo(towards(corners[i], corners[i - 1], corner));
        const Point end = towards(corners[i], corners[i + 1], corner);
        out.push_back(towards(corners[i], out.back(), corner * 0.45));
        out.push_back(towards(corners[i], end, corner * 0.45));
        out.push_back(end);
    }
    lineTo(corners.back());
    return out;
}

class Folder {
public:
    Folder(const Plane &plane, PlaneLayout &layout, std::vector<Cut> cuts)
        : m_plane(plane),
          m_layout(layout),
          m_cuts(std::move(cuts)),
          m_across(m_cuts.size() + 1),
          m_down(m_cuts.size() + 1),
          m_shift(m_cuts.size() + 1)
    {
    }

    /// Returns the width and height of the folded layout.
    Size measure()
    {
        for (std::size_t i = 0; i < m_layout.centers.size(); ++i) {
            const Point c = m_layout.centers[i];
            const Size half{m_plane.vertices[i].size.width / 2, m_plane.vertices[i].size.height / 2};
            include(columnOf(c.y), {c.x - half.width, c.y - half.height}, {c.x + half.width, c.y + half.height});
        }
        for (std::size_t i = 0; i < m_layout.curves.size(); ++i)
            if (!isCut(i))
                for (const Point &p : m_layout.curves[i])
                    include(columnOf(m_layout.curves[i].front().y), p, {p.x + m_plane.edges[i].labelWidth, p.y});
        Size size;
        for (std::size_t i = 0; i < m_across.size(); ++i) {
            m_shift[i] = {size.width - m_across[i].low, -m_down[i].low};
            size.width += m_across[i].high - m_across[i].low + columnGap;
            size.height = std::max(size.height, m_down[i].high - m_down[i].low);
        }
        return size;
    }

    void fold()
    {
        for (std::vector<Point> &curve : m_layout.curves) {
            const std::size_t from = columnOf(curve.front().y);
            const std::size_t to = columnOf(curve.back().y);
            if (from != to) {
                curve = from < to ? led(curve, from, to) : led({curve.rbegin(), curve.rend()}, to, from);
                if (from > to)
                    std::ranges::reverse(curve);
            } else {
                for (Point &point : curve)
                    point = moved(point, from);
            }
        }
        for (Point &center : m_layout.centers)
            center = moved(center, columnOf(center.y));
        normalize(m_plane, m_layout);
        m_layout.size.height += metrics::boxPadding; // room for lines above the lower border
    }

private:
    std::size_t columnOf(double y) const
    {
        return static_cast<std::size_t>(std::ranges::upper_bound(m_cuts, y, {}, &Cut::y) - m_cuts.begin());
    }
    bool isCut(std::size_t edge) const
    {
        return columnOf(m_layout.curves[edge].front().y) != columnOf(m_layout.curves[edge].back().y);
    }
    void include(std::size_t column, Point low, Point high)
    {
        m_across[column].include(low.x, high.x);
        m_down[column].include(low.y, high.y);
    }
    Point moved(Point p, std::size_t column) const { return {p.x + m_shift[column].x, p.y + m_shift[column].y}; }

    /// Returns the route of a cut edge: from its column down below it, up through the gap to the left of column `to`,
    /// and down into `to` from above.
    std::vector<Point> led(const std::vector<Point> &curve, std::size_t from, std::size_t to) const
    {
        const Point start = moved(curve.front(), from);
        const Point end = moved(curve.back(), to);
        const double below = m_down[from].high - m_down[from].low + detour;
        const double gap = m_shift[to].x + m_across[to].low - columnGap / 2;
        return rounded({start, {start.x, below}, {gap, below}, {gap, -detour}, {end.x, -detour}, end});
    }

    const Plane &m_plane;
    PlaneLayout &m_layout;
    std::vector<Cut> m_cuts;
    std::vector<Extent> m_across; ///< by column: its horizontal extent before the column is moved
    std::vector<Extent> m_down;
    std::vector<Point> m_shift;
};

} // namespace

void foldIntoColumns(const Plane &plane, PlaneLayout &layout)
{
    const Size before = layout.size;
    if (before.height < lowEnough || before.width <= 0)
        return;
    const int columns =
        static_cast<int>(std::lround(std::sqrt(metrics::wantedAspect * before.height / (before.width + columnGap))));
    if (columns < 2)
        return;
    Folder folder(plane, layout, chosenCuts(possibleCuts(plane, layout), before.height, columns));
    const Size after = folder.measure();
    if (after.height < 0.75 * before.height && after.width < 2.5 * after.height)
        folder.fold();
}

} // namespace cutaway::layout
