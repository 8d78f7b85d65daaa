// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/spread.h"

#include <gtest/gtest.h>

namespace cutaway::protocol {
namespace {

TEST(Spreads, areOfSortedTimes)
{
    const Spread spread = spreadOf({3, 1, 2, 5, 4});
    EXPECT_EQ(spread.median, 3);
    EXPECT_DOUBLE_EQ(spread.p5, 1.2);
    EXPECT_DOUBLE_EQ(spread.p95, 4.8);
    EXPECT_EQ(spread.count, 5u);
    EXPECT_EQ(spreadOf({}).count, 0u);
}

TEST(Spreads, ofSumsHaveTheFewestRuns)
{
    Spread sum;
    sum += {3, 2, 4, 7};
    EXPECT_EQ(sum.count, 7u);
    sum += {1, 0.5, 2, 5};
    EXPECT_EQ(sum.median, 4);
    EXPECT_EQ(sum.p5, 2.5);
    EXPECT_EQ(sum.p95, 6);
    EXPECT_EQ(sum.count, 5u);
}

} // namespace
} // namespace cutaway::protocol
