// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Layered drawing after Sugiyama, for planes that Graphviz cannot finish in time and for those that are simple enough
// without it.
//
// 1. Rows: longest path from the sources. Edges that close a cycle, found by depth-first search, are reversed for this.
//    Sources move down to just above their first reader.
// 2. Long edges get a thin *bend* in each row between, so that they are routed around boxes and not through them.
// 3. Order within rows: a few sweeps down and up, each sorting a row by the mean position of the neighbours in the
//    previous row.
// 4. Positions: the same sweeps, where each cell wants the mean x of its neighbours. Where cells collide, the row is
//    solved exactly in the least-squares sense by pooling adjacent violators, in linear time. Leaves and the ends of
//    long edges weigh little; with full weight each of them would push the trunk aside and a long chain would drift
//    away.
// 5. Edges: vertical at both ends, one cubic segment per row.
//
// Crossings and edge lengths are not minimized beyond that.

#include "core/layout/ranked.h"

#include "core/layout/metrics.h"

#include <algorithm>
#include <numeric>

namespace cutaway::layout {

namespace {

constexpr int orderSweeps = 6;
constexpr int placeSweeps = 8;
constexpr double bendWidth = 4;
constexpr double lightWeight = 0.05;

/// By edge: whether it closes a cycle, by an iterative depth-first search.
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

/// A box or a bend in a row.
struct Cell {
    double width = 0;
    double weight = 1;
    double x = 0; ///< centre
    std::uint32_t row = 0;
    std::vector<std::pair<std::uint32_t, double>>
        above{}; ///< neighbours above: cells and the attachment's offset from their centre, minus the own offset
    std::vector<std::pair<std::uint32_t, double>> below{};
};

class Rows {
public:
    Rows(const Plane &plane, std::stop_token stop) : m_plane(plane), m_stop(std::move(stop)) { }

    PlaneLayout place()
    {
        makeCells();
        makeEdges();
        collectRows();
        order();
        settle();
        return drawn();
    }

private:
    void makeCells();
    void makeEdges();
    void collectRows();
    void order();
    void settle();
    void settleRow(const std::vector<std::uint32_t> &row);
    PlaneLayout drawn() const;
    /// Upper and lower edge of a row.
    struct Band {
        double top = 0;
        double bottom = 0;
    };
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
    double gap(std::uint32_t a, std::uint32_t b) const
    {
        const bool boxes = a < m_plane.vertices.size() && b < m_plane.vertices.size();
        return (m_cells[a].width + m_cells[b].width) / 2 + (boxes ? metrics::nodeGap : metrics::nodeGap / 2);
    }
    bool isBend(std::uint32_t cell) const { return cell >= m_plane.vertices.size(); }
    /// The weight of aligning two cells vertically.
    double pull(std::uint32_t a, std::uint32_t b) const
    {
        return isBend(a) == isBend(b) ? std::min(m_cells[a].weight, m_cells[b].weight) : lightWeight;
    }
    double wanted(std::uint32_t cell, bool down) const;

    const Plane &m_plane;
    std::stop_token m_stop;
    std::vector<Cell> m_cells;                       ///< the vertices, then the bends
    std::vector<std::vector<std::uint32_t>> m_bends; ///< per edge, from its source to its target
    std::vector<std::vector<std::uint32_t>> m_rows;
};

void Rows::makeCells()
{
    const std::vector<std::uint32_t> rows = rowsOf(m_plane);
    for (std::size_t i = 0; i < rows.size(); ++i)
        m_cells.push_back({.width = m_plane.vertices[i].size.width, .row = rows[i]});
    std::vector<std::uint32_t> degrees(m_cells.size(), 0);
    for (const PlaneEdge &edge : m_plane.edges) {
        ++degrees[edge.from];
        ++degrees[edge.to];
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (degrees[i] <= 1)
            m_cells[i].weight = lightWeight;
}

void Rows::makeEdges()
{
    m_bends.resize(m_plane.edges.size());
    for (std::size_t i = 0; i < m_plane.edges.size(); ++i) {
        const PlaneEdge &edge = m_plane.edges[i];
        const bool down = m_cells[edge.from].row < m_cells[edge.to].row;
        const std::uint32_t upper = down ? edge.from : edge.to;
        const std::uint32_t lower = down ? edge.to : edge.from;
        std::uint32_t last = upper;
        double offset = down ? fromOffset(edge) : toOffset(edge);
        for (std::uint32_t row = m_cells[upper].row + 1; row < m_cells[lower].row; ++row) {
            const auto bend = static_cast<std::uint32_t>(m_cells.size());
            m_cells.push_back({.width = bendWidth, .weight = lightWeight, .row = row});
            m_cells[bend].above.emplace_back(last, offset);
            m_cells[last].below.emplace_back(bend, -offset);
            m_bends[i].push_back(bend);
            last = bend;
            offset = 0;
        }
        const double end = down ? toOffset(edge) : fromOffset(edge);
        m_cells[lower].above.emplace_back(last, offset - end);
        m_cells[last].below.emplace_back(lower, end - offset);
        if (!down)
            std::ranges::reverse(m_bends[i]);
    }
}

void Rows::collectRows()
{
    std::uint32_t count = 0;
    for (const Cell &cell : m_cells)
        count = std::max(count, cell.row + 1);
    m_rows.resize(count);
    for (std::uint32_t i = 0; i < m_cells.size(); ++i)
        m_rows[m_cells[i].row].push_back(i);
    for (const std::vector<std::uint32_t> &row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            m_cells[row[i]].x = static_cast<double>(i) - static_cast<double>(row.size()) / 2;
}

double Rows::wanted(std::uint32_t index, bool down) const
{
    const auto &neighbours = down ? m_cells[index].above : m_cells[index].below;
    if (neighbours.empty())
        return m_cells[index].x;
    double sum = 0;
    double weights = 0;
    for (const auto &[cell, offset] : neighbours) {
        const double weight = pull(index, cell);
        sum += weight * (m_cells[cell].x + offset);
        weights += weight;
    }
    return sum / weights;
}

/// While ordering, a cell's x is its index in the row.
void Rows::order()
{
    std::vector<std::pair<double, std::uint32_t>> keys;
    for (int sweep = 0; sweep < orderSweeps && !m_stop.stop_requested(); ++sweep) {
        const bool down = sweep % 2 == 0;
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            std::vector<std::uint32_t> &row = m_rows[down ? r : m_rows.size() - 1 - r];
            keys.clear();
            for (const std::uint32_t cell : row) {
                const auto &neighbours = down ? m_cells[cell].above : m_cells[cell].below;
                double sum = 0;
                for (const auto &neighbour : neighbours)
                    sum += m_cells[neighbour.first].x;
                keys.emplace_back(neighbours.empty() ? m_cells[cell].x : sum / static_cast<double>(neighbours.size()),
                                  cell);
            }
            std::ranges::stable_sort(keys, {}, &std::pair<double, std::uint32_t>::first);
            for (std::size_t i = 0; i < row.size(); ++i) {
                row[i] = keys[i].second;
                m_cells[row[i]].x = static_cast<double>(i) - static_cast<double>(row.size()) / 2;
            }
        }
    }
}

void Rows::settle()
{
    for (const std::vector<std::uint32_t> &row : m_rows) {
        double x = 0;
        for (std::size_t i = 0; i < row.size(); ++i)
            m_cells[row[i]].x = i == 0 ? 0 : x += gap(row[i - 1], row[i]);
        for (const std::uint32_t cell : row)
            m_cells[cell].x -= x / 2;
    }
    for (int sweep = 0; sweep < placeSweeps && !m_stop.stop_requested(); ++sweep) {
        const bool down = sweep % 2 == 0;
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            const std::vector<std::uint32_t> &row = m_rows[down ? r : m_rows.size() - 1 - r];
            for (const std::uint32_t cell : row)
                m_cells[cell].x = wanted(cell, down);
            settleRow(row);
        }
    }
}

/// Moves the cells of a row as little as possible (least squares) so that none overlap.
void Rows::settleRow(const std::vector<std::uint32_t> &row)
{
    struct Block {
        double sum = 0; ///< weighted sum of the wanted positions, each minus the width of the cells before it
        double weight = 0;
        std::size_t count = 0;
        double mean() const { return sum / weight; }
    };
    std::vector<Block> blocks;
    std::vector<double> before(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
        before[i] = i == 0 ? 0 : before[i - 1] + gap(row[i - 1], row[i]);
        const Cell &cell = m_cells[row[i]];
        blocks.push_back({cell.weight * (cell.x - before[i]), cell.weight, 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            Block &left = blocks[blocks.size() - 2];
            const Block &right = blocks.back();
            left = {left.sum + right.sum, left.weight + right.weight, left.count + right.count};
            blocks.pop_back();
        }
    }
    std::size_t i = 0;
    for (const Block &block : blocks)
        for (const std::size_t end = i + block.count; i < end; ++i)
            m_cells[row[i]].x = block.mean() + before[i];
}

PlaneLayout Rows::drawn() const
{
    std::vector<Band> bands(m_rows.size());
    for (std::size_t i = 0; i < m_plane.vertices.size(); ++i) {
        Band &band = bands[m_cells[i].row];
        band.bottom = std::max(band.bottom, m_plane.vertices[i].size.height);
    }
    double y = 0;
    for (Band &band : bands) {
        const double height = band.bottom;
        band = {y, y + height};
        y += height + metrics::rankGap;
    }
    PlaneLayout layout;
    for (std::size_t i = 0; i < m_plane.vertices.size(); ++i) {
        const Band &band = bands[m_cells[i].row];
        const double half = m_plane.vertices[i].size.height / 2;
        layout.centers.push_back({m_cells[i].x, m_plane.alignTops ? band.top + half : (band.top + band.bottom) / 2});
    }
    for (std::uint32_t i = 0; i < m_plane.edges.size(); ++i)
        layout.curves.push_back(curve(i, bands, layout.centers));
    normalize(m_plane, layout);
    return layout;
}

/// From one side of the source, straight through each bend's row, to the facing side of the target.
std::vector<Point> Rows::curve(std::uint32_t index, const std::vector<Band> &bands,
                               const std::vector<Point> &centers) const
{
    const PlaneEdge &edge = m_plane.edges[index];
    const bool down = m_cells[edge.from].row < m_cells[edge.to].row;
    const auto side = [&](std::uint32_t vertex, double offset, bool lower) {
        const double half = m_plane.vertices[vertex].size.height / 2;
        return Point{centers[vertex].x + offset, centers[vertex].y + (lower ? half : -half)};
    };
    std::vector<Point> stops{side(edge.from, fromOffset(edge), down)};
    for (const std::uint32_t bend : m_bends[index]) {
        const Band &band = bands[m_cells[bend].row];
        stops.push_back({m_cells[bend].x, down ? band.top : band.bottom});
        stops.push_back({m_cells[bend].x, down ? band.bottom : band.top});
    }
    stops.push_back(side(edge.to, toOffset(edge), !down));
    std::vector<Point> points{stops[0]};
    for (std::size_t i = 1; i < stops.size(); ++i) {
        const double reach = (stops[i].y - stops[i - 1].y) / 2;
        points.push_back({stops[i - 1].x, stops[i - 1].y + reach});
        points.push_back({stops[i].x, stops[i].y - reach});
        points.push_back(stops[i]);
    }
    return points;
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
