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
                                           RuleRow{"whatALoopCarriesUnchangedIsKept", R"((%x: float32[2], %n: int) {
            %y = prim::Loop(trip_count=%n, cond=true, %x)
              region "body" (%i: int, %k: tensor[*]) { return true, %k }
            return %y })",
                                                   "float32[2]", ""},
                                           RuleRow{"anUnknownOperatorStopsAndSaysSo", R"((%x: float32[2]) {
            %y = mine::op(%x)
            return %y })",
                                                   "!no rule for mine::op unknown", ""}),
                         rowName);

} // namespace
} // namespace cutaway::test
