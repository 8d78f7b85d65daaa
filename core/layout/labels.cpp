// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/labels.h"

#include "core/layout/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace cutaway::layout {

namespace {

constexpr double cellSize = 64;
constexpr double sampleStep = 6;
constexpr double longLine = 200;
constexpr double clearance = 4; ///< between a label and everything else

Point bezier(const Point *p, double t)
{
    const double s = 1 - t;
    const std::array weight = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    Point out;
    for (std::size_t i = 0; i < weight.size(); ++i)
        out = {out.x + weight[i] * p[i].x, out.y + weight[i] * p[i].y};
    return out;
}

/// Points on a curve, at most about sampleStep apart.
std::vector<Point> samplesOf(const std::vector<Point> &points)
{
    std::vector<Point> samples;
    for (std::size_t i = 0; i + 3 < points.size(); i += 3) {
        double length = 0;
        for (std::size_t k = i; k < i + 3; ++k)
            length += std::hypot(points[k + 1].x - points[k].x, points[k + 1].y - points[k].y);
        const int steps = std::clamp(static_cast<int>(length / sampleStep), 1, 2000);
        for (int k = 0; k <= steps; ++k)
            samples.push_back(bezier(&points[i], static_cast<double>(k) / steps));
    }
    return samples;
}

/// Rectangles that labels must not overlap, found by a grid.
class Occupied {
public:
    void add(const Rect &rect)
    {
        const auto index = static_cast<std::uint32_t>(m_rects.size());
        m_rects.push_back(rect);
        forEachCell(rect, [&](std::uint64_t cell) {
            m_cells[cell].push_back(index);
            return true;
        });
    }

    bool meets(const Rect &rect) const
    {
        bool free = true;
        forEachCell(rect, [&](std::uint64_t cell) {
            if (const auto found = m_cells.find(cell); found != m_cells.end())
                for (const std::uint32_t other : found->second)
                    free = free && !m_rects[other].intersects(rect);
            return free;
        });
        return !free;
    }

private:
    template <class Visit>
    static void forEachCell(const Rect &rect, Visit &&visit)
    {
        const auto cellOf = [](double x) { return static_cast<std::int32_t>(std::floor(x / cellSize)); };
        for (std::int32_t y = cellOf(rect.y); y <= cellOf(rect.bottom()); ++y)
            for (std::int32_t x = cellOf(rect.x); x <= cellOf(rect.right()); ++x)
                if (!visit(std::uint64_t{static_cast<std::uint32_t>(y)} << 32 | static_cast<std::uint32_t>(x)))
                    return;
    }

    std::vector<Rect> m_rects;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_cells;
};

void occupy(Occupied &occupied, const Box &box)
{
    const Rect &r = box.rect;
    if (!box.open) {
        occupied.add(r);
        return;
    }
    occupied.add({r.x, r.y, r.width, metrics::headerHeight});
    occupied.add({r.x, r.y, 1, r.height});
    occupied.add({r.right(), r.y, 1, r.height});
    occupied.add({r.x, r.bottom(), r.width, 1});
}

/// Candidate rectangles beside the line, best first. A short line has its label near the middle, right or left. A long
/// one is read at its ends, where a label on the left would seem to belong to the neighbour there.
std::vector<Rect> candidates(const std::vector<Point> &samples, double width)
{
    std::vector<Rect> out;
    const std::size_t last = samples.size() - 1;
    const auto add = [&](std::size_t sample, bool right) {
        const Point at = samples[std::min(sample, last)];
        out.push_back({right ? at.x + clearance : at.x - clearance - width, at.y - metrics::labelHeight / 2, width,
                       metrics::labelHeight});
    };
    const bool isLong = last > longLine / sampleStep;
    if (isLong)
        for (const std::size_t sample : {std::size_t{2}, last - 2, std::size_t{3}, last - 3})
            add(sample, true);
    for (const double t : {0.5, 0.35, 0.65, 0.2, 0.8}) {
        add(static_cast<std::size_t>(t * static_cast<double>(last)), true);
        if (!isLong)
            add(static_cast<std::size_t>(t * static_cast<double>(last)), false);
    }
    return out;
}

/// Above the beginning of a stub, which is never without its label.
Rect besideStub(const Edge &edge, double width, const Rect &bounds, const Occupied &occupied)
{
    const Point start = edge.points.front();
    const auto at = [&](double x) {
        return Rect{std::max(x, bounds.x + clearance), start.y - metrics::labelHeight - 1, width, metrics::labelHeight};
    };
    std::vector<Rect> places;
    for (int part = 4; part < 16; ++part)
        places.push_back(at(start.x - part * width / 16));
    places.push_back(at(start.x - width + clearance));
    places.push_back(at(start.x - clearance));
    const auto place = std::ranges::find_if(places, [&](const Rect &rect) { return !occupied.meets(rect); });
    return place == places.end() ? places.front() : *place;
}

} // namespace

void placeLabels(Diagram &diagram, const TextMeasure &measure, std::stop_token stop)
{
    Occupied occupied;
    for (const Box &box : diagram.boxes)
        occupy(occupied, box);
    std::vector<std::vector<Point>> samples;
    for (const Edge &edge : diagram.edges) {
        samples.push_back(samplesOf(edge.points));
        for (const Point &point : samples.back())
            occupied.add({point.x, point.y, 0, 0});
    }
    const auto widthOf = [&](const Edge &edge) {
        return measure(edge.label, Line::Style::Weight) + 2 * metrics::labelPadding;
    };
    for (Edge &edge : diagram.edges)
        if (edge.form == Edge::Form::Stub && !edge.label.empty() && !edge.points.empty()) {
            edge.labelRect = besideStub(edge, widthOf(edge), diagram.bounds, occupied);
            occupied.add(*edge.labelRect);
        }
    std::set<std::pair<std::uint32_t, ir::ValueId>> labelled; // a box's outgoing value is labelled once
    for (std::size_t i = 0; i < diagram.edges.size() && !stop.stop_requested(); ++i) {
        Edge &edge = diagram.edges[i];
        if (edge.labelRect || edge.label.empty() || samples[i].empty())
            continue;
        if (edge.values.size() == 1 && labelled.contains({edge.from, edge.values[0]}))
            continue;
        const std::vector<Rect> places = candidates(samples[i], widthOf(edge));
        const auto place = std::ranges::find_if(
            places, [&](const Rect &rect) { return rect.x >= diagram.bounds.x && !occupied.meets(rect); });
        if (place == places.end())
            continue;
        edge.labelRect = *place;
        occupied.add(*place);
        if (edge.values.size() == 1)
            labelled.insert({edge.from, edge.values[0]});
    }
}

} // namespace cutaway::layout
