// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/labels.h"

#include "core/layout/metrics.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cmath>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

namespace cutaway::layout {

namespace {

constexpr double cellSize = 128;
constexpr double sampleStep = 6;
constexpr double longLine = 200;
constexpr double clearance = 4; ///< the least distance between a label and everything else

Point bezier(const Point *p, double t)
{
    const double s = 1 - t;
    const std::array weight = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    Point out;
    for (std::size_t i = 0; i < weight.size(); ++i)
        out = {out.x + weight[i] * p[i].x, out.y + weight[i] * p[i].y};
    return out;
}

/// Returns the number of samples of a segment, which are about sampleStep apart.
int stepsOf(const Point *segment)
{
    double length = 0;
    for (std::size_t k = 0; k < 3; ++k)
        length += std::hypot(segment[k + 1].x - segment[k].x, segment[k + 1].y - segment[k].y);
    return std::clamp(static_cast<int>(length / sampleStep), 1, 2000);
}

/// Returns points on a curve that are at most about sampleStep apart.
std::vector<Point> samplesOf(const std::vector<Point> &points)
{
    std::vector<Point> samples;
    for (std::size_t i = 0; i + 3 < points.size(); i += 3)
        for (int steps = stepsOf(&points[i]), k = 0; k <= steps; ++k)
            samples.push_back(bezier(&points[i], static_cast<double>(k) / steps));
    return samples;
}

using Segment = std::array<Point, 4>;

Rect boundsOf(const Segment &hull)
{
    const auto [left, right] = std::ranges::minmax(hull, {}, &Point::x);
    const auto [top, bottom] = std::ranges::minmax(hull, {}, &Point::y);
    constexpr double rounding = 1e-3;
    return {left.x - rounding, top.y - rounding, right.x - left.x + 2 * rounding, bottom.y - top.y + 2 * rounding};
}

/// Splits a segment of a curve at t into two, by de Casteljau.
std::pair<Segment, Segment> split(const Segment &p, double t)
{
    const auto between = [t](Point a, Point b) { return Point{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; };
    const Point ab = between(p[0], p[1]), bc = between(p[1], p[2]), cd = between(p[2], p[3]);
    const Point abc = between(ab, bc), bcd = between(bc, cd), middle = between(abc, bcd);
    return {{p[0], ab, abc, middle}, {middle, bcd, cd, p[3]}};
}

/// The rectangles and lines that labels must not overlap, found by a grid of cells. For a line the cells hold only
/// whole segments: samples, or an entry in each cell that they pass, would take more memory than the diagram.
class Occupied {
public:
    /// Reserves room for about this many rectangles and segments.
    Occupied(std::size_t rects, std::size_t segments)
    {
        m_rects.reserve(rects);
        m_segments.reserve(segments);
    }

    void add(const Rect &rect)
    {
        const auto index = static_cast<std::uint32_t>(m_rects.size());
        m_rects.push_back(rect);
        forEachCell(rect, [&](std::uint64_t cell) {
            enter(cell, {.thing = index, .isSegment = false});
            return true;
        });
    }

    /// Adds the segments of a curve. The points are not copied, and must outlive this object.
    void add(const std::vector<Point> &points)
    {
        for (std::size_t i = 0; i + 3 < points.size(); i += 3) {
            const int steps = stepsOf(&points[i]);
            const auto index = static_cast<std::uint32_t>(m_segments.size());
            m_segments.push_back(&points[i]);
            std::optional<std::uint64_t> cell;
            for (int k = 0; k <= steps; ++k) {
                const Point at = bezier(&points[i], static_cast<double>(k) / steps);
                const std::uint64_t here = cellAt(cellOf(at.x), cellOf(at.y));
                if (here != cell)
                    enter(here, {.thing = index, .isSegment = true});
                cell = here;
            }
        }
    }

    bool meets(const Rect &rect) const
    {
        bool free = true;
        forEachCell(rect, [&](std::uint64_t cell) {
            const auto found = m_cells.find(cell);
            for (std::uint32_t i = found == m_cells.end() ? none : found->second; i != none && free;
                 i = m_entries[i].next)
                free = m_entries[i].isSegment ? !meets(m_segments[m_entries[i].thing], rect)
                                              : !m_rects[m_entries[i].thing].intersects(rect);
            return free;
        });
        return !free;
    }

private:
    static constexpr std::uint32_t none = ~0U;

    struct Entry {
        std::uint32_t thing : 31 = 0;
        std::uint32_t isSegment : 1 = 0;
        std::uint32_t next = none; ///< the next entry of the same cell
    };

    /// Whether a sample of the segment lies in the rectangle. The segment is halved until its pieces are short, or
    /// their bounds miss the rectangle.
    static bool meets(const Point *segment, const Rect &rect)
    {
        const int steps = stepsOf(segment);
        const auto passes = [&](const auto &self, const Segment &hull, int first, int last) -> bool {
            if (!boundsOf(hull).intersects(rect))
                return false;
            constexpr int few = 8;
            if (last - first > few) {
                const int middle = std::midpoint(first, last);
                const auto [before, after] = split(hull, static_cast<double>(middle - first) / (last - first));
                return self(self, before, first, middle) || self(self, after, middle, last);
            }
            for (int k = first; k <= last; ++k)
                if (rect.contains(bezier(segment, static_cast<double>(k) / steps)))
                    return true;
            return false;
        };
        return passes(passes, {segment[0], segment[1], segment[2], segment[3]}, 0, steps);
    }

    static std::int32_t cellOf(double x) { return static_cast<std::int32_t>(std::floor(x / cellSize)); }
    static std::uint64_t cellAt(std::int32_t x, std::int32_t y)
    {
        return std::uint64_t{static_cast<std::uint32_t>(y)} << 32 | static_cast<std::uint32_t>(x);
    }
    template <class Visit>
    static void forEachCell(const Rect &rect, Visit &&visit)
    {
        for (std::int32_t y = cellOf(rect.y); y <= cellOf(rect.bottom()); ++y)
            for (std::int32_t x = cellOf(rect.x); x <= cellOf(rect.right()); ++x)
                if (!visit(cellAt(x, y)))
                    return;
    }

    void enter(std::uint64_t cell, Entry entry)
    {
        const auto [head, isNew] = m_cells.try_emplace(cell, none);
        entry.next = std::exchange(head->second, static_cast<std::uint32_t>(m_entries.size()));
        m_entries.push_back(entry);
    }

    std::vector<Rect> m_rects;
    std::vector<const Point *> m_segments;
    std::deque<Entry> m_entries;                                     ///< grows without copying its entries
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> m_cells; ///< by cell: the index of its last entry
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

void occupy(Occupied &occupied, const Diagram &diagram)
{
    for (const Box &box : diagram.boxes)
        occupy(occupied, box);
    for (const Edge &edge : diagram.edges)
        occupied.add(edge.points);
}

/// Returns rectangles beside the line where its label may be, best first. A short line has its label near the middle,
/// to the right or left. A long line has it preferably at its ends, and always to the right, since on the left it would
/// seem to belong to the neighbouring line.
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

/// Returns the first of `places` that is free and not beyond the left side of `bounds`; nothing if there is none.
std::optional<Rect> freePlace(const std::vector<Rect> &places, const Rect &bounds, const Occupied &occupied)
{
    const auto place =
        std::ranges::find_if(places, [&](const Rect &rect) { return rect.x >= bounds.x && !occupied.meets(rect); });
    return place == places.end() ? std::nullopt : std::optional(*place);
}

/// Returns the rectangle of a stub's label, above the beginning of the stub. It is used even if nothing is free there,
/// since a stub always has its label.
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
    std::size_t segments = 0;
    for (const Edge &edge : diagram.edges)
        segments += edge.points.size() / 3;
    Occupied occupied(diagram.boxes.size() + diagram.edges.size(), segments);
    occupy(occupied, diagram);
    const auto widthOf = [&](const Edge &edge) {
        return measure(edge.label, Line::Style::Weight) + 2 * metrics::labelPadding;
    };
    for (Edge &edge : diagram.edges)
        if (edge.form == Edge::Form::Stub && !edge.label.empty() && !edge.points.empty()) {
            edge.labelRect = besideStub(edge, widthOf(edge), diagram.bounds, occupied);
            occupied.add(*edge.labelRect);
        }
    boost::unordered_flat_set<std::uint64_t> labelled; // a value that leaves a box is labelled once
    for (Edge &edge : diagram.edges) {
        if (stop.stop_requested())
            return;
        if (edge.labelRect || edge.label.empty() || edge.points.size() < 4)
            continue;
        const std::optional<std::uint64_t> name = edge.values.size() == 1
            ? std::optional(std::uint64_t{edge.from} << 32 | edge.values[0].index)
            : std::nullopt;
        if (name && labelled.contains(*name))
            continue;
        edge.labelRect = freePlace(candidates(samplesOf(edge.points), widthOf(edge)), diagram.bounds, occupied);
        if (!edge.labelRect)
            continue;
        occupied.add(*edge.labelRect);
        if (name)
            labelled.insert(*name);
    }
}

} // namespace cutaway::layout
