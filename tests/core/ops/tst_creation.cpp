// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Creation : public testing::TestWithParam<RuleRow> { };

TEST_P(Creation, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    Torch, Creation,
    testing::Values(
        RuleRow{"Zeros", "(%n: int(s0)) { %r = aten::zeros([2, %n]) return %r }", "float32[2, s0]"},
        RuleRow{"ZerosOfSizes", "() { %r = aten::zeros([2], dtype=int64) return %r }", "int64[2] = [0, 0]"},
        RuleRow{"NegativeSize", "() { %r = aten::ones([2, -1]) return %r }",
                "!a tensor cannot have the shape [2, -1] unknown"},
        RuleRow{"SizesNotKnown", "(%s: list<int>) { %r = aten::empty.memory_format(%s) return %r }",
                "!the sizes are not known float32"},
        RuleRow{"FullTakesTheTypeOfTheNumber", "() { %r = aten::full([2], 7) return %r }", "int64[2] = [7, 7]"},
        RuleRow{"FullOfFloats", "() { %r = aten::full([2], 0.5) return %r }", "float32[2]"},
        RuleRow{"FullOfADType", "() { %r = aten::full([2], 7, dtype=float16) return %r }", "float16[2]"},
        RuleRow{"FullOfAPrimitive", "() { %r = prims::full([2, 3], 7, dtype=int32) return %r }",
                "int32[2, 3] = [7, 7, 7, 7, 7, 7]"},
        RuleRow{"EmptyOfAPrimitive",
                "(%n: int(s0)) { %r = prims::empty_strided([2, %n], [%n, 1], dtype=int32) return %r }", "int32[2, s0]"},
        RuleRow{"Like", "(%x: float16[2, s0]) { %r = aten::zeros_like(%x) return %r }", "float16[2, s0]"},
        RuleRow{"LikeOfADType", "(%x: float16[2, s0]) { %r = aten::ones_like(%x, dtype=bool) return %r }",
                "bool[2, s0]"},
        RuleRow{"New", "(%x: float16[2, s0]) { %r = aten::new_zeros(%x, [3]) return %r }", "float16[3]"},
        RuleRow{"Arange", "(%n: int(s0)) { %r = aten::arange(%n) return %r }", "int64[s0]"},
        RuleRow{"ArangeWithElements", "() { %r = aten::arange.start_step(2, 9, 3) return %r }", "int64[3] = [2, 5, 8]"},
        RuleRow{"ArangeOfFormulas", "(%n: int(s0)) { %r = aten::arange.start_step(1, %n, 2) return %r }",
                "int64[ceildiv(s0 - 1, 2)]"},
        RuleRow{"ArangeOfFloatsAsIntegers",
                "() { %r = aten::arange.start_step(0.0, -8.5, -4.0, dtype=int64) "
                "%s = aten::arange.start_step(-0.9, 2.1, 2.0, dtype=int32) return %r, %s }",
                "int64[2] = [0, -4]; int32[2]"},
        RuleRow{"ArangeBackwards", "() { %r = aten::arange.start_step(9, 2, -3) return %r }", "int64[3] = [9, 6, 3]"},
        RuleRow{"ArangeOfFloats", "() { %r = aten::arange.start_step(0, 1, 0.25) return %r }", "float32[4]"},
        RuleRow{"ArangeAsFloats", "() { %r = aten::arange(5, dtype=float32) return %r }", "float32[5]"},
        RuleRow{"ArangeCutsToLongIntegersFirst",
                "() { %r = aten::arange(2.5, dtype=int64) %s = aten::arange(2.5, dtype=int32) return %r, %s }",
                "int64[2] = [0, 1]; int32[3] = [0, 1, 2]"},
        RuleRow{"ArangeOfSomeNumber", "(%n) { %r = aten::arange(%n) return %r }", "tensor[?]"},
        RuleRow{"ClosedRange", "() { %r = aten::range(0, 4) return %r }", "float32[5]"},
        RuleRow{"Linspace", "() { %r = aten::linspace(0, 1, 7) return %r }", "float32[7]"},
        RuleRow{"Eye", "(%n: int(s0)) { %r = aten::eye(%n) %s = aten::eye.m(2, 3) return %r, %s }",
                "float32[s0, s0]; float32[2, 3]"},
        RuleRow{"LowerTriangle", "() { %r = aten::tril_indices(3, 4) return %r }", "int64[2, 6]"},
        RuleRow{"LowerTriangleBelow", "() { %r = aten::tril_indices(4, 2, -1) return %r }", "int64[2, 5]"},
        RuleRow{"UpperTriangle", "() { %r = aten::triu_indices(3, 4, 1) return %r }", "int64[2, 6]"},
        RuleRow{"TensorOfLists", "() { %r = aten::tensor([[1, 2, 3], [4, 5, 6]]) return %r }",
                "int64[2, 3] = [1, 2, 3, 4, 5, 6]"},
        RuleRow{"TensorOfFloats", "() { %r = aten::tensor([1, 2.5]) return %r }", "float32[2] = [1, 2.5]"},
        RuleRow{"TensorOfOneNumber", "() { %r = aten::tensor.float(2.5) return %r }", "float32[] = [2.5]"},
        RuleRow{"RaggedLists", "() { %r = aten::tensor([[1, 2], [3]]) return %r }",
                "!the list's items are not known unknown"},
        RuleRow{"ScalarTensor", "(%n: int(s0)) { %r = aten::scalar_tensor(%n, dtype=int64) return %r }",
                "int64[] = [s0]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, Creation,
    testing::Values(
        RuleRow{"ConstantOfInts", "() { %r = onnx::Constant(value_ints=[1, 2]) return %r }", "int64[2] = [1, 2]"},
        RuleRow{"ConstantOfFloats", "() { %r = onnx::Constant(value_floats=[1.0, 2.5]) return %r }",
                "float32[2] = [1, 2.5]"},
        RuleRow{"OfShape", "() { %s = onnx::Constant(value_ints=[2, 3]) %r = onnx::ConstantOfShape(%s) return %r }",
                "float32[2, 3]"},
        RuleRow{"OfAnUnknownShape", "(%s: int64[3]) { %r = onnx::ConstantOfShape(%s) return %r }", "float32[?, ?, ?]"},
        RuleRow{"Range",
                "() { %a = onnx::Constant(value_int=1) %b = onnx::Constant(value_int=9) %c = "
                "onnx::Constant(value_int=4) %r = onnx::Range(%a, %b, %c) return %r }",
                "int64[2] = [1, 5]"},
        RuleRow{
            "RangeThatDataDecides",
            "(%a: int64[], %b: int64[]) { %c = onnx::Constant(value_int=4) %r = onnx::Range(%a, %b, %c) return %r }",
            "int64[u_0]"},
        RuleRow{"EyeLike", "(%x: int32[3, s0]) { %r = onnx::EyeLike(%x, dtype=1) return %r }", "float32[3, s0]"},
        RuleRow{
            "OfTooManyElements",
            "() { %s = onnx::Constant(value_ints=[4611686018427387904, 2]) %r = onnx::ConstantOfShape(%s) return %r }",
            "!a tensor of shape [4611686018427387904, 2] has more elements than 63 bits count "
            "float32[4611686018427387904, 2]"}),
    rowName);

} // namespace

} // namespace cutaway::test
