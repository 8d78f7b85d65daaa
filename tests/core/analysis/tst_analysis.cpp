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

/// The rest of a graph behind the condition of its branch.
const std::string wrongSecondBranch = R"(
              region "then" {
                %a = aten::neg(self=%x)
                return %a
              }
              region "else" {
                %b: float32[3] = aten::neg(self=%x)
                return %b
              }
            return %y })";

INSTANTIATE_TEST_SUITE_P(
    Rows, Mismatches,
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
                      MismatchRow{"NoneInABranchThatIsNotTaken",
                                  "(%x: float32[2]) { %y = prim::If(cond=true)" + wrongSecondBranch, ""},
                      MismatchRow{"InABranchThatMayBeTaken",
                                  "(%x: float32[2], %c: bool) { %y = prim::If(cond=%c)" + wrongSecondBranch,
                                  "b: float32[2] is derived and float32[3] recorded"},
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

TEST(Totals, countThePackedWeightThatAProductReads)
{
    const ir::Model model = modelOf(R"((%x: quint8[2, 8], %w: qint8[5, 8]) {
        %p = quantized::linear_prepack(%w, none)
        %r = quantized::linear(%x, %p, 0.1, 0)
        return %r })");
    const analysis::Totals totals = analysis::analyse(model, ir::FunctionId{0}).totals;
    EXPECT_EQ(ir::print(totals.cost.bytesRead), "56"); // 16 and 40
    EXPECT_EQ(ir::print(totals.cost.bytesWritten), "10");
}

TEST(Totals, ofAnOperatorWithoutARuleAreLowerBounds)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3], %w: float32[3, 4]) {
        %a: float32[2, 3] = mine::op(%x)
        %y = aten::mm(self=%a, mat2=%w)
        %z = mine::unrecorded(%y)
        return %z })");
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    const analysis::Totals &totals = analysis.totals;
    EXPECT_FALSE(ops::isKnown(totals.cost.flops));
    EXPECT_EQ(ir::print(totals.atLeast.flops), "48");
    EXPECT_EQ(ir::print(analysis.costOf(ir::NodeId{1}).flops), "48");
    EXPECT_EQ(totals.costUnknown, 2);
    EXPECT_EQ(totals.shapesUnknown, 1);
    EXPECT_EQ(totals.shapesRecorded, 1);
    EXPECT_FALSE(ops::isKnown(totals.peakBytes));
    EXPECT_EQ(ir::print(totals.peakAtLeast), "104"); // the bytes of %a, %w and %y
    std::string findings;
    for (const ir::Diagnostic &finding : analysis::findings(analysis))
        findings += finding.code + ": " + finding.message + "\n";
    EXPECT_EQ(findings,
              "shapes.recorded: no rule for mine::op; its results are as the file records them\n"
              "shapes.unknown: no rule for mine::unrecorded\n");
}

TEST(Totals, holdWhatCertainlyRunsAroundAnOperatorWithoutARule)
{
    const ir::Model model = modelOf(R"((%x: float32[3, 3], %c: bool, %n: int) {
        %a: float32[3, 3] = higher_order::wrap_with_set_grad_enabled(false, %x)
          region "body" (%i: float32[3, 3]) {
            %k: float32[3, 3] = mine::op(%i)
            %m = aten::mm(self=%k, mat2=%k)
            return %m
          }
        %b: tensor[*] = prim::If(cond=%c)
          region "then" {
            %t = aten::mm(self=%a, mat2=%a)
            return %t
          }
          region "else" {
            %e = aten::mm(self=%a, mat2=%a)
            %f = aten::mm(self=%e, mat2=%a)
            return %f
          }
        %d: tensor[*] = prim::Loop(trip_count=2, cond=true, %a)
          region "body" (%j: int, %g: float32[3, 3]) {
            %o: float32[3, 3] = mine::op(%g)
            %p = aten::mm(self=%o, mat2=%o)
            return true, %p
          }
        return %b, %d })");
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    EXPECT_FALSE(ops::isKnown(analysis.totals.cost.flops));
    EXPECT_EQ(ir::print(analysis.totals.atLeast.flops), "216"); // 54 in the region, 54 in either branch, twice 54
    EXPECT_EQ(analysis.totals.costUnknown, 3);                  // %k, %o of the loop, and the branch that is taken
}

TEST(Totals, countOperatorsOfWhichNoOneKnowsTheOperations)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3], %w: float32[2, 3]) {
        %y = com.microsoft::QOrderedAttention(%x)
        return %y })");
    EXPECT_EQ(analysis::analyse(model, ir::FunctionId{0}).totals.costUnknown, 1);
}

TEST(Shapes, areThoseOfTheMomentAtWhichAValueIsMade)
{
    const ir::Model model = modelOf(R"((%x: float32[3, 4]) {
        %y: float32[3, 4] = aten::clone(self=%x)
        %z: float32[4, 3] = aten::t_(self=%y)
        %r: float32[4, 3] = aten::relu(self=%y)
        return %y, %r })");
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    const auto output = [&](std::uint32_t node) {
        return ir::NodeRef(model.functions[0].graph, ir::NodeId{node})->outputs.front();
    };
    EXPECT_EQ(ops::print(analysis.shapes.of(output(0))), "float32[3, 4]");
    EXPECT_EQ(ops::print(analysis.shapes.atEnd(output(0))), "float32[4, 3]");
    EXPECT_EQ(ops::print(analysis.shapes.of(output(1))), "float32[4, 3]");
    EXPECT_EQ(ops::print(analysis.shapes.of(output(2))), "float32[4, 3]");
    EXPECT_TRUE(analysis.mismatches.empty());
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
