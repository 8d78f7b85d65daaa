// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/number_arithmetic.h"

#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using enum ops::Arithmetic;
using ops::NumberFact;

struct ArithmeticRow {
    std::string name;
    ops::Arithmetic op;
    std::string a, b; ///< "s0 + 1", "?"
    std::string result;
};

class NumberArithmetic : public ::testing::TestWithParam<ArithmeticRow> { };

TEST_P(NumberArithmetic, isPythons)
{
    const ArithmeticRow &row = GetParam();
    EXPECT_EQ(ir::print(ops::compute(row.op, dimOf(row.a), dimOf(row.b))), row.result);
}

INSTANTIATE_TEST_SUITE_P(Divisions, NumberArithmetic,
                         ::testing::Values(ArithmeticRow{"down", FloorDivide, "-7", "2", "-4"},
                                           ArithmeticRow{"towardsZero", TruncateDivide, "-7", "2", "-3"},
                                           ArithmeticRow{"towardsZeroOfSizes", TruncateDivide, "s0", "2", "s0//2"},
                                           ArithmeticRow{"towardsZeroOfWhatMayBeNegative", TruncateDivide, "s0 - 5",
                                                         "2", "?"},
                                           ArithmeticRow{"withTheDivisorsSign", Modulo, "-7", "2", "1"},
                                           ArithmeticRow{"withTheDividendsSign", Remainder, "-7", "2", "-1"},
                                           ArithmeticRow{"byZero", TruncateDivide, "7", "0", "?"},
                                           ArithmeticRow{"wholeQuotient", TrueDivide, "6", "2", "3"},
                                           ArithmeticRow{"ofUnknowns", FloorDivide, "?", "2", "?"}),
                         [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(Comparisons, NumberArithmetic,
                         ::testing::Values(ArithmeticRow{"less", Less, "2", "3", "1"},
                                           ArithmeticRow{"notLess", Less, "3", "3", "0"},
                                           ArithmeticRow{"aFormulaWithItself", Equal, "s0 + 1", "s0 + 1", "1"},
                                           ArithmeticRow{"formulasThatDifferByANumber", Greater, "s0 + 1", "s0", "1"},
                                           ArithmeticRow{"aSizeIsNotNegative", GreaterEqual, "s0", "0", "1"},
                                           ArithmeticRow{"aSizeMayBeZero", Greater, "s0", "0", "?"},
                                           ArithmeticRow{"symbolsMayBeEqual", NotEqual, "s0", "s1", "?"},
                                           ArithmeticRow{"maximumOfASizeAndZero", Maximum, "s0", "0", "s0"},
                                           ArithmeticRow{"minimumOfSymbols", Minimum, "s0", "s1", "min(s0, s1)"}),
                         [](const auto &row) { return row.param.name; });

TEST(NumberArithmeticOfRanges, knowsWhatMayBeNegative)
{
    const auto isAtLeast = [](symbolic::Range range, std::int64_t least) {
        return ir::print(ops::compute(GreaterEqual, symbolic::Expr::symbol("u0", range), least));
    };
    EXPECT_EQ(isAtLeast({}, 0), "?");
    EXPECT_EQ(isAtLeast({.min = 0}, 0), "1");
    EXPECT_EQ(isAtLeast({.min = -3}, 0), "?");
    EXPECT_EQ(isAtLeast({2, 9}, 2), "1");
    EXPECT_EQ(isAtLeast({2, 9}, 10), "0");
}

INSTANTIATE_TEST_SUITE_P(BitsAndLogic, NumberArithmetic,
                         ::testing::Values(ArithmeticRow{"bits", BitXor, "6", "3", "5"},
                                           ArithmeticRow{"bitsOfSymbols", BitAnd, "s0", "3", "?"},
                                           ArithmeticRow{"shifted", ShiftLeft, "3", "4", "48"},
                                           ArithmeticRow{"shiftedTooFar", ShiftLeft, "1", "64", "?"},
                                           ArithmeticRow{"shiftedBackwards", ShiftRight, "8", "-1", "?"},
                                           ArithmeticRow{"oneFalseDecides", LogicalAnd, "0", "?", "0"},
                                           ArithmeticRow{"oneTrueDoesNot", LogicalAnd, "1", "?", "?"},
                                           ArithmeticRow{"oneTrueDecides", LogicalOr, "?", "2", "1"},
                                           ArithmeticRow{"noneDecidesAlone", LogicalXor, "1", "?", "?"},
                                           ArithmeticRow{"either", LogicalXor, "1", "0", "1"}),
                         [](const auto &row) { return row.param.name; });

TEST(NumberFunctions, ofWholeNumbersAndFormulas)
{
    using enum ops::Function;
    const auto of = [](ops::Function function, std::string_view a) {
        return ir::print(ops::compute(function, dimOf(a)));
    };
    EXPECT_EQ(of(Negate, "s0 - 1"), "-s0 + 1");
    EXPECT_EQ(of(Absolute, "-3"), "3");
    EXPECT_EQ(of(Absolute, "s0"), "s0");
    EXPECT_EQ(of(Sign, "-3"), "-1");
    EXPECT_EQ(of(Sign, "s0"), "?");
    EXPECT_EQ(of(Root, "9"), "3");
    EXPECT_EQ(of(BitNot, "5"), "-6");
    EXPECT_EQ(of(LogicalNot, "s0 + 1"), "0");
    EXPECT_EQ(of(Round, "?"), "?");
}

TEST(NumberConversions, areIntFloatAndBool)
{
    using enum NumberFact::Kind;
    EXPECT_EQ(ops::convert(ops::floatFact(-2.7), Int), ops::intFact(std::int64_t{-2}));
    EXPECT_EQ(ops::convert(ops::floatFact(0.5), Bool), ops::boolFact(true));
    EXPECT_EQ(ops::convert(ops::boolFact(true), Float), ops::floatFact(1.0));
    EXPECT_EQ(ops::convert(ops::intFact(), Float), ops::floatFact());
    EXPECT_EQ(ops::convert(ops::intFact(dimOf("s0 + 1")), Bool), ops::boolFact(true));
}

TEST(CommonKind, isThatOfPython)
{
    using enum NumberFact::Kind;
    EXPECT_EQ(ops::commonKind(Bool, Bool), Int);
    EXPECT_EQ(ops::commonKind(Int, Float), Float);
    EXPECT_EQ(ops::commonKind(Complex, Float), Complex);
}

} // namespace
} // namespace cutaway::test
