// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/alignment.h"

#include <algorithm>

namespace cutaway::diff {

namespace {

constexpr std::uint64_t maxCells = 1'000'000, narrowestBand = 32;

enum class Step : std::uint8_t { Both, First, Second };

/// The range of columns that is computed, for each row.
class Band {
public:
    Band(std::uint32_t n, std::uint32_t m) : m_n(n), m_m(m), m_half(std::max(narrowestBand, maxCells / 2 / n)) { }

    std::uint32_t first(std::uint32_t row) const
    {
        const std::uint64_t middle = centre(row);
        return static_cast<std::uint32_t>(middle > m_half ? middle - m_half : 0);
    }
    std::uint32_t end(std::uint32_t row) const
    {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(m_m + 1, centre(row) + m_half + 1));
    }

private:
    std::uint64_t centre(std::uint32_t row) const { return std::uint64_t{row} * m_m / m_n; }

    std::uint64_t m_n, m_m, m_half;
};

/// The best sums of one row, 0 outside its band; sums never decrease along the row.
struct Row {
    std::uint32_t first = 0;
    std::vector<int> sums = {};
    int at(std::uint32_t column) const
    {
        if (column < first || sums.empty())
            return 0;
        return sums[std::min<std::size_t>(column - first, sums.size() - 1)];
    }
};

/// Returns the pairs of matched elements, found by walking back along the best steps.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairsOf(const std::vector<std::vector<Step>> &steps,
                                                             const Band &band, std::uint32_t n, std::uint32_t m)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = n, k = m; i > 0 && k > 0;) {
        const std::uint32_t begin = band.first(i);
        if (k < begin) {
            --i;
            continue;
        }
        const Step step = k < band.end(i) ? steps[i][k - begin] : Step::Second;
        if (step == Step::Both)
            pairs.emplace_back(i - 1, k - 1);
        i -= step != Step::Second ? 1 : 0;
        k -= step != Step::First ? 1 : 0;
    }
    std::ranges::reverse(pairs);
    return pairs;
}

} // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> aligned(std::uint32_t n, std::uint32_t m, const Fit &fit)
{
    if (n == 0 || m == 0)
        return {};
    const Band band(n, m);
    std::vector<std::vector<Step>> steps(n + 1);
    Row above{0, std::vector<int>(m + 1)};
    for (std::uint32_t i = 1; i <= n; ++i) {
        Row row{band.first(i)};
        for (std::uint32_t k = row.first; k < band.end(i); ++k) {
            const int score = k == 0 ? 0 : fit(i - 1, k - 1);
            const int both = score > 0 ? above.at(k - 1) + score : -1;
            const int first = above.at(k), second = k > row.first ? row.sums.back() : -1;
            const int best = std::max({both, first, second});
            steps[i].push_back(best == both ? Step::Both : best == first ? Step::First : Step::Second);
            row.sums.push_back(best);
        }
        above = std::move(row);
    }
    return pairsOf(steps, band, n, m);
}

} // namespace cutaway::diff
