// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/plot.h"

#include <gtest/gtest.h>

namespace cutaway::drawing {
namespace {

TEST(RoundStep, isOneTwoOrFiveTimesAPowerOfTen)
{
    for (const auto &[least, step] : std::vector<std::pair<double, double>>{
             {1, 1}, {1.01, 2}, {2, 2}, {2.1, 5}, {5.5, 10}, {0.03, 0.05}, {70, 100}, {1234, 2000}})
        EXPECT_DOUBLE_EQ(roundStep(least), step) << least;
}

TEST(RoundStep, forgivesErrorsOfRounding)
{
    EXPECT_DOUBLE_EQ(roundStep(0.1 + 0.2 - 0.1), 0.2); // a little more than 0.2
    EXPECT_DOUBLE_EQ(roundStep(2.0005), 2);
}

using Numbers = std::vector<double>;

TEST(Ticks, areRoundNumbersWithinTheAxis)
{
    const Axis linear{.title = "t", .first = 0, .last = 10};
    EXPECT_EQ(linear.ticks(5), (Numbers{0, 2, 4, 6, 8, 10}));
    const Axis inside{.title = "t", .first = 0.5, .last = 2.6};
    EXPECT_EQ(inside.ticks(4), (Numbers{1, 2}));
}

TEST(Ticks, ofBytesArePowersOfTwo)
{
    const Axis binary{.title = "memory", .scale = Axis::Scale::Binary, .first = 0, .last = 3072};
    EXPECT_EQ(binary.ticks(3), (Numbers{0, 1024, 2048, 3072}));
}

TEST(Axis, putsItsEndsAtZeroAndOne)
{
    const Axis linear{.title = "t", .first = 2, .last = 6};
    EXPECT_DOUBLE_EQ(linear.place(2), 0);
    EXPECT_DOUBLE_EQ(linear.place(3), 0.25);
    EXPECT_DOUBLE_EQ(linear.place(6), 1);
    const Axis logarithmic{.title = "t", .scale = Axis::Scale::Logarithmic, .first = 1, .last = 100};
    EXPECT_DOUBLE_EQ(logarithmic.place(10), 0.5);
}

TEST(Axis, fromZeroHasRoomAboveTheLargest)
{
    const Axis axis = fromZero("t", 9, Axis::Scale::Linear, {});
    EXPECT_EQ(axis.first, 0);
    EXPECT_GT(axis.last, 9);
}

TEST(Axis, ofDecadesBeginsAndEndsAtPowersOfTen)
{
    const Axis axis = decades("t", 3, 2000, {});
    EXPECT_DOUBLE_EQ(axis.first, 1);
    EXPECT_DOUBLE_EQ(axis.last, 10000);
}

} // namespace
} // namespace cutaway::drawing
