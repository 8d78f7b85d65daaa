// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/size_algebra.h"

#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

struct QuotientRow {
    std::string name, sizes, divisors, result;
};

class Quotient : public ::testing::TestWithParam<QuotientRow> { };

TEST_P(Quotient, isWithoutWhatBothHave)
{
    const QuotientRow &row = GetParam();
    EXPECT_EQ(ir::print(ops::quotient(shapeOf(row.sizes), shapeOf(row.divisors))), row.result);
}

INSTANTIATE_TEST_SUITE_P(Rows, Quotient,
                         ::testing::Values(QuotientRow{"numbers", "[6, 4]", "[8]", "3"},
                                           QuotientRow{"equalSymbols", "[s0, 512]", "[s0, 8]", "64"},
                                           QuotientRow{"partsOfAProduct", "[2*s0, 3]", "[6]", "s0"},
                                           QuotientRow{"aPower", "[s0**2]", "[s0]", "s0"},
                                           QuotientRow{"oneThatStays", "[s0]", "[4]", "s0//4"},
                                           QuotientRow{"commonFactorsOnly", "[6*s0]", "[4]", "(3*s0)//2"},
                                           QuotientRow{"roundedDown", "[7]", "[2]", "3"},
                                           QuotientRow{"byZero", "[4]", "[0]", "?"},
                                           QuotientRow{"ofTheUnknown", "[?, 4]", "[4]", "?"}),
                         [](const auto &row) { return row.param.name; });

TEST(QuotientRoundedUp, cancelsFirst)
{
    EXPECT_EQ(ir::print(ops::quotientRoundedUp(dimOf("7"), dimOf("2"))), "4");
    EXPECT_EQ(ir::print(ops::quotientRoundedUp(dimOf("4*s0"), dimOf("2"))), "2*s0");
    EXPECT_EQ(ir::print(ops::quotientRoundedUp(dimOf("s0"), dimOf("0"))), "?");
}

struct CompletedRow {
    std::string name, elements, sizes, result;
};

class Completed : public ::testing::TestWithParam<CompletedRow> { };

TEST_P(Completed, hasTheSizeThatWasLeftOpen)
{
    const CompletedRow &row = GetParam();
    const auto sizes = ops::completed(shapeOf(row.elements), shapeOf(row.sizes));
    EXPECT_EQ(sizes ? ir::print(*sizes) : "impossible", row.result);
}

INSTANTIATE_TEST_SUITE_P(Rows, Completed,
                         ::testing::Values(CompletedRow{"ofNumbers", "[2, 6]", "[3, -1]", "[3, 4]"},
                                           CompletedRow{"ofSymbols", "[s0, 6]", "[-1, 3]", "[2*s0, 3]"},
                                           CompletedRow{"anUnknownOne", "[2, 6]", "[?, 4]", "[3, 4]"},
                                           CompletedRow{"nothingOpen", "[2, 6]", "[12]", "[12]"},
                                           CompletedRow{"anOpenAndAnUnknownOne", "[2, 6]", "[-1, ?]", "[?, ?]"},
                                           CompletedRow{"twoOpen", "[2, 6]", "[-1, -1]", "impossible"},
                                           CompletedRow{"thatDoesNotDivide", "[2, 6]", "[5, -1]", "impossible"},
                                           CompletedRow{"otherCounts", "[2, 6]", "[13]", "impossible"},
                                           CompletedRow{"nothingInZero", "[2]", "[0, -1]", "impossible"}),
                         [](const auto &row) { return row.param.name; });

struct SliceRow {
    std::string name, size, start, end;
    std::int64_t step;
    std::string part; ///< "its start + its length"
};

class Slice : public ::testing::TestWithParam<SliceRow> { };

TEST_P(Slice, isPythons)
{
    const SliceRow &row = GetParam();
    const ops::Part part = ops::slice(dimOf(row.size), dimOf(row.start), dimOf(row.end), row.step);
    EXPECT_EQ(ir::print(part.start) + " + " + ir::print(part.length), row.part);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Slice,
    ::testing::Values(
        SliceRow{"inside", "10", "2", "5", 1, "2 + 3"}, SliceRow{"byTwo", "10", "1", "8", 2, "1 + 4"},
        SliceRow{"fromTheEnd", "10", "-3", "-1", 1, "7 + 2"}, SliceRow{"beyondTheEnd", "10", "8", "99", 1, "8 + 2"},
        SliceRow{"beforeTheStart", "10", "-99", "2", 1, "0 + 2"}, SliceRow{"nothing", "10", "5", "2", 1, "5 + 0"},
        SliceRow{"backwards", "10", "8", "2", -2, "8 + 3"}, SliceRow{"allBackwards", "5", "-1", "-99", -1, "4 + 5"},
        SliceRow{"ofASymbolToTheEnd", "s0", "0", "9223372036854775807", 1, "0 + s0"},
        SliceRow{"theRestOfASymbol", "s0 + 4", "4", "9223372036854775807", 1, "4 + s0"},
        SliceRow{"ofASymbolBackwards", "s0", "-1", "-9223372036854775807", -1, "s0 - 1 + s0"},
        SliceRow{"ofTheUnknown", "?", "0", "3", 1, "? + ?"}),
    [](const auto &row) { return row.param.name; });

TEST(IsNonNegative, ofSizesAndWhatIsMadeOfThem)
{
    EXPECT_TRUE(ops::isNonNegative(dimOf("0")));
    EXPECT_FALSE(ops::isNonNegative(dimOf("-1")));
    EXPECT_TRUE(ops::isNonNegative(dimOf("2*s0 + 1")));
    EXPECT_TRUE(ops::isNonNegative(dimOf("max(s0 - 5, 0)")));
    EXPECT_FALSE(ops::isNonNegative(dimOf("s0 - 1")));
    EXPECT_FALSE(ops::isNonNegative(dimOf("?")));
    EXPECT_EQ(ir::print(ops::atLeastZero(dimOf("-3"))), "0");
}

} // namespace
} // namespace cutaway::test
