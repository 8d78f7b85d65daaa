// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Slicing : public testing::TestWithParam<RuleRow> { };

TEST_P(Slicing, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Slices, Slicing,
    testing::Values(
        RuleRow{"Slice", "(%x: float32[10]) { %r = aten::slice.Tensor(%x, 0, 2, 9, 3) return %r }", "float32[3]",
                "0/0"},
        RuleRow{"ToTheEnd", "(%x: float32[s0, 3]) { %r = aten::slice.Tensor(%x, 0, 0, 9223372036854775807) return %r }",
                "float32[s0, 3]"},
        RuleRow{"FromTheFirst", "(%x: float32[s0]) { %r = aten::slice.Tensor(%x, 0, 1) return %r }",
                "float32[max(0, s0 - 1)]"},
        RuleRow{"WithoutTheLast", "(%x: float32[s0]) { %r = aten::slice.Tensor(%x, 0, 0, -1) return %r }",
                "float32[max(0, s0 - 1)]"},
        RuleRow{"TheLast", "(%x: float32[s0]) { %r = aten::slice.Tensor(%x, 0, -3) return %r }", "float32[min(3, s0)]"},
        RuleRow{"UpToAFormula",
                "(%x: float32[2*s0], %n: int(s0)) { %r = aten::slice.Tensor(%x, 0, none, %n) return %r }",
                "float32[s0]"},
        RuleRow{"EmptyOnes", "(%x: float32[4]) { %r = aten::slice.Tensor(%x, 0, 3, 1) return %r }", "float32[0]"},
        RuleRow{"OfAScalar", "(%x: float32[]) { %r = aten::slice.Tensor(%x) return %r }",
                "!a slice of a tensor without dimensions unknown"},
        RuleRow{"StepZero", "(%x: float32[4]) { %r = aten::slice.Tensor(%x, 0, 0, 4, 0) return %r }",
                "!a step of 0 unknown"},
        RuleRow{"Elements", "() { %x = aten::tensor([5, 6, 7, 8]) %r = aten::slice.Tensor(%x, 0, 1, 4, 2) return %r }",
                "int64[2] = [6, 8]"},
        RuleRow{"OfAListBackwards",
                "() { %r = aten::slice.t([1, 2, 3], none, none, -1) %s = aten::slice.t([1, 2, 3, 4], 2, none, -2) "
                "return %r, %s }",
                "[3, 2, 1]; [3, 1]"},
        RuleRow{"OfAList", "(%a: int(s0)) { %r = aten::slice.t([1, %a, 3], 1) return %r }", "[s0, 3]"},
        RuleRow{"OnnxAxes",
                "(%x: float32[5, 6, s0]) { %s = aten::tensor([1, -2]) %e = aten::tensor([9, 100]) %a = "
                "aten::tensor([0, -2]) "
                "%r = onnx::Slice(%x, %s, %e, %a) return %r }",
                "float32[4, 2, s0]"},
        RuleRow{"OnnxBackwards",
                "() { %x = aten::tensor([5, 6, 7]) %s = aten::tensor([-1]) %e = aten::tensor([-9223372036854775807]) "
                "%a = aten::tensor([0]) %r = onnx::Slice(%x, %s, %e, %a, %s) return %r }",
                "int64[3] = [7, 6, 5]"},
        RuleRow{"OnnxByAttributes",
                "(%x: float32[5, 6]) { %r = onnx::Slice(%x, starts=[1], ends=[3], axes=[1]) return %r }",
                "float32[5, 2]"},
        RuleRow{"OnnxUnknownEnds",
                "(%x: float32[5, 6], %e: int64[1]) { %s = aten::tensor([1]) "
                "%r = onnx::Slice(%x, %s, %e, %s) return %r }",
                "float32[5, ?]"},
        RuleRow{"Narrow", "(%x: float32[5, s0]) { %r = aten::narrow(%x, 0, -3, 2) return %r }", "float32[2, s0]"},
        RuleRow{"NarrowTooLong", "(%x: float32[5]) { %r = aten::narrow(%x, 0, 3, 4) return %r }",
                "!a part of 4 in a dimension of 5 unknown"},
        RuleRow{"Select", "(%x: float32[2, s0, 4]) { %r = aten::select.int(%x, 1, -1) return %r }", "float32[2, 4]"},
        RuleRow{"SelectAnElement",
                "(%a: int(s0)) { %x = aten::tensor([7, %a]) %r = aten::select.int(%x, 0, -1) return %r }",
                "int64[] = [s0]"},
        RuleRow{"SelectOutside", "(%x: float32[2]) { %r = aten::select.int(%x, 0, 2) return %r }",
                "!index 2 in a dimension of 2 unknown"},
        RuleRow{"Scatter", "(%x: float32[2, 3], %y: float32[3]) { %r = aten::select_scatter(%x, %y, 0, 1) return %r }",
                "float32[2, 3]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Splits, Slicing,
    testing::Values(
        RuleRow{"BySize", "(%x: float32[2, 7]) { %r = aten::split.Tensor(%x, 3, 1) return %r }",
                "[float32[2, 3], float32[2, 3], float32[2, 1]]"},
        RuleRow{"ResultPerPart", "(%x: float32[s0]) { %a, %b, %c = aten::split.Tensor(%x, 3) return %a, %b, %c }",
                "float32[3]; float32[3]; float32[s0 - 6]"},
        RuleRow{"BySizes",
                "(%x: float32[2, s0 + 3], %n: int(s0)) { %r = aten::split_with_sizes(%x, [%n, 3], -1) return %r }",
                "[float32[2, s0], float32[2, 3]]"},
        RuleRow{"BySizesThatDoNotFit", "(%x: float32[7]) { %r = aten::split_with_sizes(%x, [3, 3]) return %r }",
                "!the parts have 6 together and the dimension 7 unknown"},
        RuleRow{"Chunks", "(%x: float32[7]) { %r = aten::chunk(%x, 3) return %r }",
                "[float32[3], float32[3], float32[1]]"},
        RuleRow{"FewerChunksThanAsked", "(%x: float32[5]) { %r = aten::chunk(%x, 4) return %r }",
                "[float32[2], float32[2], float32[1]]"},
        RuleRow{"ChunksOfAFormula", "(%x: float32[2*s0]) { %r = aten::chunk(%x, 2) return %r }",
                "[float32[s0], float32[s0]]"},
        RuleRow{"MoreChunksOfAFormulaMayBeMissing", "(%x: float32[s0, 2]) { %r = aten::chunk(%x, 3) return %r }",
                "list of ? × float32[?, 2]"},
        RuleRow{"ChunksThatDivide", "(%x: float32[3*s0]) { %r = aten::chunk(%x, 3) return %r }",
                "[float32[s0], float32[s0], float32[s0]]"},
        RuleRow{"ChunksThatTheFileHas", "(%x: float32[s0]) { %a, %b, %c = aten::chunk(%x, 3) return %a, %b, %c }",
                "float32[ceildiv(s0, 3)]; float32[ceildiv(s0, 3)]; float32[s0 - 2*ceildiv(s0, 3)]"},
        RuleRow{"NoChunks", "(%x: float32[5]) { %r = aten::chunk(%x, 0) return %r }", "!split into 0 chunks unknown"},
        RuleRow{"Evenly", "(%x: float32[7]) { %r = aten::tensor_split.sections(%x, 3) return %r }",
                "[float32[3], float32[2], float32[2]]"},
        RuleRow{"AtPositions", "(%x: float32[7]) { %r = aten::tensor_split.indices(%x, [2, 5]) return %r }",
                "[float32[2], float32[3], float32[2]]"},
        RuleRow{"Columns", "(%x: float32[4, 6]) { %r = aten::hsplit.int(%x, 2) return %r }",
                "[float32[4, 3], float32[4, 3]]"},
        RuleRow{"ColumnsOfAVector", "(%x: float32[6]) { %r = aten::hsplit.int(%x, 2) return %r }",
                "[float32[3], float32[3]]"},
        RuleRow{"Unbind", "(%x: float32[2, s0]) { %r = aten::unbind.int(%x) return %r }", "[float32[s0], float32[s0]]"},
        RuleRow{"UnbindUnknownMany", "(%x: float32[s0, 3]) { %r = aten::unbind.int(%x) return %r }",
                "list of s0 × float32[3]"},
        RuleRow{"UnbindElements", "() { %x = aten::tensor([4, 5]) %a, %b = aten::unbind.int(%x) return %a, %b }",
                "int64[] = [4]; int64[] = [5]"},
        RuleRow{"OnnxEqual", "(%x: float32[6, 2]) { %a, %b = onnx::Split(%x) return %a, %b }",
                "float32[3, 2]; float32[3, 2]"},
        RuleRow{"OnnxByInput",
                "(%x: float32[2, 6]) { %s = aten::tensor([2, 4]) %a, %b = onnx::Split(%x, %s, axis=1) return %a, %b }",
                "float32[2, 2]; float32[2, 4]"},
        RuleRow{"OnnxByAttribute", "(%x: float32[6]) { %a, %b = onnx::Split(%x, axis=0, split=[1, 5]) return %a, %b }",
                "float32[1]; float32[5]"},
        RuleRow{"OnnxUneven", "(%x: float32[7]) { %a, %b = onnx::Split(%x, num_outputs=2) return %a, %b }",
                "float32[4]; float32[3]"},
        RuleRow{"ToSequence", "(%x: float32[3, 2]) { %r = onnx::SplitToSequence(%x, axis=0, keepdims=0) return %r }",
                "[float32[2], float32[2], float32[2]]"},
        RuleRow{"ToSequenceBySize",
                "(%x: float32[5, 2]) { %n = aten::scalar_tensor(2, dtype=int64) %r = onnx::SplitToSequence(%x, %n) "
                "return %r }",
                "[float32[2, 2], float32[2, 2], float32[1, 2]]"}),
    rowName);

} // namespace

} // namespace cutaway::test
