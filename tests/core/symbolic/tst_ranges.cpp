// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Simplifications of make() by divisibility and ranges of symbols never change a value: tried on thousands of random
// expressions like those of sizes, each at many points within the ranges, against a plain evaluator. Beside that, the
// forms that people are to read.

#include "core/symbolic/equivalence.h"
#include "core/symbolic/evaluate.h"
#include "core/symbolic/fold.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace cutaway::symbolic {

namespace {

constexpr std::array<const char *, 4> symbolNames{"s0", "s1", "u0", "n"};

/// s0 and s1 are sizes, u0 lies between two numbers, and of n nothing is known.
using Ranges = std::map<std::string, Range>;

class Sizes {
public:
    explicit Sizes(unsigned seed) : m_engine(seed) { }

    std::int64_t between(std::int64_t first, std::int64_t last)
    {
        return std::uniform_int_distribution<std::int64_t>(first, last)(m_engine);
    }

    Ranges ranges()
    {
        const std::int64_t first = between(-9, 9);
        return {{"s0", Range::size()}, {"s1", {between(1, 5), between(6, 90)}}, {"u0", {first, between(first, 12)}}};
    }

    Bindings point(const Ranges &ranges)
    {
        Bindings at{{"n", between(-40, 40)}};
        for (const auto &[name, range] : ranges)
            at[name] = between(range.min, std::min<std::int64_t>(range.max, range.min + 40));
        return at;
    }

    /// An expression, made with the ranges, and without simplifications.
    struct Both {
        Expr made;
        std::function<Result<Expr>(const Bindings &)> value;
    };

    Both expression(int depth, const Ranges &ranges)
    {
        if (depth == 0 || between(0, 5) == 0)
            return leaf(ranges);
        static constexpr std::array kinds{Kind::Add,         Kind::Add,        Kind::Multiply,   Kind::FloorDivide,
                                          Kind::FloorDivide, Kind::CeilDivide, Kind::Modulo,     Kind::Minimum,
                                          Kind::Maximum,     Kind::Absolute,   Kind::LessEqual,  Kind::Equal,
                                          Kind::Power,       Kind::Add,        Kind::FloorDivide};
        const Kind kind = kinds[static_cast<std::size_t>(between(0, kinds.size() - 1))];
        std::vector<Both> operands{expression(depth - 1, ranges)};
        if (kind == Kind::Power)
            operands.push_back(number(between(0, 3)));
        else if (kind != Kind::Absolute)
            operands.push_back(isDivision(kind) && between(0, 2) != 0 ? number(between(1, 12))
                                                                      : expression(depth - 1, ranges));
        std::vector<Expr> made;
        for (const Both &operand : operands)
            made.push_back(operand.made);
        return {Expr::make(kind, std::move(made)), [kind, operands](const Bindings &at) -> Result<Expr> {
                    std::vector<Expr> values;
                    for (const Both &operand : operands) {
                        auto value = operand.value(at);
                        if (!value)
                            return value;
                        values.push_back(*value);
                    }
                    return fold(kind, values);
                }};
    }

private:
    static bool isDivision(Kind kind) { return kind >= Kind::FloorDivide && kind <= Kind::Modulo; }

    static Both number(std::int64_t n)
    {
        return {Expr::integer(n), [n](const Bindings &) { return Expr::integer(n); }};
    }

    Both leaf(const Ranges &ranges)
    {
        if (between(0, 2) == 0)
            return number(between(-12, 24));
        const std::string name = symbolNames[static_cast<std::size_t>(between(0, symbolNames.size() - 1))];
        const auto range = ranges.find(name);
        return {range == ranges.end() ? Expr::symbol(name) : Expr::symbol(name, range->second),
                [name](const Bindings &at) { return Expr::integer(at.at(name)); }};
    }

    std::mt19937 m_engine;
};

std::int64_t valueOf(const Expr &e) { return e.integerValue(); }

std::string text(const Bindings &at)
{
    std::string out;
    for (const auto &[name, value] : at)
        out += name + "=" + std::to_string(value) + " ";
    return out;
}

TEST(SymbolicRanges, simplificationKeepsTheValueAndTheBounds)
{
    Sizes sizes(3);
    int compared = 0;
    for (int i = 0; i < 4'000; ++i) {
        const Ranges ranges = sizes.ranges();
        const auto [made, value] = sizes.expression(4, ranges);
        for (int k = 0; k < 12; ++k) {
            const Bindings at = sizes.point(ranges);
            const auto want = value(at);
            if (!want)
                continue; // make() may give a value to what had none, as 0 * (1 // 0)
            const auto got = substitute(made, at);
            ASSERT_TRUE(got && got->isConstant()) << print(made) << " at " << text(at);
            ASSERT_EQ(valueOf(*got), valueOf(*want)) << print(made) << " at " << text(at);
            ASSERT_LE(made.range().min, valueOf(*want)) << print(made) << " at " << text(at);
            ASSERT_GE(made.range().max, valueOf(*want)) << print(made) << " at " << text(at);
            ++compared;
        }
    }
    EXPECT_GT(compared, 20'000);
}

TEST(SymbolicRanges, simplificationIsStableAndReadBack)
{
    Sizes sizes(5);
    for (int i = 0; i < 6'000; ++i) {
        const Expr made = sizes.expression(4, sizes.ranges()).made;
        if (!made.operands().empty()) {
            ASSERT_EQ(Expr::make(made.kind(), made.operands()), made) << print(made);
        }
        const auto again = parse(printParsable(made));
        ASSERT_TRUE(again) << print(made) << ": " << again.error().text();
        ASSERT_EQ(*again, made) << print(made) << " came back as " << print(*again);
    }
}

TEST(SymbolicRanges, whatIsProvedEqualIsEqual)
{
    Sizes sizes(7);
    int proved = 0;
    for (int i = 0; i < 25'000; ++i) {
        const Ranges ranges = sizes.ranges();
        const Expr a = sizes.expression(2, ranges).made, b = sizes.expression(2, ranges).made;
        if (a == b || !isProvablyEqual(a, b))
            continue;
        ++proved;
        for (int k = 0; k < 20; ++k) {
            const Bindings at = sizes.point(ranges);
            const auto x = substitute(a, at), y = substitute(b, at);
            if (x && y) {
                ASSERT_EQ(valueOf(*x), valueOf(*y)) << print(a) << " and " << print(b) << " at " << text(at);
            }
        }
    }
    EXPECT_GT(proved, 20);
}

struct FormRow {
    const char *label;
    const char *text; ///< s0 and s1 at least 2, u0 from 0 to 7, n without a range
    const char *form;
};

Expr ranged(const Expr &e)
{
    static const std::map<std::string, Range> known{{"s0", {.min = 2}}, {"s1", {.min = 2}}, {"u0", {0, 7}}};
    if (e.kind() == Kind::Symbol && known.contains(e.name()))
        return Expr::symbol(e.name(), known.at(e.name()));
    if (e.operands().empty())
        return e;
    std::vector<Expr> operands;
    std::ranges::transform(e.operands(), std::back_inserter(operands), ranged);
    return Expr::make(e.kind(), std::move(operands));
}

class SymbolicForm : public testing::TestWithParam<FormRow> { };

TEST_P(SymbolicForm, isShort)
{
    const auto e = parse(GetParam().text);
    ASSERT_TRUE(e) << e.error().text();
    EXPECT_EQ(print(ranged(*e)), GetParam().form);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SymbolicForm,
    testing::Values(
        FormRow{"FourPoolings", "((((16*n - 3)//2 - 1)//2 - 1)//2 - 1)//2 + 1", "n - 1"},
        FormRow{"FourConvolutions", "((((n - 1)//2 + 1 - 1)//2 + 1 - 1)//2 + 1 - 1)//2 + 1", "(n - 1)//16 + 1"},
        FormRow{"QuotientOfASum", "(6*n + 3*s0 + s1)//3", "2*n + s0 + s1//3"},
        FormRow{"ConstantMultiplesGoOut", "(n + 4)//2", "n//2 + 2"},
        FormRow{"OtherConstantsStay", "(n - 1)//2 + 1", "(n - 1)//2 + 1"},
        FormRow{"CommonDivisor", "(4*n + 3)//6", "(2*n + 1)//3"},
        FormRow{"CommonDivisorRoundedUp", "ceildiv(4*n + 3, 6)", "ceildiv(2*n + 2, 3)"},
        FormRow{"SmallQuotient", "u0//8", "0"}, FormRow{"SmallRemainder", "u0 % 8", "u0"},
        FormRow{"RemainderOfASum", "(8*n + u0 + 16) % 8", "u0"},
        FormRow{"RemainderOfARemainder", "(n % 12 + 1) % 4", "(n + 1) % 4"},
        FormRow{"CommonDivisorOfARemainder", "(6*n + 3) % 9", "3*((2*n + 1) % 3)"}, FormRow{"ByItself", "s0//s0", "1"},
        FormRow{"ByItselfPerhapsZero", "n//n", "n//n"}, FormRow{"ByAFactor", "(s0*n + n*s1*s0)//s0", "n + n*s1"},
        FormRow{"StepsToTheEnd", "(s0*s1 + s1 - 1)//s1", "s0"}, FormRow{"StepsRoundedUp", "ceildiv(s0*s1, s1)", "s0"},
        FormRow{"CommonFactor", "(6*s0*n)//(4*s0*s1)", "(3*n)//(2*s1)"},
        FormRow{"RemainderByAFactor", "(s0*n) % s0", "0"}, FormRow{"AtLeastOne", "max(1, s0 - 1)", "s0 - 1"},
        FormRow{"PerhapsNegative", "max(0, s0 - 3)", "max(0, s0 - 3)"}, FormRow{"Clamped", "min(2, s0)", "2"},
        FormRow{"OfTwoWithAGap", "max(n, n + s0, n - 1)", "n + s0"}, FormRow{"SizeIsPositive", "s0 > 0", "True"},
        FormRow{"WithinTheRange", "u0 <= 7", "True"}, FormRow{"OutOfTheRange", "u0 == 8", "False"},
        FormRow{"AbsoluteOfASize", "abs(s0 - 2)", "s0 - 2"}),
    [](const auto &row) { return row.param.label; });

struct EqualRow {
    const char *label;
    const char *a;
    const char *b;
    bool areEqual = true;
};

class SymbolicEquality : public testing::TestWithParam<EqualRow> { };

TEST_P(SymbolicEquality, isProved)
{
    const auto a = parse(GetParam().a), b = parse(GetParam().b);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(isProvablyEqual(ranged(*a), ranged(*b)), GetParam().areEqual);
}

INSTANTIATE_TEST_SUITE_P(Rows, SymbolicEquality,
                         testing::Values(EqualRow{"RoundedUp", "ceildiv(n, 3)", "(n + 2)//3"},
                                         EqualRow{"RoundedUpBySymbol", "ceildiv(n, s0)", "(n + s0 - 1)//s0"},
                                         EqualRow{"Remainder", "n % 4", "n - 4*(n//4)"},
                                         EqualRow{"ConstantInside", "(n - 3)//2 + 1", "(n + 1)//2 - 1"},
                                         EqualRow{"MultipliedOut", "(n + 1)*(s0 - 1)", "n*s0 - n + s0 - 1"},
                                         EqualRow{"Square", "(n + 1)**2", "n**2 + 2*n + 1"},
                                         EqualRow{"RoundedOtherwise", "ceildiv(n, 3)", "n//3 + 1", false},
                                         EqualRow{"OtherSymbol", "s0 + 1", "s1 + 1", false}),
                         [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::symbolic
