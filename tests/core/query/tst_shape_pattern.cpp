// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/shape_pattern.h"

#include <gtest/gtest.h>

namespace cutaway::query {
namespace {

constexpr ShapePattern::Any any{};

ir::Dim sizeOf(const char *name) { return symbolic::Expr::symbol(name, symbolic::Range::upTo(8)); }

TEST(ShapePattern, ComparesSizeBySize)
{
    const ShapePattern pattern{{std::int64_t{1}, any, std::int64_t{224}}};
    EXPECT_EQ(pattern.matches(ir::Shape{std::int64_t{1}, std::int64_t{3}, std::int64_t{224}}), Match::Yes);
    EXPECT_EQ(pattern.matches(ir::Shape{std::int64_t{2}, std::int64_t{3}, std::int64_t{224}}), Match::No);
    EXPECT_EQ(pattern.matches(ir::Shape{std::int64_t{1}, std::int64_t{224}}), Match::No);
    EXPECT_EQ(pattern.matches(std::nullopt), Match::Unknown);
}

TEST(ShapePattern, LeavesOutAnyNumberOfSizesAtTheRest)
{
    const ShapePattern pattern{{std::int64_t{1}, std::int64_t{9}}, 1};
    EXPECT_EQ(pattern.matches(ir::Shape{std::int64_t{1}, std::int64_t{9}}), Match::Yes);
    EXPECT_EQ(pattern.matches(ir::Shape{std::int64_t{1}, std::int64_t{5}, std::int64_t{6}, std::int64_t{9}}),
              Match::Yes);
    EXPECT_EQ(pattern.matches(ir::Shape{std::int64_t{9}}), Match::No);
    EXPECT_EQ((ShapePattern{{}, 0}.matches(std::nullopt)), Match::Yes);
}

TEST(ShapePattern, KnowsAFormulaByItsTextAndANumberByItsRange)
{
    const ShapePattern formula{{std::string("s0")}}, large{{std::int64_t{9}}}, possible{{std::int64_t{8}}};
    EXPECT_EQ(formula.matches(ir::Shape{sizeOf("s0")}), Match::Yes);
    EXPECT_EQ(formula.matches(ir::Shape{sizeOf("s1")}), Match::No);
    EXPECT_EQ(formula.matches(ir::Shape{ir::UnknownDim{}}), Match::Unknown);
    EXPECT_EQ(large.matches(ir::Shape{sizeOf("s0")}), Match::No);
    EXPECT_EQ(possible.matches(ir::Shape{sizeOf("s0")}), Match::Unknown);
}

} // namespace
} // namespace cutaway::query
