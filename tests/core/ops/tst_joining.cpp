// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Joining : public testing::TestWithParam<RuleRow> { };

TEST_P(Joining, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Joining,
    testing::Values(
        RuleRow{"Cat", "(%x: float32[2, s0], %y: float32[3, s0]) { %r = aten::cat([%x, %y]) return %r }",
                "float32[5, s0]", "0/0"},
        RuleRow{"CatPromotes", "(%x: int64[2], %y: float16[3]) { %r = aten::cat([%x, %y], -1) return %r }",
                "float16[5]"},
        RuleRow{"CatTakesTheClearerSize",
                "(%x: float32[2, ?], %y: float32[2, 4]) { %r = aten::cat([%x, %y]) return %r }", "float32[4, 4]"},
        RuleRow{"CatLeavesOutEmptyVectors",
                "(%x: float32[0], %y: float32[2, 3]) { %r = aten::cat([%x, %y]) return %r }", "float32[2, 3]"},
        RuleRow{"CatOfOtherRanks", "(%x: float32[2], %y: float32[2, 3]) { %r = aten::cat([%x, %y]) return %r }",
                "!tensors of [2] and [2, 3] are joined unknown"},
        RuleRow{"CatOfOtherSizes", "(%x: float32[2, 4], %y: float32[2, 3]) { %r = aten::cat([%x, %y]) return %r }",
                "!tensors of [2, 4] and [2, 3] are joined unknown"},
        RuleRow{"CatOfScalars", "(%x: float32[]) { %r = aten::cat([%x, %x]) return %r }",
                "!tensors without dimensions are joined unknown"},
        RuleRow{"CatOfSomeUnknownRank", "(%x: float32[*], %y: float32[2, 3]) { %r = aten::cat([%x, %y], 1) return %r }",
                "float32[2, ?]"},
        RuleRow{"CatOfAListOfUnknownLength", "(%l: list<float32[2, 3]>) { %r = aten::cat(%l) return %r }",
                "float32[u_0, 3]"},
        RuleRow{"CatOfAListOfUnknownTensors", "(%l: list<float32[*]>) { %r = aten::cat(%l) return %r }",
                "!it is not known which tensors are joined float32"},
        RuleRow{"StackOfAListOfUnknownLength", "(%l: list<float32[2, 3]>) { %r = aten::stack(%l, -1) return %r }",
                "float32[2, 3, u_0]"},
        RuleRow{"StackOfAnOnnxSequence",
                "(%l: list<float32[2, 3]>) { %r = onnx::ConcatFromSequence(%l, axis=0, new_axis=1) return %r }",
                "float32[u_0, 2, 3]"},
        RuleRow{"CatElements",
                "(%a: int(s0)) { %x = aten::tensor([[1, 2], [3, 4]]) %y = aten::tensor([[%a], [6]]) "
                "%r = aten::cat([%x, %y], 1) return %r }",
                "int64[2, 3] = [1, 2, s0, 3, 4, 6]"},
        RuleRow{"OnnxConcat",
                "(%x: float32[2, 3], %y: float32[2, s0]) { %r = onnx::Concat(%x, %y, axis=-1) return %r }",
                "float32[2, s0 + 3]"},
        RuleRow{"Stack", "(%x: float32[2, s0], %y: float32[2, s0]) { %r = aten::stack([%x, %y], -1) return %r }",
                "float32[2, s0, 2]"},
        RuleRow{"StackElements",
                "(%a: int(s0)) { %x = aten::scalar_tensor(%a, dtype=int64) %r = aten::stack([%x, %x]) return %r }",
                "int64[2] = [s0, s0]"},
        RuleRow{"StackOfOtherSizes", "(%x: float32[2], %y: float32[3]) { %r = aten::stack([%x, %y]) return %r }",
                "!tensors of [1, 2] and [1, 3] are joined unknown"},
        RuleRow{"OnnxConcatFromSequence",
                "(%x: float32[2, 3]) { %s = onnx::SequenceConstruct(%x, %x) %r = onnx::ConcatFromSequence(%s, axis=1) "
                "%t = onnx::ConcatFromSequence(%s, axis=0, new_axis=1) return %r, %t }",
                "float32[2, 6]; float32[2, 2, 3]"},
        RuleRow{"RowsOfVectors", "(%x: float32[3]) { %r = aten::vstack([%x, %x]) return %r }", "float32[2, 3]"},
        RuleRow{"OneAfterAnother", "(%x: float32[3]) { %r = aten::hstack([%x, %x]) return %r }", "float32[6]"},
        RuleRow{"SideBySide", "(%x: float32[2, 3]) { %r = aten::hstack([%x, %x]) return %r }", "float32[2, 6]"},
        RuleRow{"Sheets", "(%x: float32[3]) { %r = aten::dstack([%x, %x]) return %r }", "float32[1, 3, 2]"},
        RuleRow{"Columns", "(%x: float32[3], %y: float32[3, 2]) { %r = aten::column_stack([%x, %y]) return %r }",
                "float32[3, 3]"},
        RuleRow{"Blocks", "(%x: float32[2, 3], %y: float32[4]) { %r = aten::block_diag([%x, %y]) return %r }",
                "float32[3, 7]"},
        RuleRow{
            "Grid",
            "(%x: float32[2], %y: float32[s0]) { %r = aten::meshgrid.indexing([%x, %y], indexing=\"ij\") return %r }",
            "[float32[2, s0], float32[2, s0]]"},
        RuleRow{"GridOfColumns",
                "(%x: float32[2], %y: float32[3]) { %a, %b = aten::meshgrid.indexing([%x, %y], indexing=\"xy\") return "
                "%a, %b }",
                "float32[3, 2]; float32[3, 2]"},
        RuleRow{"CartesianProduct", "(%x: int64[2], %y: int64[s0]) { %r = aten::cartesian_prod([%x, %y]) return %r }",
                "int64[2*s0, 2]"},
        RuleRow{"Combinations", "(%x: int64[5]) { %r = aten::combinations(%x, 3) return %r }", "int64[10, 3]"},
        RuleRow{"Broadcast",
                "(%x: float32[2, 1], %y: int64[3]) { %a, %b = aten::broadcast_tensors([%x, %y]) return %a, %b }",
                "float32[2, 3]; int64[2, 3]"},
        RuleRow{"PadSequence",
                "(%x: float32[5, 2], %y: float32[3, 2]) { %r = aten::pad_sequence([%x, %y], true) return %r }",
                "float32[2, 5, 2]"}),
    rowName);

} // namespace

} // namespace cutaway::test
