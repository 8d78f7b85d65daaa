// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class MatrixProduct : public testing::TestWithParam<RuleRow> { };

TEST_P(MatrixProduct, infers)
{
    const std::string header = "opset \"ai.onnx\" 13\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Torch, MatrixProduct,
    testing::Values(
        RuleRow{"Mm", "(%x: float32[3, 4], %y: float32[4, 5]) { %r = aten::mm(%x, %y) return %r }", "float32[3, 5]",
                "120/0"},
        RuleRow{"MmOfSymbols", "(%x: float32[s0, 4], %y: float32[4, s1]) { %r = aten::mm(%x, %y) return %r }",
                "float32[s0, s1]", "8*s0*s1/0"},
        RuleRow{"MmDoesNotFit", "(%x: float32[3, 4], %y: float32[5, 4]) { %r = aten::mm(%x, %y) return %r }",
                "!cannot multiply [3, 4] by [5, 4] unknown", "?/0"},
        RuleRow{"MmOfABatch", "(%x: float32[2, 3, 4], %y: float32[4, 5]) { %r = aten::mm(%x, %y) return %r }",
                "!expected 2 dimensions, found [2, 3, 4] unknown"},
        RuleRow{"MmIntoADType",
                "(%x: float16[3, 4], %y: float16[4, 5]) { %r = aten::mm.dtype(%x, %y, float32) return %r }",
                "float32[3, 5]"},
        RuleRow{"MmOfNobodyKnows", "(%x: float32[*], %y: float32[4, 5]) { %r = aten::mm(%x, %y) return %r }",
                "!the number of dimensions of a factor is not known float32", "?/0"},
        RuleRow{"IntMm", "(%x: int8[3, 4], %y: int8[4, 5]) { %r = aten::_int_mm(%x, %y) return %r }", "int32[3, 5]",
                "0/120"},
        RuleRow{"Bmm", "(%x: float32[2, 3, 4], %y: float32[2, 4, 5]) { %r = aten::bmm(%x, %y) return %r }",
                "float32[2, 3, 5]", "240/0"},
        RuleRow{"MatmulBroadcasts",
                "(%x: float32[7, 1, 3, 4], %y: float32[2, 4, 5]) { %r = aten::matmul(%x, %y) return %r }",
                "float32[7, 2, 3, 5]", "1680/0"},
        RuleRow{"MatmulOfVectors", "(%x: float32[4], %y: float32[4]) { %r = aten::matmul(%x, %y) return %r }",
                "float32[]", "0/8"},
        RuleRow{"RowTimesMatrix", "(%x: float32[4], %y: float32[4, 5]) { %r = aten::matmul(%x, %y) return %r }",
                "float32[5]", "40/0"},
        RuleRow{"MatrixTimesColumn", "(%x: float32[2, 3, 4], %y: float32[4]) { %r = aten::matmul(%x, %y) return %r }",
                "float32[2, 3]", "0/48"},
        RuleRow{"MatmulOfANumber", "(%x: float32[], %y: float32[4]) { %r = aten::matmul(%x, %y) return %r }",
                "!cannot multiply [] by [4] unknown"},
        RuleRow{"Mv", "(%x: float32[3, 4], %y: float32[4]) { %r = aten::mv(%x, %y) return %r }", "float32[3]", "0/24"},
        RuleRow{"Dot", "(%x: float32[4], %y: float32[4]) { %r = aten::dot(%x, %y) return %r }", "float32[]", "0/4"},
        RuleRow{"DotDoesNotFit", "(%x: float32[4], %y: float32[5]) { %r = aten::dot(%x, %y) return %r }",
                "!expected two vectors of one size, found [4] and [5] unknown"},
        RuleRow{"Outer", "(%x: int64[4], %y: float32[s0]) { %r = aten::outer(%x, %y) return %r }", "float32[4, s0]",
                "0/4*s0"},
        RuleRow{"Addmm",
                "(%b: float32[5], %x: float32[3, 4], %y: float32[4, 5]) { %r = aten::addmm(%b, %x, %y) return %r }",
                "float32[3, 5]", "120/0"},
        RuleRow{"AddmmByName",
                "(%b: float32[5], %x: float32[3, 4], %y: float32[4, 5]) "
                "{ %r = aten::addmm(mat2=%y, self=%b, mat1=%x) return %r }",
                "float32[3, 5]", "120/0"},
        RuleRow{"AddmmOfAWrongBias",
                "(%b: float32[6], %x: float32[3, 4], %y: float32[4, 5]) { %r = aten::addmm(%b, %x, %y) return %r }",
                "!cannot add [6] to [3, 5] unknown"},
        RuleRow{"Baddbmm",
                "(%b: float32[2, 3, 5], %x: float32[2, 3, 4], %y: float32[2, 4, 5]) "
                "{ %r = aten::baddbmm(%b, %x, %y) return %r }",
                "float32[2, 3, 5]", "240/0"},
        RuleRow{"AddbmmSumsTheBatch",
                "(%b: float32[3, 5], %x: float32[2, 3, 4], %y: float32[2, 4, 5]) "
                "{ %r = aten::addbmm(%b, %x, %y) return %r }",
                "float32[3, 5]", "0/240"},
        RuleRow{"Addmv",
                "(%b: float32[3], %x: float32[3, 4], %y: float32[4]) { %r = aten::addmv(%b, %x, %y) return %r }",
                "float32[3]", "0/24"},
        RuleRow{"Addr", "(%b: float32[3, 4], %x: float32[3], %y: float32[4]) { %r = aten::addr(%b, %x, %y) return %r }",
                "float32[3, 4]", "0/12"},
        RuleRow{"Linear",
                "(%x: float32[s0, 7, 4], %w: float32[5, 4], %b: float32[5]) "
                "{ %r = aten::linear(%x, %w, %b) return %r }",
                "float32[s0, 7, 5]", "280*s0/35*s0"},
        RuleRow{"LinearWithoutBias", "(%x: float32[4], %w: float32[5, 4]) { %r = aten::linear(%x, %w) return %r }",
                "float32[5]", "40/0"},
        RuleRow{"LinearOfAVector", "(%x: float32[3, 4], %w: float32[4]) { %r = aten::linear(%x, %w) return %r }",
                "float32[3]", "0/24"},
        RuleRow{"LinearDoesNotFit", "(%x: float32[3, 6], %w: float32[5, 4]) { %r = aten::linear(%x, %w) return %r }",
                "!cannot multiply [3, 6] by [4, 5] unknown"},
        RuleRow{"Inner", "(%x: float32[2, 4], %y: float32[3, 4]) { %r = aten::inner(%x, %y) return %r }",
                "float32[2, 3]", "48/0"},
        RuleRow{"Trilinear",
                "(%a: float32[2, 3], %w: float32[5, 3, 4], %b: float32[2, 4]) "
                "{ %r = aten::_trilinear(%a, %w, %b, [1, 3], [0], [1, 2], [2, 3]) return %r }",
                "float32[2, 5]"},
        RuleRow{"Bilinear",
                "(%x: float32[7, 3], %y: float32[7, 4], %w: float32[5, 3, 4]) "
                "{ %r = aten::bilinear(%x, %y, %w) return %r }",
                "float32[7, 5]", "0/840"},
        RuleRow{"Einsum",
                "(%x: float32[2, 3, 4], %y: float32[2, 4, s0]) "
                "{ %r = aten::einsum(\"bij,bjk->bik\", [%x, %y]) return %r }",
                "float32[2, 3, s0]", "48*s0/0"},
        RuleRow{"EinsumWithoutProduct", "(%x: float32[2, 3]) { %r = aten::einsum(\"ij->ji\", [%x]) return %r }",
                "float32[3, 2]", "0/6"},
        RuleRow{"EinsumDoesNotFit", "(%x: float32[2, 3]) { %r = aten::einsum(\"ijk->ji\", [%x]) return %r }",
                "!einsum's equation names 3 dimensions of an operand that has 2 unknown"},
        RuleRow{"EinsumOfSublists",
                "(%x: float32[2, 3], %y: float32[3, 4]) "
                "{ %r = aten::einsum.sublist(%x, [0, 1], %y, [1, 2], [2, 0]) return %r }",
                "float32[4, 2]", "48/0"},
        RuleRow{"Tensordot",
                "(%x: float32[2, 3, 4], %y: float32[4, 3, 5]) "
                "{ %r = aten::tensordot(%x, %y, [2, 1], [0, 1]) return %r }",
                "float32[2, 5]", "240/0"},
        RuleRow{"TensordotFromTheEnd",
                "(%x: float32[2, 3], %y: float32[3, 5]) "
                "{ %r = aten::tensordot(%x, %y, [-1], [0]) return %r }",
                "float32[2, 5]", "60/0"},
        RuleRow{"MultiDotOfTwo",
                "(%x: float32[2, 3], %y: float32[3]) { %r = aten::linalg_multi_dot([%x, %y]) return %r }", "float32[2]",
                "12/0"},
        // 10·30·5 and then 10·5·60 are fewer than 30·5·60 and 10·30·60
        RuleRow{"MultiDotInTheBestOrder",
                "(%x: float32[10, 30], %y: float32[30, 5], %z: float32[5, 60]) "
                "{ %r = aten::linalg_multi_dot([%x, %y, %z]) return %r }",
                "float32[10, 60]", "9000/0"},
        RuleRow{"MultiDotWithVectors",
                "(%x: float32[3], %y: float32[3, 5], %z: float32[5]) "
                "{ %r = aten::linalg_multi_dot([%x, %y, %z]) return %r }",
                "float32[]", "36/0"},
        RuleRow{"MultiDotOfSymbols",
                "(%x: float32[s0, 3], %y: float32[3, 4]) { %r = aten::linalg_multi_dot([%x, %y]) return %r }",
                "float32[s0, 4]", "24*s0/0"},
        RuleRow{"Kron", "(%x: float32[2, 3], %y: float32[4]) { %r = aten::kron(%x, %y) return %r }", "float32[2, 12]",
                "0/24"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, MatrixProduct,
    testing::Values(
        RuleRow{"MatMul", "(%x: float32[s0, 3, 4], %y: float32[4, 5]) { %r = onnx::MatMul(%x, %y) return %r }",
                "float32[s0, 3, 5]", "120*s0/0"},
        RuleRow{"Gemm",
                "(%x: float32[4, 3], %y: float32[5, 4], %c: float32[5]) "
                "{ %r = onnx::Gemm(%x, %y, %c, transA=1, transB=1) return %r }",
                "float32[3, 5]", "120/15"},
        RuleRow{"GemmDoesNotFit", "(%x: float32[4, 3], %y: float32[5, 4]) { %r = onnx::Gemm(%x, %y) return %r }",
                "!cannot multiply [4, 3] by [5, 4] unknown"},
        RuleRow{"GemmOfAWrongBias",
                "(%x: float32[3, 4], %y: float32[4, 5], %c: float32[4]) "
                "{ %r = onnx::Gemm(%x, %y, %c) return %r }",
                "!cannot add [4] to [3, 5] unknown"},
        RuleRow{"OnnxEinsum",
                "(%x: float32[2, 3], %y: float32[3, 4]) { %r = onnx::Einsum(%x, %y, equation=\"ij,jk\") return %r }",
                "float32[2, 4]", "48/0"},
        RuleRow{"MatMulInteger", "(%x: uint8[3, 4], %y: int8[4, 5]) { %r = onnx::MatMulInteger(%x, %y) return %r }",
                "int32[3, 5]", "120/0"},
        RuleRow{"QLinearMatMul",
                "(%x: uint8[3, 4], %s: float32[], %z: uint8[], %y: int8[4, 5], %o: int8[]) "
                "{ %r = onnx::QLinearMatMul(%x, %s, %z, %y, %s, %z, %s, %o) return %r }",
                "int8[3, 5]", "120/0"},
        RuleRow{"FusedMatMul",
                "(%x: float32[2, 4, 3], %y: float32[2, 5, 4]) "
                "{ %r = com.microsoft::FusedMatMul(%x, %y, transA=1, transB=1) return %r }",
                "float32[2, 3, 5]", "240/0"},
        RuleRow{"FusedMatMulOfTurnedBatch",
                "(%x: float32[3, 2, 4], %y: float32[2, 4, 5]) "
                "{ %r = com.microsoft::FusedMatMul(%x, %y, transBatchA=1) return %r }",
                "float32[2, 3, 5]"},
        RuleRow{"MatMulNBits",
                "(%x: float16[1, s0, 64], %w: uint8[32, 2, 16], %s: float16[64]) "
                "{ %r = com.microsoft::MatMulNBits(%x, %w, %s, K=64, N=32, bits=4, block_size=32) return %r }",
                "float16[1, s0, 32]", "4096*s0/0"},
        RuleRow{"MatMulIntegerToFloat",
                "(%x: uint8[3, 4], %y: int8[4, 5], %s: float16[]) "
                "{ %r = com.microsoft::MatMulIntegerToFloat(%x, %y, %s, %s) return %r }",
                "float16[3, 5]"},
        RuleRow{"QGemm",
                "(%x: uint8[3, 4], %s: float32[], %z: uint8[], %y: int8[4, 5]) "
                "{ %r = com.microsoft::QGemm(%x, %s, %z, %y, %s, %z) return %r }",
                "float32[3, 5]", "120/0"},
        RuleRow{"OnnxOrdered",
                "(%x: int8[s0, 64], %s: float32[], %w: int8[64, 32]) { %r = com.microsoft::QOrderedMatMul(%x, %s, %w, "
                "%s, %s) return %r }",
                "int8[s0, 32]", "4096*s0/0"},
        RuleRow{"OnnxPackedShapeIsAnInput",
                "(%x: float32[s0, 64], %w: uint8[999]) { %r = com.microsoft::MatMulFpQ4(%x, %w, [64, 32]) return %r }",
                "float32[s0, 32]", "4096*s0/0"}),
    rowName);

} // namespace

} // namespace cutaway::test
