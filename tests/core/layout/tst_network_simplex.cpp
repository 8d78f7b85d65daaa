// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/layered/network_simplex.h"

#include <gtest/gtest.h>
#include <random>

using namespace cutaway::layout;

namespace {

constexpr std::size_t muchWork = 1'000'000;

std::int64_t costOf(const std::vector<std::int32_t> &positions, const std::vector<Span> &spans)
{
    std::int64_t cost = 0;
    for (const Span &span : spans) {
        EXPECT_GE(positions[span.to] - positions[span.from], span.least);
        cost += std::int64_t{span.weight} * (positions[span.to] - positions[span.from]);
    }
    return cost;
}

TEST(ShortenSpans, movesWhatCostsLess)
{
    std::vector<std::int32_t> positions{0, 0, 5};
    const std::vector<Span> spans{{.from = 0, .to = 2}, {.from = 1, .to = 2, .weight = 3}};
    shortenSpans(positions, spans, muchWork);
    EXPECT_EQ(positions, (std::vector<std::int32_t>{0, 0, 1}));
}

TEST(ShortenSpans, partsThatAreNotConnectedAreEachShort)
{
    std::vector<std::int32_t> positions{0, 7, 2, 9};
    const std::vector<Span> spans{{.from = 0, .to = 1}, {.from = 2, .to = 3, .least = 2}};
    shortenSpans(positions, spans, muchWork);
    EXPECT_EQ(costOf(positions, spans), 3);
}

/// The least cost of all positions up to a limit.
std::int64_t leastOf(std::size_t count, const std::vector<Span> &spans, std::int32_t limit)
{
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int32_t> at(count, 0);
    while (true) {
        std::int64_t cost = 0;
        bool holds = true;
        for (const Span &span : spans) {
            holds = holds && at[span.to] - at[span.from] >= span.least;
            cost += std::int64_t{span.weight} * (at[span.to] - at[span.from]);
        }
        if (holds)
            least = std::min(least, cost);
        std::size_t i = 0;
        while (i < count && ++at[i] > limit)
            at[i++] = 0;
        if (i == count)
            return least;
    }
}

TEST(ShortenSpans, findsTheLeastOfSmallGraphs)
{
    std::minstd_rand random(1);
    for (int turn = 0; turn < 40; ++turn) {
        const std::size_t count = 5;
        std::vector<Span> spans;
        std::vector<std::int32_t> positions(count);
        for (std::uint32_t to = 1; to < count; ++to)
            for (std::uint32_t from = 0; from < to; ++from)
                if (random() % 2 == 0)
                    spans.push_back({from, to, 1, static_cast<std::int32_t>(random() % 4)});
        for (std::uint32_t i = 0; i < count; ++i)
            positions[i] = static_cast<std::int32_t>(2 * i);
        shortenSpans(positions, spans, muchWork);
        EXPECT_EQ(costOf(positions, spans), leastOf(count, spans, 5)) << turn;
    }
}

} // namespace
