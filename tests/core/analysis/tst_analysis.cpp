// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

struct MismatchRow {
    std::string name, graph, mismatches;
    symbolic::Bindings bindings = {};
};

void PrintTo(const MismatchRow &row, std::ostream *out) { *out << row.name; }

class Mismatches : public ::testing::TestWithParam<MismatchRow> { };

TEST_P(Mismatches, areWhatTheFileRecordsWrongly)
{
    const ir::Model model = modelOf(GetParam().graph);
    ASSERT_FALSE(model.functions.empty());
    std::string found;
    for (const auto &mismatch : analysis::analyse(model, ir::FunctionId{0}, {GetParam().bindings, {}}).mismatches)
        found += (found.empty() ? "" : "; ") + mismatch.message;
    EXPECT_EQ(found, GetParam().mismatches);
}

INSTANTIATE_TEST_SUITE_P(Rows, Mismatches,
                         ::testing::Values(MismatchRow{"NoneWhereTheRecordIsRight", R"((%x: float32[2, s0]) {
            %y: float32[2, s0] = aten::relu(self=%x)
            return %y })",
                                                       ""},
                                           MismatchRow{"AnotherSize", R"((%x: float32[2, 3]) {
            %y: float32[2, 4] = aten::relu(self=%x)
            return %y })",
                                                       "y: float32[2, 3] is derived and float32[2, 4] recorded"},
                                           MismatchRow{"AnotherRank", R"((%x: float32[2, 3]) {
            %y: float32[6] = aten::relu(self=%x)
            return %y })",
                                                       "y: float32[2, 3] is derived and float32[6] recorded"},
                                           MismatchRow{"AnotherDType", R"((%x: float32[2]) {
            %y: float16[2] = aten::relu(self=%x)
            return %y })",
                                                       "y: float32[2] is derived and float16[2] recorded"},
                                           MismatchRow{"AFormulaThatCannotBe", R"((%x: float32[s0]) {
            %y: float32[s0 + 1] = aten::relu(self=%x)
            return %y })",
                                                       "y: float32[s0] is derived and float32[s0 + 1] recorded"},
                                           MismatchRow{"NotWhatMayBe", R"((%x: float32[s0]) {
            %y: float32[s1] = aten::relu(self=%x)
            return %y })",
                                                       ""},
                                           MismatchRow{"WhatTheBindingShows",
                                                       R"((%x: float32[s0]) {
            %y: float32[s1] = aten::relu(self=%x)
            return %y })",
                                                       "y: float32[3] is derived and float32[s1] recorded",
                                                       {{"s0", 3}, {"s1", 4}}}),
                         [](const auto &row) { return row.param.name; });

TEST(Totals, areOfOneExecutionAndSayWhatTheyMiss)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3], %w: float32[3, 4]) {
        %y = aten::mm(self=%x, mat2=%w)
        %z = aten::relu_(self=%y)
        return %z })");
    const analysis::Totals totals = analysis::analyse(model, ir::FunctionId{0}).totals;
    EXPECT_EQ(totals.nodes, 2);
    EXPECT_EQ(ir::print(totals.cost.flops), "48");
    EXPECT_EQ(ir::print(totals.cost.bytesRead), "104"); // 24 + 48, and 32 in place
    EXPECT_EQ(ir::print(totals.cost.bytesWritten), "64");
    EXPECT_EQ(ir::print(totals.peakBytes), "104");
    EXPECT_EQ(totals.costUnknown, 0);
    EXPECT_EQ(totals.shapesUnknown, 0);
}

TEST(Totals, ofaLoopAreAFormulaOfItsIterations)
{
    const ir::Model model = modelOf(R"((%x: float32[s0, 3], %w: float32[3, 3]) {
        %n: int = aten::size.int(self=%x, dim=0)
        %y = prim::Loop(trip_count=%n, cond=true, %w)
          region "body" (%i: int, %k: tensor[*]) {
            %a = aten::mm(self=%k, mat2=%w)
            return true, %a
          }
        return %y })");
    EXPECT_EQ(ir::print(analysis::analyse(model, ir::FunctionId{0}).totals.cost.flops), "54*s0");
}

TEST(Totals, ofALoopAreTheSumOfIterationsThatDiffer)
{
    const ir::Model model = modelOf(R"((%x: float32[1, 3], %w: float32[3, 3]) {
        %y = prim::Loop(trip_count=3, cond=true, %x)
          region "body" (%i: int, %k: tensor[*]) {
            %a = aten::cat([%k, %k])
            %b = aten::mm(self=%a, mat2=%w)
            return true, %b
          }
        return %y })");
    EXPECT_EQ(ir::print(analysis::analyse(model, ir::FunctionId{0}).totals.cost.flops), "252"); // 18 · (2 + 4 + 8)
}

TEST(Totals, ofALoopThatMayEndEarlyAreNotKnown)
{
    const ir::Model model = modelOf(R"((%x: float32[s0, 3], %w: float32[3, 3], %c: bool) {
        %n: int = aten::size.int(self=%x, dim=0)
        %y = prim::Loop(trip_count=%n, cond=true, %w)
          region "body" (%i: int, %k: tensor[*]) {
            %a = aten::mm(self=%k, mat2=%w)
            return %c, %a
          }
        return %y })");
    EXPECT_EQ(ir::print(analysis::analyse(model, ir::FunctionId{0}).totals.cost.flops), "?");
}

} // namespace
} // namespace cutaway::test
