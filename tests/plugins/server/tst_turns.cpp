// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/turns.h"

#include <gtest/gtest.h>

namespace cutaway::plugins {

namespace {

TEST(Spreads, areOfSortedTimes)
{
    const protocol::Spread spread = spreadOf({3, 1, 2, 5, 4});
    EXPECT_EQ(spread.median, 3);
    EXPECT_DOUBLE_EQ(spread.p5, 1.2);
    EXPECT_DOUBLE_EQ(spread.p95, 4.8);
    EXPECT_EQ(spread.count, 5u);
    EXPECT_EQ(spreadOf({}).count, 0u);
}

TEST(Turns, alternateAndLeaveTheFirstOfATurnOut)
{
    std::string order;
    const auto run = [&](char letter, double seconds) {
        return [&order, letter, seconds]() -> Result<double> {
            order += letter;
            return seconds;
        };
    };
    const auto turns = timeInTurns(run('p', 0.001), run('i', 0.002), 3600);
    ASSERT_TRUE(turns);
    EXPECT_TRUE(order.starts_with("ppiipppp")) << order;
    EXPECT_EQ(order.find("pi"), 1u);
    EXPECT_FALSE(std::ranges::contains(turns->plain.counted, 0u));
    EXPECT_GE(turns->plain.counted.size(), 20u); // all alike: stable
    EXPECT_LT(turns->plain.counted.size(), maxRuns);
    EXPECT_EQ(spreadOf(turns->plain.seconds()).median, 0.001);
    EXPECT_EQ(spreadOf(turns->instrumented.seconds()).median, 0.002);
    EXPECT_EQ(turns->plain.all.size() + turns->instrumented.all.size(), order.size());
}

TEST(Turns, endAfterSoManyRunsThatNeverBecomeStable)
{
    double seconds = 1e-6;
    const auto slower = [&]() -> Result<double> { return seconds *= 1.05; };
    const auto turns = timeInTurns(slower, slower, 3600);
    ASSERT_TRUE(turns);
    EXPECT_GE(turns->plain.counted.size(), maxRuns);
    EXPECT_LT(turns->plain.counted.size(), 2 * maxRuns);
}

TEST(Turns, runEachOnceWhereThereIsNoTime)
{
    const auto turns = timeInTurns([]() -> Result<double> { return 1; }, []() -> Result<double> { return 2; }, 0);
    ASSERT_TRUE(turns);
    EXPECT_EQ(turns->plain.seconds(), std::vector<double>{1});
    EXPECT_EQ(turns->instrumented.seconds(), std::vector<double>{2});
}

TEST(Turns, endWithAnError)
{
    int runs = 0;
    const auto failing = [&]() -> Result<double> { return ++runs < 5 ? Result<double>(1e-3) : cancelled(); };
    const auto turns = timeInTurns(failing, failing, 3600);
    ASSERT_FALSE(turns);
    EXPECT_EQ(turns.error().kind, ErrorKind::Cancelled);
}

} // namespace

} // namespace cutaway::plugins
