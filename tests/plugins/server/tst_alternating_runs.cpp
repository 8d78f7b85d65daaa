// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/spread.h"
#include "plugins/server/alternating_runs.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::plugins {

namespace {

TEST(AlternatingRuns, alternateAndLeaveTheFirstOfATurnOut)
{
    std::string order;
    const auto run = [&](char letter, double seconds) {
        return [&order, letter, seconds]() -> Result<double> {
            order += letter;
            return seconds;
        };
    };
    const auto runs = timeAlternately(run('p', 0.001), run('i', 0.002), 3600);
    ASSERT_TRUE(runs);
    EXPECT_TRUE(order.starts_with("ppiipppp")) << order;
    EXPECT_EQ(order.find("pi"), 1u);
    EXPECT_FALSE(std::ranges::contains(runs->plain.counted, 0u));
    EXPECT_GE(runs->plain.counted.size(), 20u); // all alike: stable
    EXPECT_LT(runs->plain.counted.size(), maxRuns);
    EXPECT_EQ(protocol::spreadOf(runs->plain.seconds()).median, 0.001);
    EXPECT_EQ(protocol::spreadOf(runs->instrumented.seconds()).median, 0.002);
    EXPECT_EQ(runs->plain.all.size() + runs->instrumented.all.size(), order.size());
}

TEST(AlternatingRuns, endAfterSoManyRunsThatNeverBecomeStable)
{
    double seconds = 1e-6;
    const auto slower = [&]() -> Result<double> { return seconds *= 1.05; };
    const auto runs = timeAlternately(slower, slower, 3600);
    ASSERT_TRUE(runs);
    EXPECT_GE(runs->plain.counted.size(), maxRuns);
    EXPECT_LT(runs->plain.counted.size(), 2 * maxRuns);
}

TEST(AlternatingRuns, runEachOnceWhereThereIsNoTime)
{
    const auto runs = timeAlternately([]() -> Result<double> { return 1; }, []() -> Result<double> { return 2; }, 0);
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->plain.seconds(), std::vector<double>{1});
    EXPECT_EQ(runs->instrumented.seconds(), std::vector<double>{2});
}

TEST(AlternatingRuns, endWithAnError)
{
    int calls = 0;
    const auto failing = [&]() -> Result<double> { return ++calls < 5 ? Result<double>(1e-3) : cancelled(); };
    const auto runs = timeAlternately(failing, failing, 3600);
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().kind, ErrorKind::Cancelled);
}

} // namespace

} // namespace cutaway::plugins
