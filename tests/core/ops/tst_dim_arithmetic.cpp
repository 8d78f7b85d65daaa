// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/facts/dim_arithmetic.h"
#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>
#include <limits>

using namespace cutaway;
using ir::Dim;

namespace {

using Function = Dim (*)(const Dim &, const Dim &);

struct DimArithmeticRow {
    const char *name;
    Function function;
    const char *a;
    const char *b;
    const char *expected;
};

class DimArithmetic : public testing::TestWithParam<DimArithmeticRow> { };

TEST_P(DimArithmetic, isPythonsOnIntegersAndFormulas)
{
    const DimArithmeticRow &row = GetParam();
    EXPECT_EQ(ir::print(row.function(dimOf(row.a), dimOf(row.b))), row.expected);
}

constexpr auto largest = "9223372036854775807";
constexpr DimArithmeticRow dimArithmetic[] = {
    {"Sum", ops::plus, "2", "3", "5"},
    {"SumOfSymbols", ops::plus, "s0", "s0", "2*s0"},
    {"SumWithUnknown", ops::plus, "2", "?", "?"},
    {"SumOverflows", ops::plus, largest, "1", "?"},
    {"Difference", ops::minus, "2", "3", "-1"},
    {"DifferenceOfItself", ops::minus, "s0 + 1", "s0", "1"},
    {"DifferenceWithUnknown", ops::minus, "?", "?", "?"},
    {"Product", ops::times, "4", "5", "20"},
    {"ProductOfSymbols", ops::times, "s0", "s1", "s0*s1"},
    {"ProductWithUnknown", ops::times, "2", "?", "?"},
    {"NothingTimesUnknown", ops::times, "0", "?", "0"},
    {"ProductOverflows", ops::times, largest, "2", "?"},
    {"FloorDown", ops::floorDivide, "7", "2", "3"},
    {"FloorOfNegative", ops::floorDivide, "-7", "2", "-4"},
    {"FloorByNegative", ops::floorDivide, "7", "-2", "-4"},
    {"FloorByZero", ops::floorDivide, "7", "0", "?"},
    {"FloorOfSymbolByZero", ops::floorDivide, "s0", "0", "?"},
    {"FloorOfSymbol", ops::floorDivide, "s0", "2", "s0//2"},
    {"CeilUp", ops::ceilDivide, "7", "2", "4"},
    {"CeilExactly", ops::ceilDivide, "8", "2", "4"},
    {"CeilOfNegative", ops::ceilDivide, "-7", "2", "-3"},
    {"CeilByZero", ops::ceilDivide, "7", "0", "?"},
    {"ModuloHasTheDivisorsSign", ops::modulo, "-7", "3", "2"},
    {"ModuloByNegative", ops::modulo, "7", "-3", "-2"},
    {"ModuloByMinusOne", ops::modulo, "-9223372036854775807", "-1", "0"},
    {"ModuloByZero", ops::modulo, "7", "0", "?"},
    {"Minimum", ops::minimum, "2", "3", "2"},
    {"MinimumOfSymbols", ops::minimum, "s0", "3", "min(3, s0)"},
    {"MinimumWithUnknown", ops::minimum, "?", "3", "?"},
    {"Maximum", ops::maximum, "2", "3", "3"},
    {"MaximumOfItself", ops::maximum, "s0", "s0", "s0"},
};

INSTANTIATE_TEST_SUITE_P(Operations, DimArithmetic, testing::ValuesIn(dimArithmetic),
                         [](const auto &row) { return std::string(row.param.name); });

TEST(DimArithmeticAtTheLimits, neverOverflows)
{
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    EXPECT_FALSE(ops::isKnown(ops::floorDivide(least, std::int64_t{-1})));
    EXPECT_FALSE(ops::isKnown(ops::ceilDivide(least, std::int64_t{-1})));
    EXPECT_EQ(ops::modulo(least, std::int64_t{-1}), Dim(std::int64_t{0}));
    EXPECT_FALSE(ops::isKnown(ops::minus(least, std::int64_t{1})));
}

TEST(DimArithmeticOnLongFormulas, givesUpInTime)
{
    Dim dim = dimOf("s0");
    for (int i = 0; i < 1000; ++i)
        dim = ops::maximum(ops::floorDivide(ops::plus(dim, std::int64_t{1}), std::int64_t{2}), dimOf("s1"));
    EXPECT_FALSE(ops::isKnown(dim));
}

TEST(SizesCompared, areSureOnlyWhenProven)
{
    EXPECT_TRUE(ops::isSame(dimOf("s0"), dimOf("s0")));
    EXPECT_FALSE(ops::isSame(dimOf("?"), dimOf("?")));
    EXPECT_FALSE(ops::isSame(dimOf("s0"), dimOf("s1")));
    EXPECT_TRUE(ops::isDifferent(dimOf("2"), dimOf("3")));
    EXPECT_TRUE(ops::isDifferent(dimOf("s0"), dimOf("s0 + 1")));
    EXPECT_FALSE(ops::isDifferent(dimOf("s0"), dimOf("s1")));
    EXPECT_FALSE(ops::isDifferent(dimOf("s0"), dimOf("3")));
    EXPECT_FALSE(ops::isDifferent(dimOf("?"), dimOf("3")));
    EXPECT_TRUE(ops::isOne(dimOf("1")));
    EXPECT_FALSE(ops::isOne(dimOf("s0")));
}

TEST(Elements, areTheSizesMultiplied)
{
    EXPECT_EQ(ir::print(ops::elementsOf(shapeOf("[2, s0, 3]"))), "6*s0");
    EXPECT_EQ(ir::print(ops::elementsOf({})), "1");
    EXPECT_EQ(ir::print(ops::elementsOf(shapeOf("[2, ?]"))), "?");
    EXPECT_EQ(ir::print(ops::elementsOf(shapeOf("[?, 0, s0]"))), "0");
    EXPECT_EQ(ir::print(ops::elementsOf(shapeOf("[9223372036854775807, 2, 0]"))), "0");
}

TEST(DimensionIndex, countsFromTheEndIfNegative)
{
    EXPECT_EQ(ops::dimension(0, 3), 0u);
    EXPECT_EQ(ops::dimension(-1, 3), 2u);
    EXPECT_EQ(ops::dimension(-3, 3), 0u);
    EXPECT_EQ(ops::dimension(3, 3), std::nullopt);
    EXPECT_EQ(ops::dimension(-4, 3), std::nullopt);
    EXPECT_EQ(ops::dimension(0, 0), std::nullopt);
}

} // namespace
