// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// 1. Sweeps down and up, in which each cell is drawn to the mean x of its neighbours in the row before. Where cells
// collide, the row is solved exactly in the least-squares sense by pooling adjacent violators, in linear time. Leaves
// and the ends of long edges weigh little; with full weight each of them would push the trunk aside, and a long chain
// would drift away.
// 2. Then the network simplex (Gansner et al.) makes the sum of the horizontal extents of edges minimal: neighbours in
// a row are connected by spans without cost, and each piece is a vertex of its own, left of both its ends, with a span
// to each of them. Pieces between bends weigh most, so long edges are straight.
// 3. That leaves some freedom. Boxes use it to stand in the middle of their neighbours, with the cells that follow them
// in a straight line. Where all pieces between two rows meet in one box, a fork or a join, everything below moves
// along; else a chain of forks would drift to one side.

#include "core/layout/layered/layers.h"
#include "core/layout/layered/network_simplex.h"
#include "core/layout/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace cutaway::layout {

namespace {

constexpr int placingSweeps = 8;
constexpr float lightWeight = 0.05F;
constexpr std::size_t mostCells = 6000; ///< a plane with more cells is placed by the sweeps alone
constexpr std::size_t mostWork = 8'000'000;

class Placement {
public:
    Placement(const Layers &layers, const std::stop_token &stop)
        : m_layers(layers),
          m_stop(stop),
          m_x(layers.widths.size()),
          m_weights(layers.widths.size()),
          m_above(tiesOf(false)),
          m_below(tiesOf(true))
    {
        for (std::uint32_t cell = 0; cell < m_x.size(); ++cell)
            m_weights[cell] =
                m_layers.isBend(cell) || m_above.of(cell).size() + m_below.of(cell).size() <= 1 ? lightWeight : 1;
    }

    std::vector<float> place()
    {
        settle();
        if (m_x.size() <= mostCells && !m_stop.stop_requested()) {
            shorten();
            centreForks();
            centre();
        }
        return std::move(m_x);
    }

private:
    /// The other end of a piece, and the offset of the cell from the centre of that end at which the piece is straight.
    struct Tie {
        std::uint32_t cell = 0;
        float offset = 0;
    };
    float shiftOf(const Piece &piece) const;
    Ties<Tie> tiesOf(bool down) const;
    float gap(std::uint32_t a, std::uint32_t b) const
    {
        const bool boxes = !m_layers.isBend(a) && !m_layers.isBend(b);
        return std::ceil((m_layers.widths[a] + m_layers.widths[b]) / 2)
            + static_cast<float>(boxes ? metrics::nodeGap : metrics::nodeGap / 2);
    }
    /// The weight of aligning two cells vertically.
    float pull(std::uint32_t a, std::uint32_t b) const
    {
        return m_layers.isBend(a) == m_layers.isBend(b) ? std::min(m_weights[a], m_weights[b]) : lightWeight;
    }
    float wanted(std::uint32_t cell, std::span<const Tie> ties) const;
    void settle();
    void settleRow(const std::vector<std::uint32_t> &row);
    void shorten();
    void centreForks();
    void centre();
    struct Line {
        std::vector<std::uint32_t> cells; ///< cells from top to bottom
    };
    std::vector<Line> linesOf() const;
    /// The distances by which a cell or line has to move to make its pieces straight, with the weights of the pieces.
    using Ends = std::vector<std::pair<float, int>>;
    static float distanceToMiddle(Ends ends);
    float distanceToMiddle(const Line &line) const;
    int straightness(std::uint32_t a, std::uint32_t b) const
    {
        constexpr int weights[] = {1, 2, 8}; // by the number of the piece's ends that are bends
        return weights[(m_layers.isBend(a) ? 1 : 0) + (m_layers.isBend(b) ? 1 : 0)];
    }

    const Layers &m_layers;
    const std::stop_token &m_stop;
    std::vector<float> m_x;       ///< by cell: the x of its centre
    std::vector<float> m_weights; ///< by cell
    Ties<Tie> m_above, m_below;
};

/// Returns how far the centre of a piece's lower end lies to the right of that of its upper end if the piece is
/// straight. Between large open boxes a large distance counts as 0: entered at the left and left at the right, they
/// would make a staircase.
float Placement::shiftOf(const Piece &piece) const
{
    constexpr float wide = 600; // more than the width of any closed box
    const bool areWide = std::min(m_layers.widths[piece.upper], m_layers.widths[piece.lower]) > wide;
    const float shift = piece.upperOffset - piece.lowerOffset;
    return areWide && std::abs(shift) > wide ? 0 : shift;
}

Ties<Placement::Tie> Placement::tiesOf(bool down) const
{
    return {m_layers, down, [this, down](const Piece &piece) {
                const float shift = shiftOf(piece);
                return down ? Tie{piece.lower, -shift} : Tie{piece.upper, shift};
            }};
}

float Placement::wanted(std::uint32_t cell, std::span<const Tie> ties) const
{
    if (ties.empty())
        return m_x[cell];
    float sum = 0, weights = 0;
    for (const Tie &tie : ties) {
        const float weight = pull(cell, tie.cell);
        sum += weight * (m_x[tie.cell] + tie.offset);
        weights += weight;
    }
    return sum / weights;
}

void Placement::settle()
{
    for (const std::vector<std::uint32_t> &row : m_layers.rows)
        settleRow(row);
    const std::size_t rows = m_layers.rows.size();
    for (int sweep = 0; sweep < placingSweeps && !m_stop.stop_requested(); ++sweep) {
        const bool down = sweep % 2 == 0;
        for (std::size_t i = 0; i < rows; ++i) {
            const std::vector<std::uint32_t> &row = m_layers.rows[down ? i : rows - 1 - i];
            for (const std::uint32_t cell : row)
                m_x[cell] = wanted(cell, (down ? m_above : m_below).of(cell));
            settleRow(row);
        }
    }
}

/// Moves the cells of a row as little as possible (least squares) so that none overlap.
void Placement::settleRow(const std::vector<std::uint32_t> &row)
{
    struct Block {
        double sum = 0; ///< the weighted sum of wanted positions, each minus the width of the preceding cells
        double weight = 0;
        std::size_t count = 0;
        double mean() const { return sum / weight; }
    };
    std::vector<Block> blocks;
    std::vector<double> before(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
        before[i] = i == 0 ? 0 : before[i - 1] + gap(row[i - 1], row[i]);
        const double weight = m_weights[row[i]];
        blocks.push_back({weight * (m_x[row[i]] - before[i]), weight, 1});
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
            m_x[row[i]] = static_cast<float>(block.mean() + before[i]);
}

void Placement::shorten()
{
    const auto cells = static_cast<std::uint32_t>(m_x.size());
    std::vector<std::int32_t> x(cells);
    std::vector<Span> spans;
    spans.reserve(cells + 2 * m_layers.pieces.size());
    for (const std::vector<std::uint32_t> &row : m_layers.rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            x[row[i]] = static_cast<std::int32_t>(std::lround(m_x[row[i]]));
            if (i == 0)
                continue;
            const auto least = static_cast<std::int32_t>(gap(row[i - 1], row[i]));
            x[row[i]] = std::max(x[row[i]], x[row[i - 1]] + least);
            spans.push_back({row[i - 1], row[i], least, 0});
        }
    for (const Piece &piece : m_layers.pieces) {
        const auto offset = static_cast<std::int32_t>(std::lround(shiftOf(piece)));
        const std::int32_t toUpper = std::max(-offset, 0), toLower = std::max(offset, 0);
        const auto vertex = static_cast<std::uint32_t>(x.size());
        x.push_back(std::min(x[piece.upper] - toUpper, x[piece.lower] - toLower));
        const int weight = straightness(piece.upper, piece.lower);
        spans.push_back({vertex, piece.upper, toUpper, weight});
        spans.push_back({vertex, piece.lower, toLower, weight});
    }
    shortenSpans(x, spans, mostWork);
    for (std::uint32_t cell = 0; cell < cells; ++cell)
        m_x[cell] = static_cast<float>(x[cell]);
}

/// Groups all cells into lines. A line continues from a cell to the next one if the piece between them is the only one
/// below the first and the only one above the second.
std::vector<Placement::Line> Placement::linesOf() const
{
    std::vector<Line> lines;
    const auto follows = [&](std::uint32_t cell) { // whether the cell continues the line of the cell above
        const std::span<const Tie> above = m_above.of(cell);
        return above.size() == 1 && m_below.of(above[0].cell).size() == 1;
    };
    for (std::uint32_t first = 0; first < m_x.size(); ++first) {
        if (follows(first))
            continue;
        Line line{.cells = {first}};
        while (m_below.of(line.cells.back()).size() == 1 && follows(m_below.of(line.cells.back())[0].cell))
            line.cells.push_back(m_below.of(line.cells.back())[0].cell);
        lines.push_back(std::move(line));
    }
    return lines;
}

/// Moves all rows below a fork, or above a join, at which all pieces between two rows meet. O(pieces · log).
void Placement::centreForks()
{
    float moved = 0;
    const std::vector<std::uint32_t> *upperRow = nullptr;
    for (const std::vector<std::uint32_t> &row : m_layers.rows) {
        for (const std::uint32_t cell : row)
            m_x[cell] += moved;
        Ends ends;
        std::size_t uppers = 0, lowers = 0;
        bool hasBend = false;
        for (const std::uint32_t cell : row) {
            lowers += m_above.of(cell).empty() ? 0 : 1;
            for (const Tie &tie : m_above.of(cell)) {
                ends.emplace_back(m_x[tie.cell] + tie.offset - m_x[cell], straightness(cell, tie.cell));
                hasBend = hasBend || m_layers.isBend(cell) || m_layers.isBend(tie.cell);
            }
        }
        if (upperRow)
            uppers = static_cast<std::size_t>(
                std::ranges::count_if(*upperRow, [&](std::uint32_t cell) { return !m_below.of(cell).empty(); }));
        if (!hasBend && (uppers == 1 || lowers == 1)) {
            const float distance = distanceToMiddle(std::move(ends));
            for (const std::uint32_t cell : row)
                m_x[cell] += distance;
            moved += distance;
        }
        upperRow = &row;
    }
}

void Placement::centre()
{
    constexpr int rounds = 4;
    std::vector<Line> lines = linesOf();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places(m_x.size()); // row, and position in it
    for (std::uint32_t r = 0; r < m_layers.rows.size(); ++r)
        for (std::uint32_t i = 0; i < m_layers.rows[r].size(); ++i)
            places[m_layers.rows[r][i]] = {r, i};
    for (int round = 0; round < rounds; ++round) {
        for (const Line &line : lines) {
            float distance = distanceToMiddle(line);
            for (const std::uint32_t cell : line.cells) {
                const std::vector<std::uint32_t> &row = m_layers.rows[places[cell].first];
                const std::uint32_t i = places[cell].second;
                if (distance < 0 && i > 0)
                    distance = std::max(distance, std::min(m_x[row[i - 1]] + gap(row[i - 1], cell) - m_x[cell], 0.0F));
                if (distance > 0 && i + 1 < row.size())
                    distance = std::min(distance, std::max(m_x[row[i + 1]] - gap(cell, row[i + 1]) - m_x[cell], 0.0F));
            }
            for (const std::uint32_t cell : line.cells)
                m_x[cell] += distance;
        }
        std::ranges::reverse(lines);
    }
}

/// Returns the distance to the middle of the range in which a cell or line can move without lengthening its pieces.
float Placement::distanceToMiddle(Ends ends)
{
    std::ranges::sort(ends);
    const int weights =
        std::accumulate(ends.begin(), ends.end(), 0, [](int sum, auto end) { return sum + end.second; });
    int before = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        before += ends[i].second;
        if (2 * before == weights && ends[i].first <= 0 && ends[i + 1].first >= 0)
            return (ends[i].first + ends[i + 1].first) / 2;
    }
    return 0;
}

float Placement::distanceToMiddle(const Line &line) const
{
    Ends ends;
    const auto add = [&](std::uint32_t cell, std::span<const Tie> ties) {
        for (const Tie &tie : ties)
            ends.emplace_back(m_x[tie.cell] + tie.offset - m_x[cell], straightness(cell, tie.cell));
    };
    add(line.cells.front(), m_above.of(line.cells.front()));
    add(line.cells.back(), m_below.of(line.cells.back()));
    return distanceToMiddle(std::move(ends));
}

} // namespace

std::vector<float> placeCells(const Layers &layers, const std::stop_token &stop)
{
    return Placement(layers, stop).place();
}

} // namespace cutaway::layout
