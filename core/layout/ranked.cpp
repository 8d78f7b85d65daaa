// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Layered drawing after Sugiyama, as Gansner, Koutsofios, North and Vo do it (1993):
//
// 1. Rows: first by the longest path from the sources; then the network simplex minimizes the sum of the rows
//    that edges pass. Edges that close a cycle, found by depth-first search, are reversed for this.
// 2. Long edges get a thin *bend* in each row between, so that they are routed around boxes and not through them.
// 3. Order within rows: layered/crossings.cpp.
// 4. Positions: layered/placement.cpp.
// 5. Edges: one cubic segment between two rows, straight through each row, vertical at ports.

#include "core/layout/ranked.h"

#include "core/layout/layered/layers.h"
#include "core/layout/layered/network_simplex.h"
#include "core/layout/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace cutaway::layout {

namespace {

constexpr float bendWidth = 4;
constexpr double almost = 4; ///< a sideways step of less than this would only make a line look crooked

/// Returns by edge whether it closes a cycle, found by an iterative depth-first search.
std::vector<bool> closingEdges(const Plane &plane, const std::vector<std::vector<std::uint32_t>> &outgoing)
{
    enum class State : std::uint8_t { New, Open, Done };
    std::vector<State> states(plane.vertices.size(), State::New);
    std::vector<bool> closing(plane.edges.size(), false);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    for (std::uint32_t root = 0; root < plane.vertices.size(); ++root) {
        if (states[root] != State::New)
            continue;
        path.emplace_back(root, 0);
        states[root] = State::Open;
        while (!path.empty()) {
            auto &[vertex, next] = path.back();
            if (next == outgoing[vertex].size()) {
                states[vertex] = State::Done;
                path.pop_back();
                continue;
            }
            const std::uint32_t edge = outgoing[vertex][next++];
            const std::uint32_t target = plane.edges[edge].to;
            closing[edge] = states[target] == State::Open;
            if (states[target] == State::New) {
                states[target] = State::Open;
                path.emplace_back(target, 0);
            }
        }
    }
    return closing;
}

std::vector<std::vector<std::uint32_t>> outgoingEdges(const Plane &plane)
{
    std::vector<std::vector<std::uint32_t>> outgoing(plane.vertices.size());
    for (std::uint32_t i = 0; i < plane.edges.size(); ++i)
        outgoing[plane.edges[i].from].push_back(i);
    return outgoing;
}

/// Moves each vertex to the emptiest of the rows in which it can stand without making edges longer.
void balance(std::vector<std::int32_t> &rows, std::span<const Span> spans)
{
    std::vector<std::vector<std::uint32_t>> spansOf(rows.size());
    std::vector<std::int64_t> pulls(rows.size(), 0);
    for (std::uint32_t i = 0; i < spans.size(); ++i) {
        spansOf[spans[i].from].push_back(i);
        spansOf[spans[i].to].push_back(i);
        pulls[spans[i].from] += spans[i].weight;
        pulls[spans[i].to] -= spans[i].weight;
    }
    std::vector<std::size_t> counts(static_cast<std::size_t>(std::ranges::max(rows)) + 1, 0);
    for (const std::int32_t row : rows)
        ++counts[static_cast<std::size_t>(row)];
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        if (pulls[i] != 0 || spansOf[i].empty())
            continue;
        constexpr std::int32_t mostRows = 64; // the number of rows above and below a vertex that are searched
        std::int32_t first = std::max(rows[i] - mostRows, 0);
        std::int32_t last = std::min(rows[i] + mostRows, static_cast<std::int32_t>(counts.size()) - 1);
        for (const std::uint32_t k : spansOf[i])
            if (spans[k].from == i)
                last = std::min(last, rows[spans[k].to] - spans[k].least);
            else
                first = std::max(first, rows[spans[k].from] + spans[k].least);
        std::int32_t best = rows[i];
        for (std::int32_t row = first; row <= last; ++row)
            if (counts[static_cast<std::size_t>(row)] + (row == rows[i] ? 0 : 1)
                < counts[static_cast<std::size_t>(best)])
                best = row;
        --counts[static_cast<std::size_t>(rows[i])];
        ++counts[static_cast<std::size_t>(best)];
        rows[i] = best;
    }
}

/// Returns rows that make edges as short as possible; the search starts from those of rowsOf().
std::vector<std::uint32_t> shortRowsOf(const Plane &plane)
{
    constexpr std::size_t mostWork = 20'000'000;
    std::vector<std::uint32_t> rows = rowsOf(plane);
    const auto count = static_cast<std::uint32_t>(rows.size());
    std::vector<std::int32_t> positions(rows.begin(), rows.end());
    // All First vertices become one, as do all Last vertices.
    std::vector<std::uint32_t> ends{count, count};
    const auto endOf = [&](std::uint32_t vertex) {
        const PlaneVertex::Rank rank = plane.vertices[vertex].rank;
        if (rank == PlaneVertex::Rank::Free)
            return vertex;
        std::uint32_t &end = ends[rank == PlaneVertex::Rank::First ? 0 : 1];
        return end = std::min(end, vertex);
    };
    std::vector<std::uint32_t> vertices(count);
    for (std::uint32_t i = 0; i < count; ++i)
        vertices[i] = endOf(i);
    std::vector<Span> spans;
    std::vector<bool> hasAbove(count), hasBelow(count);
    for (const PlaneEdge &edge : plane.edges) {
        const auto [upper, lower] =
            rows[edge.from] < rows[edge.to] ? std::pair(edge.from, edge.to) : std::pair(edge.to, edge.from);
        if (rows[upper] == rows[lower])
            continue;
        spans.push_back({.from = vertices[upper], .to = vertices[lower]});
        hasBelow[upper] = hasAbove[lower] = true;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        if (ends[0] != count && i != ends[0] && vertices[i] == i && !hasAbove[i])
            spans.push_back({.from = ends[0], .to = i, .weight = 0});
        if (ends[1] != count && i != ends[1] && vertices[i] == i && !hasBelow[i])
            spans.push_back({.from = i, .to = ends[1], .weight = 0});
    }
    shortenSpans(positions, spans, mostWork);
    balance(positions, spans);
    // A vertex that was merged into another one has not been moved; `vertices` has the other one.
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::uint32_t i = 0; i < count; ++i)
        least = std::min(least, positions[vertices[i]]);
    for (std::uint32_t i = 0; i < count; ++i)
        rows[i] = static_cast<std::uint32_t>(positions[vertices[i]] - least);
    return rows;
}

/// Returns a smooth curve through points that go from top to bottom; if not `down`, the curve is reversed. At an
/// upright end it is vertical. At an inner point it has the direction of the steeper of the two adjoining lines, or is
/// vertical if these lean to opposite sides.
std::vector<Point> smooth(const std::vector<Point> &stops, bool down, bool isUprightAtBegin, bool isUprightAtEnd)
{
    const std::size_t count = stops.size();
    std::vector<double> slopes(count, 0); // the sideways movement per unit of height
    const auto slope = [&](std::size_t i) {
        const double height = stops[i + 1].y - stops[i].y;
        return height > 0 ? (stops[i + 1].x - stops[i].x) / height : 0;
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (i == 0 || i + 1 == count) {
            slopes[i] = (i == 0 ? isUprightAtBegin : isUprightAtEnd) ? 0 : slope(i == 0 ? 0 : count - 2);
        } else { // the smaller slope of the two sides, or 0 at a turning point: the curve stays between its points
            const double before = slope(i - 1), after = slope(i);
            slopes[i] = before * after <= 0 ? 0 : std::abs(before) < std::abs(after) ? before : after;
        }
    }
    std::vector<Point> points{stops[0]};
    for (std::size_t i = 1; i < count; ++i) {
        const double reach = (stops[i].y - stops[i - 1].y) / 3;
        points.push_back({stops[i - 1].x + slopes[i - 1] * reach, stops[i - 1].y + reach});
        points.push_back({stops[i].x - slopes[i] * reach, stops[i].y - reach});
        points.push_back(stops[i]);
    }
    if (!down)
        std::ranges::reverse(points);
    return points;
}

class Rows {
public:
    Rows(const Plane &plane, std::stop_token stop) : m_plane(plane), m_stop(std::move(stop)) { }

    PlaneLayout place()
    {
        m_rows = shortRowsOf(m_plane);
        makeCells();
        makePieces();
        reduceCrossings(m_layers, m_stop);
        m_x = placeCells(m_layers, m_stop);
        m_places.resize(m_x.size());
        for (const std::vector<std::uint32_t> &row : m_layers.rows)
            for (std::uint32_t i = 0; i < row.size(); ++i)
                m_places[row[i]] = i;
        return drawn();
    }

private:
    /// The y of the upper and lower edge of a row.
    struct Band {
        double top = 0;
        double bottom = 0;
    };

    void makeCells();
    void makePieces();
    std::vector<Band> bands() const;
    PlaneLayout drawn() const;
    std::vector<Point> curve(std::uint32_t edge, const std::vector<Band> &bands,
                             const std::vector<Point> &centers) const;

    double fromOffset(const PlaneEdge &e) const
    {
        return portOffset(m_plane.vertices[e.from], m_plane.vertices[e.from].bottomPorts, e.fromPort).value_or(0);
    }
    double toOffset(const PlaneEdge &e) const
    {
        return portOffset(m_plane.vertices[e.to], m_plane.vertices[e.to].topPorts, e.toPort).value_or(0);
    }
    bool leadsDown(const PlaneEdge &edge) const { return m_rows[edge.from] < m_rows[edge.to]; }

    const Plane &m_plane;
    std::stop_token m_stop;
    std::vector<std::uint32_t> m_rows; ///< by vertex
    Layers m_layers;                   ///< the rows with their cells, of which the vertices come first
    /// By edge: the first of its bends, which follow each other from the upper end to the lower.
    std::vector<std::uint32_t> m_bends;
    std::vector<float> m_x;              ///< by cell
    std::vector<std::uint32_t> m_places; ///< by cell: its position in its row
};

void Rows::makeCells()
{
    m_layers.boxes = m_rows.size();
    for (std::uint32_t i = 0; i < m_rows.size(); ++i) {
        m_layers.widths.push_back(static_cast<float>(m_plane.vertices[i].size.width));
        if (m_layers.rows.size() <= m_rows[i])
            m_layers.rows.resize(m_rows[i] + 1);
        m_layers.rows[m_rows[i]].push_back(i);
    }
}

void Rows::makePieces()
{
    for (const PlaneEdge &edge : m_plane.edges) {
        m_bends.push_back(static_cast<std::uint32_t>(m_layers.widths.size()));
        const bool down = leadsDown(edge);
        const std::uint32_t upper = down ? edge.from : edge.to, lower = down ? edge.to : edge.from;
        if (m_rows[upper] == m_rows[lower])
            continue; // an edge from a box to itself
        Piece piece{.upper = upper, .upperOffset = static_cast<float>(down ? fromOffset(edge) : toOffset(edge))};
        for (std::uint32_t row = m_rows[upper] + 1; row < m_rows[lower]; ++row) {
            piece.lower = static_cast<std::uint32_t>(m_layers.widths.size());
            m_layers.widths.push_back(bendWidth);
            m_layers.rows[row].push_back(piece.lower);
            m_layers.pieces.push_back(piece);
            piece = {.upper = piece.lower};
        }
        piece.lower = lower;
        piece.lowerOffset = static_cast<float>(down ? toOffset(edge) : fromOffset(edge));
        m_layers.pieces.push_back(piece);
    }
}

std::vector<Rows::Band> Rows::bands() const
{
    std::vector<Band> bands(m_layers.rows.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Band &band = bands[m_rows[i]];
        band.bottom = std::max(band.bottom, m_plane.vertices[i].size.height);
    }
    double y = 0;
    for (Band &band : bands) {
        const double height = band.bottom;
        band = {y, y + height};
        y += height + metrics::rankGap;
    }
    return bands;
}

PlaneLayout Rows::drawn() const
{
    const std::vector<Band> rows = bands();
    PlaneLayout layout;
    for (std::size_t i = 0; i < m_plane.vertices.size(); ++i) {
        const Band &band = rows[m_rows[i]];
        const double half = m_plane.vertices[i].size.height / 2;
        layout.centers.push_back({m_x[i], m_plane.alignTops ? band.top + half : (band.top + band.bottom) / 2});
    }
    for (std::uint32_t i = 0; i < m_plane.edges.size(); ++i)
        layout.curves.push_back(curve(i, rows, layout.centers));
    normalize(m_plane, layout);
    return layout;
}

/// Returns where a line from the middle of a box to a point beyond its row passes the box's border, as a distance from
/// the middle. So lines to several sides leave a box beside each other.
double leaning(const PlaneVertex &vertex, double across, double beyond)
{
    constexpr double corner = 10; // the distance that lines keep from a box's corners
    if (std::abs(across) < almost)
        return across;
    const double half = vertex.size.height / 2, room = std::max(vertex.size.width / 2 - corner, 0.0);
    return std::clamp(across * half / std::max(half + beyond, 1.0), -room, room);
}

/// Returns the curve of an edge from one side of the source, straight through each bend's row, to the facing side of
/// the target. An edge without a port leaves in the direction of its target. Where other boxes of the row of the source
/// or the target are taller, the curve stays between the neighbours there.
std::vector<Point> Rows::curve(std::uint32_t index, const std::vector<Band> &bands,
                               const std::vector<Point> &centers) const
{
    const PlaneEdge &edge = m_plane.edges[index];
    const bool down = leadsDown(edge);
    const std::uint32_t upper = down ? edge.from : edge.to, lower = down ? edge.to : edge.from;
    const bool upperHasPort = down ? edge.fromPort.has_value() : edge.toPort.has_value();
    const bool lowerHasPort = down ? edge.toPort.has_value() : edge.fromPort.has_value();
    const std::uint32_t first = m_rows[upper], last = m_rows[lower], bends = last > first ? last - first - 1 : 0;
    const PlaneVertex &source = m_plane.vertices[upper], &target = m_plane.vertices[lower];
    Point start{centers[upper].x + (down ? fromOffset(edge) : toOffset(edge)),
                centers[upper].y + source.size.height / 2};
    Point end{centers[lower].x + (down ? toOffset(edge) : fromOffset(edge)), centers[lower].y - target.size.height / 2};
    const auto bendX = [&](std::uint32_t i) { return static_cast<double>(m_x[m_bends[index] + i]); };
    const Point next = bends > 0 ? Point{bendX(0), bands[first + 1].top} : end;
    const Point previous = bends > 0 ? Point{bendX(bends - 1), bands[last - 1].bottom} : start;
    const bool standsStraight = bends == 0 && std::abs(end.x - start.x) < almost;
    if (standsStraight && !(upperHasPort && lowerHasPort))
        (upperHasPort ? end : start).x = upperHasPort ? start.x : end.x;
    if (!upperHasPort && !standsStraight)
        start.x += leaning(source, next.x - start.x, next.y - start.y);
    if (!lowerHasPort && !standsStraight)
        end.x += leaning(target, previous.x - end.x, end.y - previous.y);
    std::vector<Point> stops{start};
    const auto keptOff = [&](std::uint32_t box, double x) {
        const std::vector<std::uint32_t> &row = m_layers.rows[m_rows[box]];
        const std::size_t place = m_places[box];
        const auto side = [&](std::uint32_t cell, double sign) {
            return m_x[cell] + sign * (m_layers.widths[cell] / 2 + metrics::nodeGap / 3);
        };
        if (place > 0)
            x = std::max(x, side(row[place - 1], 1));
        return place + 1 < row.size() ? std::min(x, side(row[place + 1], -1)) : x;
    };
    const auto between = [](Point a, Point b, double y) {
        return a.x + (b.x - a.x) * (y - a.y) / std::max(b.y - a.y, 1.0);
    };
    if (first < last && bands[first].bottom > start.y + 1) {
        const double y = bands[first].bottom;
        stops.push_back({keptOff(upper, between(start, bends > 0 ? next : end, y)), y});
    }
    for (std::uint32_t i = 0; i < bends; ++i) {
        stops.push_back({bendX(i), bands[first + 1 + i].top});
        stops.push_back({bendX(i), bands[first + 1 + i].bottom});
    }
    if (first < last && end.y > bands[last].top + 1) {
        const double y = bands[last].top;
        stops.push_back({keptOff(lower, between(stops.back(), end, y)), y});
    }
    stops.push_back(end);
    return smooth(stops, down, upperHasPort, lowerHasPort);
}

} // namespace

std::vector<std::uint32_t> rowsOf(const Plane &plane)
{
    const auto outgoing = outgoingEdges(plane);
    const std::vector<bool> closing = closingEdges(plane, outgoing);
    const auto ends = [&](std::uint32_t i) {
        const PlaneEdge &edge = plane.edges[i];
        return closing[i] ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
    };
    std::vector<std::vector<std::uint32_t>> successors(plane.vertices.size());
    std::vector<std::uint32_t> waitsFor(plane.vertices.size(), 0);
    for (std::uint32_t i = 0; i < plane.edges.size(); ++i)
        if (const auto [from, to] = ends(i); from != to) {
            successors[from].push_back(to);
            ++waitsFor[to];
        }
    // First and Last vertices get rows of their own.
    const auto isFirst = [](const PlaneVertex &v) { return v.rank == PlaneVertex::Rank::First; };
    std::vector<std::uint32_t> rows(plane.vertices.size(), std::ranges::any_of(plane.vertices, isFirst) ? 1 : 0);
    std::vector<std::uint32_t> ready;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (isFirst(plane.vertices[i]))
            rows[i] = 0;
    for (std::uint32_t i = 0; i < plane.vertices.size(); ++i)
        if (waitsFor[i] == 0)
            ready.push_back(i);
    const std::size_t sources = ready.size();
    for (std::size_t i = 0; i < ready.size(); ++i)
        for (const std::uint32_t next : successors[ready[i]]) {
            rows[next] = std::max(rows[next], rows[ready[i]] + 1);
            if (--waitsFor[next] == 0)
                ready.push_back(next);
        }
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        last = std::max(last, rows[i] + (plane.vertices[i].rank == PlaneVertex::Rank::Last ? 0 : 1));
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (plane.vertices[i].rank == PlaneVertex::Rank::Last)
            rows[i] = last;
    for (std::size_t i = 0; i < sources; ++i) {
        const std::uint32_t source = ready[i];
        if (!isFirst(plane.vertices[source]) && !successors[source].empty())
            rows[source] = rows[std::ranges::min(successors[source], {}, [&](std::uint32_t s) { return rows[s]; })] - 1;
    }
    return rows;
}

PlaneLayout placeByRows(const Plane &plane, std::stop_token stop) { return Rows(plane, std::move(stop)).place(); }

} // namespace cutaway::layout
