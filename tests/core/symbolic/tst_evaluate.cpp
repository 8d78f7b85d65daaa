// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/evaluate.h"

#include <gtest/gtest.h>

namespace cutaway::symbolic {

namespace {

struct SubstituteRow {
    const char *label;
    const char *text;
    const char *value; ///< with s0 = 7, s1 = 3; of an error its text
};

class Substitute : public testing::TestWithParam<SubstituteRow> { };

TEST_P(Substitute, gives)
{
    const auto e = parse(GetParam().text);
    ASSERT_TRUE(e) << e.error().text();
    const auto value = substitute(*e, {{"s0", 7}, {"s1", 3}});
    EXPECT_EQ(value ? print(*value) : value.error().text(), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Substitute,
    testing::Values(
        SubstituteRow{"Polynomial", "2*s0*s1 + s0**2 - 1", "90"},
        SubstituteRow{"Partly", "s0*batch + s1", "7*batch + 3"},
        SubstituteRow{"FloorDivision", "(s0 - 1)//s1 + 1", "3"}, SubstituteRow{"CeilDivision", "ceildiv(s0, s1)", "3"},
        SubstituteRow{"Modulo", "(0 - s0) % s1", "2"}, SubstituteRow{"Extremes", "max(s0, 2*s1) - min(s0, s1)", "4"},
        SubstituteRow{"TrueDivision", "s0/2", "3.5"},
        SubstituteRow{"RoundHalfToEven", "roundtoint(s0/2) + roundtoint(5/2)", "6"},
        SubstituteRow{"Truncation", "trunc((0 - s0)/2)", "-3"},
        SubstituteRow{"Comparison", "s0 > 4 and not s1 == 2", "True"},
        SubstituteRow{"ToFloat", "1.5*tofloat(s0)", "10.5"}, SubstituteRow{"NegativePower", "s1**(0 - 1)*3.0", "1.0"},
        SubstituteRow{"UnknownFunctionStays", "f(s0) + 1", "f(7) + 1"},
        SubstituteRow{"DivisionByZero", "1//(s0 - 7)", "division by zero (1//(s0 - 7))"},
        SubstituteRow{"ModuloByZero", "1 % (s0 - 7)", "division by zero (1 % (s0 - 7))"},
        SubstituteRow{"Overflow", "9223372036854775807*s0", "a number is out of 64 bits (9223372036854775807*s0)"},
        SubstituteRow{"SmallestByMinusOne", "(-9223372036854775808)//(s0 - 8)",
                      "a number is out of 64 bits ((-9223372036854775808)//(s0 - 8))"},
        SubstituteRow{"FloatOutOfRange", "floor(1e300*tofloat(s0))",
                      "a number is out of 64 bits (floor(1e+300*tofloat(s0)))"}),
    [](const auto &row) { return row.param.label; });

TEST(Replace, putsExpressionsForSymbols)
{
    const auto e = parse("max(0, a - 2) + b//a");
    ASSERT_TRUE(e);
    const Replacements replacements{{"a", Expr::symbol("s0", {2, 9})}, {"b", *parse("3*s0 + c")}};
    const auto value = replace(*e, replacements);
    ASSERT_TRUE(value) << value.error().text();
    EXPECT_EQ(print(*value), "s0 + c//s0 + 1");
    EXPECT_FALSE(replace(*parse("1//a"), {{"a", Expr::integer(0)}}));
}

TEST(SymbolsOf, namesEachOnce)
{
    const auto e = parse("s0*s1 + f(s0, `seq len`)");
    ASSERT_TRUE(e);
    EXPECT_EQ(symbolsOf(*e), (std::set<std::string>{"s0", "s1", "seq len"}));
}

} // namespace

} // namespace cutaway::symbolic
