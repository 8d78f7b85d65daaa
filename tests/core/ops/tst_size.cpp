// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Size : public testing::TestWithParam<RuleRow> { };

TEST_P(Size, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Size,
    testing::Values(
        RuleRow{"Size", "(%x: float32[2, s0]) { %r = aten::size(%x) return %r }", "[2, s0]", "0/0"},
        RuleRow{"SizeOfADimension", "(%x: float32[2, s0]) { %r = aten::size.int(%x, -1) return %r }", "s0"},
        RuleRow{"SizeOutside", "(%x: float32[2]) { %r = aten::size.int(%x, 1) return %r }",
                "!dimension 1 of a tensor with 1 dimensions int"},
        RuleRow{"SizeOfUnknownRank", "(%x: float32[*]) { %r = aten::size.int(%x, 1) return %r }",
                "!the rank of its input is not known int"},
        RuleRow{"SymbolicSize", "(%x: float32[2, s0]) { %r = aten::sym_size.int(%x, 1) return %r }", "s0"},
        RuleRow{"Rank", "(%x: float32[2, s0]) { %r = aten::dim(%x) return %r }", "2"},
        RuleRow{"ElementCount", "(%x: float32[2, s0]) { %r = aten::numel(%x) return %r }", "2*s0"},
        RuleRow{"LengthOfATensor", "(%x: float32[s0, 2]) { %r = aten::len.Tensor(%x) return %r }", "s0"},
        RuleRow{"LengthOfAList", "(%x: float32[2]) { %r = aten::len.t([%x, %x]) return %r }", "2"},
        RuleRow{"LengthOfAText", "() { %r = aten::len.str(\"abc\") return %r }", "3"},
        RuleRow{"Shape", "(%x: float32[2, s0]) { %r = onnx::Shape(%x) return %r }", "int64[2] = [2, s0]"},
        RuleRow{"PartOfTheShape", "(%x: float32[2, s0, 4]) { %r = onnx::Shape(%x, start=1, end=-1) return %r }",
                "int64[1] = [s0]"},
        RuleRow{"ShapeOfUnknownRank", "(%x: float32[*]) { %r = onnx::Shape(%x) return %r }", "int64[?]"},
        RuleRow{"OnnxSize", "(%x: float32[2, s0]) { %r = onnx::Size(%x) return %r }", "int64[] = [2*s0]"},
        RuleRow{"DType", "(%x: float16[2]) { %r = prim::dtype(%x) return %r }", "float16"},
        RuleRow{"DTypeUnknown", "(%x: tensor[2]) { %r = prim::dtype(%x) return %r }",
                "!the dtype of its input is not known unknown"},
        RuleRow{"IsFloatingPoint", "(%x: int64[2]) { %r = aten::is_floating_point(%x) return %r }", "false"},
        RuleRow{"IsNested", "(%x: int64[2]) { %r = prim::is_nested(%x) return %r }", "false"},
        RuleRow{"Inference", "() { %g = aten::is_grad_enabled() %a = aten::is_autocast_enabled() return %g, %a }",
                "false; false"},
        RuleRow{"ItemBytes", "(%x: bfloat16[2]) { %r = aten::element_size(%x) return %r }", "2"},
        RuleRow{"Strides", "(%x: float32[2, 3]) { %r = aten::stride(%x) return %r }", "[int, int]"}),
    rowName);

} // namespace

} // namespace cutaway::test
