// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What exporters write, read and printed again.

#include "core/symbolic/expr.h"

#include <gtest/gtest.h>

namespace cutaway::symbolic {

namespace {

struct Row {
    const char *label;
    std::string text;
    std::string printed;
};

std::string labelOf(const testing::TestParamInfo<Row> &row) { return row.param.label; }

std::string nested(int depth) { return std::string(depth, '(') + "s0" + std::string(depth, ')'); }

std::string repeated(const std::string &piece, int times)
{
    std::string out = "s0";
    for (int i = 0; i < times; ++i)
        out += piece;
    return out;
}

class Parse : public testing::TestWithParam<Row> { };

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
    testing::Values(Row{"Integer", "7", "7"}, Row{"Negative", "-7", "-7"}, Row{"NegativeWithSpace", "- 7", "-7"},
                    Row{"Smallest", "-9223372036854775808", "-9223372036854775808"}, Row{"Symbol", "s0", "s0"},
                    Row{"Quoted", "`seq len`", "seq len"}, Row{"QuotedInside", "`seq len` * 2", "2*`seq len`"},
                    Row{"QuotedBackquote", "`a``b` + 1", "`a``b` + 1"},
                    Row{"Convolution", "((s0 - 1)//2) + 1", "(s0 - 1)//2 + 1"},
                    Row{"LeftToRight", "a//b//c", "(a//b)//c"},
                    Row{"ProductBeforeQuotient", "2*a//b*c", "c*((2*a)//b)"}, Row{"PowerOfSign", "-2**s0", "-2**s0"},
                    Row{"PowerOfSignFolds", "-2**2", "-4"}, Row{"PowerIsRightToLeft", "2**3**2", "512"},
                    Row{"HugePowerStays", "9**9**9**9**9", "9**(9**(9**387420489))"},
                    Row{"Modulo", "Mod(s0, 8)", "s0 % 8"}, Row{"Maximum", "Max(1, u0 - 1)", "max(1, u0 - 1)"},
                    Row{"Comparison", "s0 > 4", "s0 > 4"},
                    Row{"Logic", "not a > 1 and (b == 2 or c != 3)", "not a > 1 and (b == 2 or c != 3)"},
                    Row{"SympyLogic", "(a > 1) & (b < 2) | ~(c >= 3)", "a > 1 and b < 2 or not c >= 3"},
                    Row{"Float", "1.5*tofloat(s0)", "1.5*tofloat(s0)"}, Row{"FloorOfQuotient", "floor(s0/3)", "s0//3"},
                    Row{"CeilingOfQuotient", "ceiling((s0 + 1)/3)", "ceildiv(s0 + 1, 3)"},
                    Row{"UnknownFunction", "ModularIndexing(s0, 2, 3)", "ModularIndexing(s0, 2, 3)"},
                    Row{"Spaces", "\t s0\n+  1 ", "s0 + 1"}),
    labelOf);

INSTANTIATE_TEST_SUITE_P(
    Srepr, Parse,
    testing::Values(
        Row{"Assumptions", "Symbol('s77', positive=True, integer=True)", "s77"},
        Row{"NoAssumptions", "Symbol('zuf0')", "zuf0"},
        Row{"Sum", "Add(Symbol('u1', integer=True), Integer(-1))", "u1 - 1"},
        Row{"Product", "Mul(Integer(4), Symbol('s3', integer=True), Symbol('s4', integer=True))", "4*s3*s4"},
        Row{"SignAndFactor", "Mul(Integer(-1), Integer(8), Symbol('s2'))", "-8*s2"},
        Row{"NestedProduct", "Mul(Integer(48), Add(Symbol('s2'), Integer(-1)), Add(Symbol('s3'), Integer(-1)))",
            "48*(s2 - 1)*(s3 - 1)"},
        Row{"Maximum", "Max(Integer(1), Add(Symbol('s78'), Integer(-1)))", "max(1, s78 - 1)"},
        Row{"FloorDiv", "FloorDiv(Symbol('s94'), Integer(3))", "s94//3"},
        Row{"IntTrueDiv", "IntTrueDiv(Symbol('s77'), Integer(2))", "s77/2"},
        Row{"CeilDiv", "CeilDiv(Symbol('s0'), Integer(3))", "ceildiv(s0, 3)"},
        Row{"CleanDiv", "CleanDiv(Symbol('s0'), Integer(3))", "s0//3"},
        Row{"PythonMod", "PythonMod(Symbol('s0'), Integer(3))", "s0 % 3"},
        Row{"Power", "PowByNatural(Symbol('s0'), Integer(2))", "s0**2"},
        Row{"Float", "Mul(Float('1.5', precision=53), ToFloat(Symbol('s77', positive=True)))", "1.5*tofloat(s77)"},
        Row{"Rational", "Mul(Rational(1, 3), Symbol('s0'))", "s0/3"},
        Row{"FloorOfRational", "floor(Mul(Rational(2, 3), Symbol('s0')))", "(2*s0)//3"},
        Row{"Half", "floor(Mul(Half(), Symbol('s0')))", "s0//2"},
        Row{"Reciprocal", "floor(Mul(Symbol('a'), Pow(Symbol('b'), Integer(-1))))", "a//b"},
        Row{"NamedNumbers", "Add(NegativeOne(), One(), Zero(), Symbol('s0'))", "s0"},
        Row{"Greater", "StrictGreaterThan(Symbol('u0'), Integer(4))", "u0 > 4"},
        Row{"LessEqual", "LessThan(Symbol('u0'), Integer(5))", "u0 <= 5"},
        Row{"GreaterEqual", "GreaterThan(Symbol('u0'), Integer(0))", "u0 >= 0"},
        Row{"Equality", "Equality(Symbol('u0'), Integer(0))", "u0 == 0"},
        Row{"Unequality", "Unequality(Symbol('u0'), Integer(0))", "u0 != 0"},
        Row{"Rounding", "Add(TruncToInt(Symbol('a')), CeilToInt(IntTrueDiv(Symbol('b'), Integer(2))))",
            "a + ceildiv(b, 2)"},
        Row{"Round", "RoundToInt(IntTrueDiv(Symbol('b'), Integer(2)))", "roundtoint(b/2)"},
        Row{"Where", "Where(StrictLessThan(Symbol('a'), Integer(2)), Integer(1), Symbol('a'))", "Where(a < 2, 1, a)"},
        Row{"Truth", "And(true, Not(StrictLessThan(Symbol('a'), Integer(2))))", "not a < 2"},
        Row{"QualifiedHead", "torch.utils._sympy.functions.FloorDiv(Symbol('a'), Integer(2))", "a//2"},
        Row{"KnownNameAsCall", "`Max`(a, 2)", "`Max`(a, 2)"}, Row{"Infinity", "Infinity()", "Infinity()"},
        Row{"NestingAtTheLimit", nested(198), "s0"}),
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
    testing::Values(Refused{"Empty", "", "the end where a number, a symbol or a bracket is wanted (column 1)"},
                    Refused{"OpenBracket", "(s0", "the end where ')' is wanted (column 4)"},
                    Refused{"TwoOperands", "seq len", "'len' where an operator is wanted (column 5)"},
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
                    Refused{"DeepNots", repeated(" and not not", 100'000), "is wanted"}),
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
