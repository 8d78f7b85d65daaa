// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Generation : public testing::TestWithParam<RuleRow> { };

TEST_P(Generation, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Search, Generation,
    testing::Values(
        RuleRow{"Beams",
                "(%i: int32[s0, 7], %p: float16[1]) { "
                "%r, %s, %l = com.microsoft::BeamSearch(%i, 20, 1, 4, 2, %p) return %r, %s, %l }",
                "int32[s0, 2, 20]; float16[s0, 2]; float16[?, s0, 4, ?]", "?/0"},
        RuleRow{"BeamsOfAModelInside",
                "(%i: int32[3, 7]) { %r = com.microsoft::BeamSearch(%i, 20, 1, 4, 2) "
                "region (%t: int32[12, 1]) { %l = onnx::Identity(%t) return %l } return %r }",
                "int32[3, 2, 20]", "?/0"},
        RuleRow{"Greedy", "(%i: int32[s0, 7]) { %r = com.microsoft::GreedySearch(%i, 20) return %r }", "int32[s0, 20]"},
        RuleRow{"SampledToAnUnknownLength",
                "(%i: int32[3, 7], %n: int32[1]) { %r = com.microsoft::Sampling(%i, %n) return %r }", "int32[3, ?]"},
        RuleRow{"Repetitions",
                "(%i: int64[3, 7], %s: float32[3, 99]) { %r = com.microsoft::NGramRepeatBlock(%i, %s) return %r }",
                "float32[3, 99]"},
        RuleRow{"Bifurcation",
                "(%a: int64[9], %b: int64[5], %i: int64[]) { %t, %r = com.microsoft::BifurcationDetector(%a, %b, %i) "
                "return %t, %r }",
                "int64[u_0]; int64[]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Padding, Generation,
    testing::Values(
        RuleRow{"Removed",
                "(%x: float16[2, s0, 64], %n: int32[2]) { "
                "%r, %p, %s, %m = com.microsoft::RemovePadding(%x, %n) return %r, %p, %s, %m }",
                "float16[u_0, 64]; int32[2, s0]; int32[3]; int32[1]"},
        RuleRow{"RemovedFromAMatrix",
                "(%x: float16[2, 64], %n: int32[2]) { %r = com.microsoft::RemovePadding(%x, %n) return %r }",
                "!the shape of the input is not known float16"},
        RuleRow{"Restored",
                "(%x: float16[s1, 64], %p: int32[2, s0]) { %r = com.microsoft::RestorePadding(%x, %p) return %r }",
                "float16[2, s0, 64]"}),
    rowName);

} // namespace

} // namespace cutaway::test
