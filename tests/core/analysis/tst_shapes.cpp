// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shapes.h"

#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

class Propagation : public ::testing::TestWithParam<RuleRow> { };

TEST_P(Propagation, givesTheFacts) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(Rows, Propagation,
                         ::testing::Values(RuleRow{"aBranchWhoseConditionIsKnownDecidesAlone", R"((%x: float32[2, s0]) {
            %y = prim::If(cond=true)
              region "then" { return %x }
              region "else" { return none }
            return %y })",
                                                   "float32[2, s0]", ""},
                                           RuleRow{"otherwiseBothSidesAgreeOrTheSizeIsUnknown",
                                                   R"((%x: float32[2, 3], %z: float32[2, 4], %c: bool) {
            %y = prim::If(cond=%c)
              region "then" { return %x }
              region "else" { return %z }
            return %y })",
                                                   "float32[2, ?]", ""},
                                           RuleRow{"aSideThatRaisesIsNotASide", R"((%x: float32[2], %c: bool) {
            %y = prim::If(cond=%c)
              region "then" {
                prim::RaiseException("no")
                return none
              }
              region "else" { return %x }
            return %y })",
                                                   "float32[2]", ""},
                                           RuleRow{"aNameWithoutAValueIsNotLookedAt",
                                                   R"((%x: float32[2], %n: int, %c: bool) {
            %y: tensor[*] = prim::If(cond=%c)
              region "then" { return none }
              region "else" { return %x }
            %z: tensor[*] = prim::Loop(trip_count=%n, cond=true, none)
              region "body" (%i: int, %k: tensor[*]) { return true, %x }
            %o: optional<tensor[*]> = prim::If(cond=%c)
              region "then" { return none }
              region "else" { return %x }
            return %y, %z, %o })",
                                                   "float32[2]; float32[2]; None or float32[2]", ""},
                                           RuleRow{"whatALoopCarriesUnchangedIsKept", R"((%x: float32[2], %n: int) {
            %y = prim::Loop(trip_count=%n, cond=true, %x)
              region "body" (%i: int, %k: tensor[*]) { return true, %k }
            return %y })",
                                                   "float32[2]", ""},
                                           RuleRow{"aLoopThatMayNotRunKeepsWhatItBeginsWith",
                                                   R"((%x: float32[2], %n: int) {
            %k: int = prim::Loop(trip_count=%n, cond=true, 3)
              region "body" (%i: int, %j: int) { return true, 5 }
            %y = aten::new_zeros(%x, [%k])
            return %y })",
                                                   "float32[?]", ""},
                                           RuleRow{"aLoopOfUnknownTurnsReadsNoItemThatIsNotThere",
                                                   R"((%x: float32[2], %n: int) {
            %z = prim::Loop(trip_count=%n, cond=true, %x)
              region "body" (%i: int, %k: float32[2]) {
                %w = aten::__getitem__.t(list=[%x, %k], idx=%i)
                return true, %w
              }
            return %z })",
                                                   "float32[2]", ""},
                                           RuleRow{"whatIsRecordedIsNoAnswer", R"((%x: float32[2]) {
            %y: int(s0) = mine::op(%x)
            %z: list<float32[2, 3]> = mine::op(%x)
            %w: float32[2, 3] = mine::op(%x)
            return %y, %z, %w })",
                                                   "!no rule for mine::op !no rule for mine::op !no rule for mine::op "
                                                   "int; list of ? × tensor; unknown",
                                                   ""},
                                           RuleRow{"anUnknownOperatorStopsAndSaysSo", R"((%x: float32[2]) {
            %y = mine::op(%x)
            return %y })",
                                                   "!no rule for mine::op unknown", ""}),
                         rowName);

class Scan : public ::testing::TestWithParam<RuleRow> { };

TEST_P(Scan, givesTheFacts) { EXPECT_EQ(inferred(GetParam().graph, "opset \"ai.onnx\" 17\n"), GetParam().results); }

// What is scanned lies along an axis of its own, and so does what each turn gives.
INSTANTIATE_TEST_SUITE_P(Rows, Scan,
                         ::testing::Values(RuleRow{"alongTheFirstAxis", R"((%s: float32[4], %x: float32[s0, 4]) {
            %y, %z = onnx::Scan(%s, %x, num_scan_inputs=1)
              region "body" (%a: ?, %b: ?) { return %b, %b }
            return %y, %z })",
                                                   "float32[4]; float32[s0, 4]", ""},
                                           RuleRow{"alongOtherAxes",
                                                   R"((%s: float32[4], %x: float32[4, s0], %w: float32[s0, 3]) {
            %y, %z = onnx::Scan(%s, %x, %w, num_scan_inputs=2, scan_input_axes=[-1, 0], scan_output_axes=[1])
              region "body" (%a: ?, %b: ?, %c: ?) { return %b, %c }
            return %y, %z })",
                                                   "float32[4]; float32[3, s0]", ""},
                                           RuleRow{"aStateThatChangesHasNoKnownElements", R"((%x: float32[5, 4]) {
            %n = onnx::Constant(value_ints=[2])
            %y, %z = onnx::Scan(%n, %x, num_scan_inputs=1)
              region "body" (%a: ?, %b: ?) {
                %m = onnx::Add(%a, %a)
                return %m, %b
              }
            return %y, %z })",
                                                   "int64[1]; float32[5, 4]", ""},
                                           RuleRow{"asOftenAsALoopIsTold", R"((%s: float32[4], %x: float32[s0, 4]) {
            %n = onnx::Shape(%x, start=0, end=1)
            %y, %z = onnx::Loop(%n, none, %s)
              region "body" (%i: ?, %c: ?, %a: ?) { return %c, %a, %a }
            return %y, %z })",
                                                   "float32[4]; float32[s0, 4]", ""},
                                           RuleRow{"butNobodyKnowsHowOftenIfALoopMayEndEarly",
                                                   R"((%s: float32[4], %x: float32[s0, 4], %e: bool[]) {
            %n = onnx::Shape(%x, start=0, end=1)
            %y, %z = onnx::Loop(%n, none, %s)
              region "body" (%i: ?, %c: ?, %a: ?) { return %e, %a, %a }
            return %y, %z })",
                                                   "float32[4]; float32[turns_0, 4]", ""}),
                         rowName);

TEST(OldScan, hasABatchInFront)
{
    EXPECT_EQ(inferred(R"((%s: float32[6, 4], %x: float32[6, s0, 4]) {
            %y, %z = onnx::Scan(none, %s, %x, num_scan_inputs=1)
              region "body" (%a: ?, %b: ?) {
                %c = onnx::Concat(%a, %b, axis=0)
                return %b, %c
              }
            return %y, %z })",
                       "opset \"ai.onnx\" 8\n"),
              "float32[6, 4]; float32[6, s0, 8]");
}

TEST(Totals, countWhatIsTakenInPlaceOfEachOtherOnce)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3], %c: bool) {
        %taken: bool, %a: tensor[*] = prim::If(cond=%c)
          region "then" {
            %s = aten::linear(input=%x, weight=%x)
            return true, %s
          }
          region "else" { return false, none }
        %r: tensor[*] = prim::If(cond=%taken)
          region "then" { return %a }
          region "else" {
            %l = aten::linear(input=%x, weight=%x)
            return %l
          }
        return %r })");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    EXPECT_EQ(ir::print(shapes.total.flops), "24");
    EXPECT_FALSE(ops::isKnown(shapes.costs[0].flops));
}

TEST(Calls, costWhatTheBodyCostsAndHideWhatItHides)
{
    const auto model = ir::parseText(R"(model "m"
graph @forward(%x: float32[2, 3]) {
  %a = mine::f(%x, graph @f)
  %b = mine::f(%x, graph @g)
  return %a, %b
}
graph @f(%x: float32[2, 3]) {
  %y = prim::If(cond=true)
    region "then" {
      %r = aten::relu(self=%x)
      return %r
    }
    region "else" {
      return %x
    }
  return %y
}
graph @g(%x: float32[2, 3]) {
  %y = mine::unknown(%x)
  return %y
}
)");
    ASSERT_TRUE(model) << model.error().text();
    const analysis::Shapes shapes = analysis::inferShapes(*model, ir::FunctionId{0});
    EXPECT_EQ(ir::print(shapes.costs[0].otherFlops), "6");
    ASSERT_EQ(shapes.stops.size(), 1u);
    EXPECT_EQ(shapes.stops[0].reason, "in g: no rule for mine::unknown");
}

} // namespace
} // namespace cutaway::test
