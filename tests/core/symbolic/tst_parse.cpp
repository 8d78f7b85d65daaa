// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Expressions of exporters are read and printed again.

#include "core/symbolic/expr.h"

#include <gtest/gtest.h>

namespace cutaway::symbolic {

namespace {

struct ParseRow {
    const char *label;
    std::string text;
    std::string printed;
};

std::string labelOf(const testing::TestParamInfo<ParseRow> &row) { return row.param.label; }

std::string nested(int depth) { return std::string(depth, '(') + "s0" + std::string(depth, ')'); }

std::string repeated(const std::string &piece, int times)
{
    std::string out = "s0";
    for (int i = 0; i < times; ++i)
        out += piece;
    return out;
}

class Parse : public testing::TestWithParam<ParseRow> { };

TEST_P(Parse, readsAndPrints)
{
    const auto e = parse(GetParam().text);
    ASSERT_TRUE(e) << e.error().text();
    EXPECT_EQ(print(*e), GetParam().printed);
    const auto again = parse(printParsable(*e));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *e);
}

INSTANTIATE_TEST_SUITE_P(
    Infix, Parse,
    testing::Values(
        ParseRow{"Integer", "7", "7"}, ParseRow{"Negative", "-7", "-7"}, ParseRow{"NegativeWithSpace", "- 7", "-7"},
        ParseRow{"Smallest", "-9223372036854775808", "-9223372036854775808"}, ParseRow{"Symbol", "s0", "s0"},
        ParseRow{"Quoted", "`seq len`", "seq len"}, ParseRow{"QuotedInside", "`seq len` * 2", "2*`seq len`"},
        ParseRow{"QuotedBackquote", "`a``b` + 1", "`a``b` + 1"},
        ParseRow{"Convolution", "((s0 - 1)//2) + 1", "(s0 - 1)//2 + 1"},
        ParseRow{"LeftToRight", "a//b//c", "(a//b)//c"}, ParseRow{"ProductBeforeQuotient", "2*a//b*c", "c*((2*a)//b)"},
        ParseRow{"PowerOfSign", "-2**s0", "-2**s0"}, ParseRow{"PowerOfSignFolds", "-2**2", "-4"},
        ParseRow{"PowerIsRightToLeft", "2**3**2", "512"},
        ParseRow{"HugePowerStays", "9**9**9**9**9", "9**(9**(9**387420489))"},
        ParseRow{"Modulo", "Mod(s0, 8)", "s0 % 8"}, ParseRow{"Maximum", "Max(1, u0 - 1)", "max(1, u0 - 1)"},
        ParseRow{"Comparison", "s0 > 4", "s0 > 4"},
        ParseRow{"Logic", "not a > 1 and (b == 2 or c != 3)", "not a > 1 and (b == 2 or c != 3)"},
        ParseRow{"SympyLogic", "(a > 1) & (b < 2) | ~(c >= 3)", "a > 1 and b < 2 or not c >= 3"},
        ParseRow{"Float", "1.5*tofloat(s0)", "1.5*tofloat(s0)"}, ParseRow{"FloorOfQuotient", "floor(s0/3)", "s0//3"},
        ParseRow{"CeilingOfQuotient", "ceiling((s0 + 1)/3)", "ceildiv(s0 + 1, 3)"},
        ParseRow{"UnknownFunction", "ModularIndexing(s0, 2, 3)", "ModularIndexing(s0, 2, 3)"},
        ParseRow{"Spaces", "\t s0\n+  1 ", "s0 + 1"}),
    labelOf);

INSTANTIATE_TEST_SUITE_P(
    Srepr, Parse,
    testing::Values(
        ParseRow{"Assumptions", "Symbol('s77', positive=True, integer=True)", "s77"},
        ParseRow{"NoAssumptions", "Symbol('zuf0')", "zuf0"},
        ParseRow{"Sum", "Add(Symbol('u1', integer=True), Integer(-1))", "u1 - 1"},
        ParseRow{"Product", "Mul(Integer(4), Symbol('s3', integer=True), Symbol('s4', integer=True))", "4*s3*s4"},
        ParseRow{"SignAndFactor", "Mul(Integer(-1), Integer(8), Symbol('s2'))", "-8*s2"},
        ParseRow{"NestedProduct", "Mul(Integer(48), Add(Symbol('s2'), Integer(-1)), Add(Symbol('s3'), Integer(-1)))",
                 "48*(s2 - 1)*(s3 - 1)"},
        ParseRow{"Maximum", "Max(Integer(1), Add(Symbol('s78'), Integer(-1)))", "max(1, s78 - 1)"},
        ParseRow{"FloorDiv", "FloorDiv(Symbol('s94'), Integer(3))", "s94//3"},
        ParseRow{"IntTrueDiv", "IntTrueDiv(Symbol('s77'), Integer(2))", "s77/2"},
        ParseRow{"CeilDiv", "CeilDiv(Symbol('s0'), Integer(3))", "ceildiv(s0, 3)"},
        ParseRow{"CleanDiv", "CleanDiv(Symbol('s0'), Integer(3))", "s0//3"},
        ParseRow{"PythonMod", "PythonMod(Symbol('s0'), Integer(3))", "s0 % 3"},
        ParseRow{"Power", "PowByNatural(Symbol('s0'), Integer(2))", "s0**2"},
        ParseRow{"Float", "Mul(Float('1.5', precision=53), ToFloat(Symbol('s77', positive=True)))", "1.5*tofloat(s77)"},
        ParseRow{"Rational", "Mul(Rational(1, 3), Symbol('s0'))", "s0/3"},
        ParseRow{"FloorOfRational", "floor(Mul(Rational(2, 3), Symbol('s0')))", "(2*s0)//3"},
        ParseRow{"Half", "floor(Mul(Half(), Symbol('s0')))", "s0//2"},
        ParseRow{"Reciprocal", "floor(Mul(Symbol('a'), Pow(Symbol('b'), Integer(-1))))", "a//b"},
        ParseRow{"NamedNumbers", "Add(NegativeOne(), One(), Zero(), Symbol('s0'))", "s0"},
        ParseRow{"Greater", "StrictGreaterThan(Symbol('u0'), Integer(4))", "u0 > 4"},
        ParseRow{"LessEqual", "LessThan(Symbol('u0'), Integer(5))", "u0 <= 5"},
        ParseRow{"GreaterEqual", "GreaterThan(Symbol('u0'), Integer(0))", "u0 >= 0"},
        ParseRow{"Equality", "Equality(Symbol('u0'), Integer(0))", "u0 == 0"},
        ParseRow{"Unequality", "Unequality(Symbol('u0'), Integer(0))", "u0 != 0"},
        ParseRow{"Rounding", "Add(TruncToInt(Symbol('a')), CeilToInt(IntTrueDiv(Symbol('b'), Integer(2))))",
                 "a + ceildiv(b, 2)"},
        ParseRow{"Round", "RoundToInt(IntTrueDiv(Symbol('b'), Integer(2)))", "roundtoint(b/2)"},
        ParseRow{"Where", "Where(StrictLessThan(Symbol('a'), Integer(2)), Integer(1), Symbol('a'))",
                 "Where(a < 2, 1, a)"},
        ParseRow{"Truth", "And(true, Not(StrictLessThan(Symbol('a'), Integer(2))))", "not a < 2"},
        ParseRow{"QualifiedHead", "torch.utils._sympy.functions.FloorDiv(Symbol('a'), Integer(2))", "a//2"},
        ParseRow{"KnownNameAsCall", "`Max`(a, 2)", "`Max`(a, 2)"}, ParseRow{"Infinity", "Infinity()", "Infinity()"},
        ParseRow{"NestingAtTheLimit", nested(198), "s0"}),
    labelOf);

struct Refused {
    const char *label;
    std::string text;
    std::string message; ///< a part of it
};

class ParseRefuses : public testing::TestWithParam<Refused> { };

TEST_P(ParseRefuses, withPlaceAndReason)
{
    const auto e = parse(GetParam().text);
    ASSERT_FALSE(e) << print(*e);
    EXPECT_NE(e.error().text().find(GetParam().message), std::string::npos) << e.error().text();
    EXPECT_TRUE(e.error().where.starts_with("column "));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, ParseRefuses,
    testing::Values(Refused{"Empty", "", "the end where a number, a symbol or a bracket is expected (column 1)"},
                    Refused{"OpenBracket", "(s0", "the end where ')' is expected (column 4)"},
                    Refused{"TwoOperands", "seq len", "'len' where an operator is expected (column 5)"},
                    Refused{"Python", "__import__('os').system('x')", "an expression instead of a text"},
                    Refused{"OutOf64Bits", "9223372036854775808", "9223372036854775808 is out of 64 bits"},
                    Refused{"Arity", "FloorDiv(s0)", "has 1 operands"},
                    Refused{"NoOperands", "Max()", "has 0 operands"},
                    Refused{"SymbolWithoutName", "Symbol(3)", "a symbol's name in quotes"},
                    Refused{"Operator", "s0 + * 2", "'* 2' where"}, Refused{"Word", "and", "'and' where a symbol"},
                    Refused{"Backquote", "`s0", "a closing '`'"}, Refused{"OpenText", "Symbol('s0", "the end where"},
                    Refused{"DeepBrackets", nested(100'000), "nested more than 256 deep"},
                    Refused{"DeepQuotients", repeated("//2", 100'000), "nested more than 256 deep"},
                    Refused{"DeepPowers", repeated("**s0", 100'000), "nested more than 256 deep"},
                    Refused{"DeepSigns", std::string(100'000, '-') + "1", "nested more than 256 deep"},
                    Refused{"DeepNots", repeated(" and not not", 100'000), "is expected"}),
    [](const auto &row) { return row.param.label; });

TEST(ParseText, longSumsAreNotDeep)
{
    const auto e = parse(repeated(" + s0", 99'999));
    ASSERT_TRUE(e);
    EXPECT_EQ(print(*e), "100000*s0");
}

TEST(Print, aBareSymbolIsPrintedAsItIs)
{
    EXPECT_EQ(print(Expr::symbol("2*h")), "2*h");
    EXPECT_EQ(printParsable(Expr::symbol("2*h")), "`2*h`");
    EXPECT_EQ(print(Expr::make(Kind::Add, {Expr::symbol("2*h"), Expr::integer(1)})), "`2*h` + 1");
}

} // namespace

} // namespace cutaway::symbolic
