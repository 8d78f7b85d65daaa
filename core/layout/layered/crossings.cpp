// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The order within rows is improved in sweeps down and up. A sweep sorts each row by the positions of the neighbours in
// the row before: by their weighted median (Gansner et al., 1993), or by their mean, in turn. Then neighbouring cells
// are exchanged while that removes crossings. The best order of all sweeps is kept. The search begins anew from several
// initial orders, since each gets stuck in another local optimum. Pieces that meet a cell at different ports are
// distinguished by the ports.

#include "core/layout/layered/layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <utility>

namespace cutaway::layout {

namespace {

constexpr int mostSweeps = 24;
constexpr int mostBegins = 16;
constexpr int patience = 8;               ///< the number of sweeps without improvement after which a search ends
constexpr std::size_t muchWork = 500'000; ///< after this many visits to pieces no further order is tried

class Ordering {
public:
    explicit Ordering(Layers &layers)
        : m_layers(layers),
          m_rowOf(layers.widths.size()),
          m_place(layers.widths.size()),
          m_above(tiesOf(false)),
          m_below(tiesOf(true))
    {
        for (std::uint32_t r = 0; r < m_layers.rows.size(); ++r)
            for (const std::uint32_t cell : m_layers.rows[r])
                m_rowOf[cell] = r;
    }

    void reduce(const std::stop_token &stop)
    {
        Rows best = m_layers.rows;
        number();
        std::size_t least = crossings();
        const Rows given = m_layers.rows;
        std::minstd_rand random; // NOLINT(bugprone-random-generator-seed): the same picture each time
        for (int begin = 0; begin < mostBegins && least > 0 && m_work < muchWork && !stop.stop_requested(); ++begin) {
            m_layers.rows = begin == 1 || begin == 2 ? walked(begin == 1) : given;
            for (std::vector<std::uint32_t> &row : m_layers.rows)
                if (begin > 2)
                    std::ranges::shuffle(row, random);
            number();
            improve(best, least, stop);
        }
        m_layers.rows = std::move(best);
    }

private:
    using Rows = std::vector<std::vector<std::uint32_t>>;
    /// The other end of a piece, with its cell. `share` is where the piece meets that cell: an offset from the cell's
    /// middle, as a share of its width. `own` is the same offset at this end.
    struct Tie {
        std::uint32_t cell;
        float share, own;
    };

    Ties<Tie> tiesOf(bool down) const;
    Rows walked(bool down) const;
    void number()
    {
        for (const std::vector<std::uint32_t> &row : m_layers.rows)
            numberRow(row);
    }
    void numberRow(const std::vector<std::uint32_t> &row)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
            m_place[row[i]] = static_cast<float>(i);
    }
    float keyOf(const Tie &tie) const { return m_place[tie.cell] + tie.share; }
    void improve(Rows &best, std::size_t &least, const std::stop_token &stop);
    float wanted(std::span<const Tie> ties, bool byMedian);
    void sortRow(std::vector<std::uint32_t> &row, bool down, bool byMedian, bool reversesTies);
    /// The number of crossings between the pieces of two neighbours, as they stand and if they are exchanged.
    struct Pair {
        std::size_t now = 0, exchanged = 0;
    };
    void exchangeNeighbours(bool evenInVain);
    Pair pairOf(std::uint32_t left, std::uint32_t right);
    void add(Pair &pair, std::span<const Tie> left, std::span<const Tie> right);
    std::size_t crossings();
    std::size_t crossingsBelow(const std::vector<std::uint32_t> &row);

    Layers &m_layers;
    std::vector<std::uint32_t> m_rowOf;
    std::vector<float> m_place; ///< by cell: its position in its row
    Ties<Tie> m_above, m_below;
    std::vector<std::pair<float, std::uint32_t>> m_sorted;
    std::vector<float> m_keys, m_otherKeys;
    std::vector<std::uint32_t> m_counts;
    std::size_t m_work = 0;
};

Ties<Ordering::Tie> Ordering::tiesOf(bool down) const
{
    const auto share = [&](std::uint32_t cell, float offset) {
        return std::clamp(0.98F * offset / std::max(m_layers.widths[cell], 1.0F), -0.49F, 0.49F);
    };
    return {m_layers, down, [&](const Piece &piece) {
                const float upper = share(piece.upper, piece.upperOffset),
                            lower = share(piece.lower, piece.lowerOffset);
                return down ? Tie{piece.lower, lower, upper} : Tie{piece.upper, upper, lower};
            }};
}

/// Returns the rows with their cells in the order in which a depth-first search meets them, from the first row down or
/// from the last row up.
Ordering::Rows Ordering::walked(bool down) const
{
    Rows rows(m_layers.rows.size());
    std::vector<bool> isMet(m_layers.widths.size(), false);
    std::vector<std::uint32_t> pending;
    const auto meet = [&](std::uint32_t cell) {
        if (!isMet[cell]) {
            isMet[cell] = true;
            rows[m_rowOf[cell]].push_back(cell);
            pending.push_back(cell);
        }
    };
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const std::uint32_t root : m_layers.rows[down ? r : rows.size() - 1 - r]) {
            meet(root);
            while (!pending.empty()) {
                const std::uint32_t cell = pending.back();
                pending.pop_back();
                const std::span<const Tie> ties = (down ? m_below : m_above).of(cell);
                for (std::size_t i = ties.size(); i-- > 0;)
                    meet(ties[down ? i : ties.size() - 1 - i].cell);
            }
        }
    return rows;
}

void Ordering::improve(Rows &best, std::size_t &least, const std::stop_token &stop)
{
    int inVain = 0;
    for (int sweep = 0; sweep < mostSweeps && inVain < patience && least > 0 && !stop.stop_requested(); ++sweep) {
        const bool down = sweep % 2 == 0, byMedian = sweep % 8 < 6, reversesTies = sweep % 4 > 1;
        const std::size_t rows = m_layers.rows.size();
        for (std::size_t i = 1; i < rows; ++i)
            sortRow(m_layers.rows[down ? i : rows - 1 - i], down, byMedian, reversesTies);
        exchangeNeighbours(!reversesTies);
        ++inVain;
        if (const std::size_t now = crossings(); now < least) {
            least = now;
            best = m_layers.rows;
            inVain = 0;
        }
    }
}

/// Returns the median or the mean of the positions at which `ties`, those of one cell, meet the row before; less than 0
/// without ties.
float Ordering::wanted(std::span<const Tie> ties, bool byMedian)
{
    if (ties.empty())
        return -1;
    m_keys.clear();
    for (const Tie &tie : ties)
        m_keys.push_back(keyOf(tie));
    const std::size_t count = m_keys.size();
    m_work += count;
    if (!byMedian || count == 2)
        return std::max(std::accumulate(m_keys.begin(), m_keys.end(), 0.0F) / static_cast<float>(count), 0.0F);
    std::ranges::sort(m_keys);
    const std::size_t middle = count / 2;
    if (count % 2 == 1)
        return std::max(m_keys[middle], 0.0F);
    const float left = m_keys[middle - 1] - m_keys.front(), right = m_keys.back() - m_keys[middle];
    return std::max(left + right > 0 ? (m_keys[middle - 1] * right + m_keys[middle] * left) / (left + right)
                                     : m_keys[middle],
                    0.0F);
}

/// Sorts the cells of a row by the positions of the cells that pieces join them to in the row above, or below if not
/// `down`. Cells that are joined to none there keep their positions.
void Ordering::sortRow(std::vector<std::uint32_t> &row, bool down, bool byMedian, bool reversesTies)
{
    m_sorted.clear();
    std::vector<bool> isHeld(row.size(), false);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const float key = wanted((down ? m_above : m_below).of(row[i]), byMedian);
        isHeld[i] = key < 0;
        if (key >= 0)
            m_sorted.emplace_back(key, row[i]);
    }
    if (reversesTies)
        std::ranges::reverse(m_sorted);
    std::ranges::stable_sort(m_sorted, {}, &std::pair<float, std::uint32_t>::first);
    std::size_t next = 0;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (!isHeld[i])
            row[i] = m_sorted[next++].second;
    numberRow(row);
}

/// Exchanges neighbours while that removes crossings. With `evenInVain`, also exchanges once those neighbours whose
/// exchange leaves the number of crossings as it is, which leads out of local optima.
void Ordering::exchangeNeighbours(bool evenInVain)
{
    constexpr int mostRounds = 12;
    std::vector<bool> isDue(m_layers.rows.size(), true);
    for (int round = 0; round < mostRounds; ++round) {
        bool isBetter = false;
        for (std::size_t r = 0; r < m_layers.rows.size(); ++r) {
            if (!isDue[r])
                continue;
            isDue[r] = false;
            std::vector<std::uint32_t> &row = m_layers.rows[r];
            for (std::size_t i = 0; i + 1 < row.size(); ++i) {
                const Pair pair = pairOf(row[i], row[i + 1]);
                const bool isGain = pair.exchanged < pair.now;
                if (!isGain && (!evenInVain || round > 0 || pair.now == 0 || pair.exchanged > pair.now))
                    continue;
                std::swap(row[i], row[i + 1]);
                m_place[row[i]] = static_cast<float>(i);
                m_place[row[i + 1]] = static_cast<float>(i + 1);
                isDue[r] = isBetter = true;
                if (r > 0)
                    isDue[r - 1] = true;
                if (r + 1 < isDue.size())
                    isDue[r + 1] = true;
            }
        }
        if (!isBetter)
            return;
    }
}

Ordering::Pair Ordering::pairOf(std::uint32_t left, std::uint32_t right)
{
    Pair pair;
    add(pair, m_above.of(left), m_above.of(right));
    add(pair, m_below.of(left), m_below.of(right));
    return pair;
}

void Ordering::add(Pair &pair, std::span<const Tie> left, std::span<const Tie> right)
{
    m_work += left.size() + right.size();
    if (left.size() * right.size() <= 16) {
        for (const Tie &a : left)
            for (const Tie &b : right) {
                const float x = keyOf(a), y = keyOf(b);
                pair.now += x > y ? 1 : 0;
                pair.exchanged += x < y ? 1 : 0;
            }
        return;
    }
    const auto sorted = [&](std::span<const Tie> ties, std::vector<float> &keys) {
        keys.clear();
        for (const Tie &tie : ties)
            keys.push_back(keyOf(tie));
        std::ranges::sort(keys);
    };
    sorted(left, m_keys);
    sorted(right, m_otherKeys);
    std::size_t before = 0, upTo = 0; // the numbers of right keys less than `x`, and not greater
    for (const float x : m_keys) {
        while (before < m_otherKeys.size() && m_otherKeys[before] < x)
            ++before;
        while (upTo < m_otherKeys.size() && m_otherKeys[upTo] <= x)
            ++upTo;
        pair.now += before;
        pair.exchanged += m_otherKeys.size() - upTo;
    }
}

std::size_t Ordering::crossings()
{
    std::size_t count = 0;
    for (const std::vector<std::uint32_t> &row : m_layers.rows)
        count += crossingsBelow(row);
    m_work += m_layers.pieces.size();
    return count;
}

/// Counts the crossings below a row: for each piece from left to right, the pieces further left that end further right.
/// A tree of sums over the ends finds them.
std::size_t Ordering::crossingsBelow(const std::vector<std::uint32_t> &row)
{
    std::vector<std::pair<float, float>> ends; // the positions of a piece in this row and in the one below
    std::vector<float> lower;
    for (const std::uint32_t cell : row)
        for (const Tie &tie : m_below.of(cell)) {
            ends.emplace_back(m_place[cell] + tie.own, keyOf(tie));
            lower.push_back(keyOf(tie));
        }
    std::ranges::sort(ends);
    std::ranges::sort(lower);
    m_counts.assign(lower.size() + 1, 0);
    std::size_t count = 0, begin = 0;
    for (std::size_t i = 0; i <= ends.size(); ++i) {
        if (i < ends.size() && ends[i].first == ends[begin].first)
            continue; // lines of one port do not cross each other
        const auto rankOf = [&](float key) {
            return static_cast<std::size_t>(std::ranges::upper_bound(lower, key) - lower.begin());
        };
        for (std::size_t k = begin; k < i; ++k) {
            count += begin;
            for (std::size_t at = rankOf(ends[k].second); at > 0; at &= at - 1)
                count -= m_counts[at];
        }
        for (std::size_t k = begin; k < i; ++k)
            for (std::size_t at = rankOf(ends[k].second); at < m_counts.size(); at += at & (~at + 1))
                ++m_counts[at];
        begin = i;
    }
    return count;
}

} // namespace

void reduceCrossings(Layers &layers, const std::stop_token &stop) { Ordering(layers).reduce(stop); }

} // namespace cutaway::layout
