// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Cast : public testing::TestWithParam<RuleRow> { };

TEST_P(Cast, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    Rows, Cast,
    testing::Values(
        RuleRow{"ToADType", "(%x: float32[2, s0]) { %r = aten::to.dtype(%x, float16) return %r }", "float16[2, s0]"},
        RuleRow{"ToADTypeByNumber", "(%x: float32[2]) { %r = aten::to.dtype(%x, 15) return %r }", "bfloat16[2]"},
        RuleRow{"ToADevice", "(%x: float32[2]) { %r = aten::to.prim_Device(%x, device(\"cuda\")) return %r }",
                "float32[2]"},
        RuleRow{"ToAnotherTensor", "(%x: float32[2], %y: int64[4]) { %r = aten::to.other(%x, %y) return %r }",
                "int64[2]"},
        RuleRow{"ToAnUnknownDType", "(%x: float32[2], %d) { %r = aten::to.dtype(%x, dtype=%d) return %r }",
                "tensor[2]"},
        RuleRow{"Copy", "(%x: float32[2]) { %r = aten::_to_copy(%x) return %r }", "float32[2]"},
        RuleRow{"TypeOfTheSecond", "(%x: float32[2], %y: int8[4]) { %r = aten::type_as(%x, %y) return %r }", "int8[2]"},
        RuleRow{"OnnxByNumber", "(%x: float32[2, s0]) { %r = onnx::Cast(%x, to=7) return %r }", "int64[2, s0]"},
        RuleRow{"OnnxByName", "(%x: float32[2]) { %r = onnx::Cast(%x, to=\"DOUBLE\") return %r }", "float64[2]"},
        RuleRow{"OnnxLike", "(%x: float32[2], %y: bool[]) { %r = onnx::CastLike(%x, %y) return %r }", "bool[2]"},
        RuleRow{"ElementsStay", "(%a: int(s0)) { %x = aten::tensor([%a, 3]) %r = aten::to.dtype(%x, int32) return %r }",
                "int32[2] = [s0, 3]"},
        RuleRow{"ElementsAsBooleans", "() { %x = aten::tensor([0, 3]) %r = aten::to.dtype(%x, bool) return %r }",
                "bool[2] = [0, 1]"},
        RuleRow{"ElementsThatDoNotFit", "() { %x = aten::tensor([300, 3]) %r = aten::to.dtype(%x, int8) return %r }",
                "int8[2] = [?, 3]"},
        RuleRow{"Item", "() { %x = aten::tensor([3]) %r = aten::item(%x) return %r }", "3"},
        RuleRow{"ItemThatDataDecides", "(%x: int64[]) { %r = aten::item(%x) return %r }", "item_0"},
        RuleRow{"ItemOfFloats", "(%x: float32[1]) { %r = aten::item(%x) return %r }", "float"},
        RuleRow{"ItemOfKnownFloats",
                "() { %x = aten::tensor(2.75) %r = aten::item(%x) %i = aten::Int.Tensor(%x) return %r, %i }",
                "2.75; 2"},
        RuleRow{"ItemOfMany", "(%x: float32[2]) { %r = aten::item(%x) return %r }",
                "!a tensor of shape [2] has not one element unknown"},
        RuleRow{"SizeThroughATensor",
                "(%a: int(s0)) { %x = prim::NumToTensor.Scalar(%a) %r = aten::Int.Tensor(%x) return %x, %r }",
                "int64[] = [s0]; s0"},
        RuleRow{"IntTruncates", "() { %r = aten::Int.float(-2.5) return %r }", "-2"},
        RuleRow{"FloatOfAText", "() { %r = aten::Float.str(\"2.5\") return %r }", "2.5"},
        RuleRow{"BoolOfAnInt", "() { %r = aten::Bool.int(3) return %r }", "true"},
        RuleRow{"ResultType",
                "(%x: float16[3], %y: int64[3]) { %a = aten::result_type.Tensor(%x, %y) "
                "%b = aten::result_type.Scalar(%y, 2.0) %c = aten::promote_types(int8, uint8) return %a, %b, %c }",
                "float16; float32; int16"},
        RuleRow{"ComplexHalf", "(%x: float32[3]) { %r = aten::chalf(%x) return %r }", "complex32[3]"},
        RuleRow{"BoolOfATensor", "(%x: float32[]) { %r = aten::Bool.Tensor(%x) return %r }", "bool"}),
    rowName);

} // namespace

} // namespace cutaway::test
