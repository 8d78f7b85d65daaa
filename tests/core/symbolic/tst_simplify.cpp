// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// make() may change an expression's form, never its value; printing and parsing give the same tree. Both are tried on
// thousands of random expressions against a plain evaluator that knows nothing of make().

#include "core/symbolic/evaluate.h"
#include "core/symbolic/fold.h"
#include "core/symbolic/function.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace cutaway::symbolic {

namespace {

/// An expression as it was asked for.
struct Plain {
    Kind kind = Kind::Integer;
    std::int64_t integer = 0;
    double floating = 0;
    std::string name;
    std::vector<Plain> operands;
};

Expr made(const Plain &p)
{
    if (p.kind == Kind::Integer)
        return Expr::integer(p.integer);
    if (p.kind == Kind::Float)
        return Expr::floating(p.floating);
    if (p.kind == Kind::Symbol)
        return Expr::symbol(p.name);
    std::vector<Expr> operands;
    for (const Plain &operand : p.operands)
        operands.push_back(made(operand));
    return p.kind == Kind::Call ? Expr::call(p.name, operands) : Expr::make(p.kind, operands);
}

Result<Expr> valueOf(const Plain &p, const Bindings &bindings)
{
    if (p.kind == Kind::Symbol)
        return Expr::integer(bindings.at(p.name));
    if (p.kind < Kind::Symbol)
        return made(p);
    std::vector<Expr> operands;
    for (const Plain &operand : p.operands) {
        auto value = valueOf(operand, bindings);
        if (!value)
            return value;
        operands.push_back(*value);
    }
    return fold(p.kind, operands);
}

double number(const Expr &e)
{
    return e.kind() == Kind::Float ? e.floatValue() : static_cast<double>(e.integerValue());
}

class Random {
public:
    explicit Random(unsigned seed, std::vector<std::int64_t> integers) : m_engine(seed), m_integers(std::move(integers))
    {
    }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(m_engine); }

    Plain plain(int depth, Kind last)
    {
        if (depth == 0 || below(5) == 0)
            return leaf(last);
        Plain p;
        const auto first = static_cast<std::size_t>(Kind::Add);
        p.kind = static_cast<Kind>(first + below(static_cast<std::size_t>(last) - first + 1));
        const Arity arity = arityOf(p.kind);
        const std::size_t count = arity.max > 2 ? arity.min + below(4) : arity.min;
        p.name = p.kind == Kind::Call ? names[below(std::size(names))] : "";
        for (std::size_t i = 0; i < count; ++i)
            p.operands.push_back(plain(depth - 1, last));
        return p;
    }

private:
    Plain leaf(Kind last)
    {
        Plain p;
        const std::size_t which = below(8);
        if (which == 0 && last == Kind::Call) {
            p.kind = Kind::Float;
            p.floating = std::array{0.5, -1.5, 3.0, 1e300, -0.0, std::numeric_limits<double>::infinity()}[below(6)];
        } else if (which < 5) {
            p.kind = Kind::Symbol;
            p.name = last == Kind::Call ? names[below(std::size(names))] : std::array{"a", "b", "c"}[below(3)];
        } else {
            p.integer = m_integers[below(m_integers.size())];
        }
        return p;
    }

    static constexpr const char *names[] = {"a", "b", "c", "seq len", "2*h", "x`y", "True", "max", "Max", "Symbol", ""};
    std::mt19937 m_engine;
    std::vector<std::int64_t> m_integers;
};

const std::vector<std::int64_t> large{-2, -1, 0, 1, 2, 3, 5, 1'000'000'007, INT64_MAX, INT64_MIN, INT64_MAX / 3};

TEST(SimplifyRandom, keepsTheValue)
{
    Random random(7, {-3, -2, -1, 0, 1, 2, 3, 4, 7});
    int compared = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Plain p = random.plain(4, Kind::Not);
        const Expr e = made(p);
        const Bindings bindings{{"a", static_cast<std::int64_t>(random.below(12)) - 2},
                                {"b", static_cast<std::int64_t>(random.below(5))},
                                {"c", 1}};
        const auto want = valueOf(p, bindings);
        const auto got = substitute(e, bindings);
        if (!want || std::isnan(number(*want)) || std::fabs(number(*want)) > 1e15)
            continue; // make() may give a value to what had none, as 0 * (1 // 0)
        ASSERT_TRUE(got) << print(e) << ": " << got.error().text();
        ASSERT_TRUE(got->isConstant()) << print(e);
        ASSERT_NEAR(number(*got), number(*want), 1e-9 * std::max(1.0, std::fabs(number(*want)))) << print(e);
        ++compared;
    }
    EXPECT_GT(compared, 10'000);
}

TEST(SimplifyRandom, isStableAndReadBack)
{
    Random random(11, large);
    for (int i = 0; i < 50'000; ++i) {
        const Expr e = made(random.plain(4, Kind::Call));
        if (e.kind() > Kind::Symbol && e.kind() != Kind::Call) {
            ASSERT_EQ(Expr::make(e.kind(), e.operands()), e) << printParsable(e);
        }
        const auto again = parse(printParsable(e));
        ASSERT_TRUE(again) << printParsable(e) << ": " << again.error().text();
        ASSERT_EQ(*again, e) << printParsable(e) << " came back as " << printParsable(*again);
    }
}

struct SimplifyRow {
    const char *label;
    const char *text;
    const char *simplified;
};

class Simplify : public testing::TestWithParam<SimplifyRow> { };

TEST_P(Simplify, gives)
{
    const auto e = parse(GetParam().text);
    ASSERT_TRUE(e) << e.error().text();
    EXPECT_EQ(print(*e), GetParam().simplified);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Simplify,
    testing::Values(SimplifyRow{"EqualTerms", "s0 + s0", "2*s0"}, SimplifyRow{"Cancelled", "s0 + 1 - s0", "1"},
                    SimplifyRow{"CoefficientsCollected", "3*s0*s1 + s1*s0 - 4*s0*s1", "0"},
                    SimplifyRow{"TermsOrdered", "b + 1 + a", "a + b + 1"},
                    SimplifyRow{"FactorsOrdered", "b*3*a", "3*a*b"},
                    SimplifyRow{"PowersCollected", "s0*s0*s0", "s0**3"}, SimplifyRow{"Neutral", "1*(s0 + 0)", "s0"},
                    SimplifyRow{"Zero", "0*(s0 + 3)", "0"}, SimplifyRow{"ZeroTimesUndefined", "0*(1//s0)", "0*(1//s0)"},
                    SimplifyRow{"SumInSum", "3*(a + b) - 2*(a + b)", "a + b"},
                    SimplifyRow{"Bounds", "max(3, max(s0, 5, s0))", "max(5, s0)"},
                    SimplifyRow{"DivisionByOne", "s0//1", "s0"}, SimplifyRow{"DivisionByZeroStays", "1//0", "1//0"},
                    SimplifyRow{"OverflowStays", "9223372036854775807 + 1", "1 + 9223372036854775807"},
                    SimplifyRow{"AsFarAsItDoesNotOverflow", "64*9223372036854775807*2", "128*9223372036854775807"},
                    SimplifyRow{"CountsAsFarAsTheyDoNotOverflow", "9223372036854775807*a + 2*a + 3*a",
                                "5*a + 9223372036854775807*a"},
                    SimplifyRow{"DivisionOfADivision", "(s0//2)//3", "s0//6"},
                    SimplifyRow{"DivisionOfADivisionRoundedUp", "ceildiv(ceildiv(s0, 2), 3)", "ceildiv(s0, 6)"},
                    SimplifyRow{"DivisionOfAMultiple", "(6*s0)//3", "2*s0"},
                    SimplifyRow{"DivisionOfNoMultipleStays", "(4*s0)//3", "(4*s0)//3"},
                    SimplifyRow{"DivisionByANegativeStays", "(s0//2)//(-3)", "(s0//2)//(-3)"},
                    SimplifyRow{"FloatsKeepTheirOrder", "tofloat(b) + tofloat(a)", "tofloat(b) + tofloat(a)"},
                    SimplifyRow{"NegativeFloorDivision", "(-7)//2", "-4"},
                    SimplifyRow{"NegativeModulo", "(-7) % 3", "2"}, SimplifyRow{"CeilDivision", "ceildiv(7, 2)", "4"},
                    SimplifyRow{"RoundHalfToEven", "round(5/2)", "roundtoint(5/2)"},
                    SimplifyRow{"ComparisonFolds", "2 < 3", "True"},
                    SimplifyRow{"LogicFolds", "True and False", "False"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::symbolic
