// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/symbolic/evaluate.h"

#include <gtest/gtest.h>

namespace cutaway::symbolic {
namespace {

struct RangeRow {
    const char *text;
    std::int64_t min, max;
};

void PrintTo(const RangeRow &row, std::ostream *out) { *out << row.text; }

class Interval : public testing::TestWithParam<RangeRow> { };

/// a is 2 to 5, b -3 to 4, c 7.
Expr withRanges(const char *text)
{
    return replace(parse(text).value(),
                   {{"a", Expr::symbol("a", {2, 5})},
                    {"b", Expr::symbol("b", {-3, 4})},
                    {"c", Expr::symbol("c", Range::only(7))}})
        .value();
}

TEST_P(Interval, FollowsFromTheOperands)
{
    const Range range = withRanges(GetParam().text).range();
    EXPECT_EQ(range.min, GetParam().min);
    EXPECT_EQ(range.max, GetParam().max);
}

constexpr RangeRow rangeRows[] = {
    {"a + b", -1, 9},    {"a*b", -15, 20},         {"a**3", 8, 125},     {"b**2", 0, 16},
    {"b//a", -2, 2},     {"ceildiv(b, a)", -1, 2}, {"b % a", 0, 4},      {"min(a, b)", -3, 4},
    {"max(a, b)", 2, 5}, {"abs(b)", 0, 4},         {"b == a + 1", 0, 1}, {"not b", 0, 1},
};
INSTANTIATE_TEST_SUITE_P(Operations, Interval, testing::ValuesIn(rangeRows));

struct DecidedRow {
    const char *text;
    const char *decided;
};

void PrintTo(const DecidedRow &row, std::ostream *out) { *out << row.text; }

class Comparison : public testing::TestWithParam<DecidedRow> { };

TEST_P(Comparison, IsDecidedWhereAllOrdersOfTheRangesAgree)
{
    EXPECT_EQ(print(withRanges(GetParam().text)), GetParam().decided);
}

constexpr DecidedRow decidedRows[] = {
    {"a < 6", "True"},   {"a <= 5", "True"}, {"a < 5", "a < 5"},   {"a >= 6", "False"}, {"a > 5", "False"},
    {"a == 9", "False"}, {"a != 9", "True"}, {"a == 3", "a == 3"}, {"c == 7", "True"},  {"c != 7", "False"},
};
INSTANTIATE_TEST_SUITE_P(Ranges, Comparison, testing::ValuesIn(decidedRows));

} // namespace
} // namespace cutaway::symbolic
