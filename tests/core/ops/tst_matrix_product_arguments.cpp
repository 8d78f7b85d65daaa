// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/matrix_product_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string print(const ops::MatrixProductArguments &given)
{
    Fields fields;
    fields.position("a", given.a);
    fields.position("b", given.b);
    fields.position("added", given.added);
    fields.flag("transpose a", given.transposeA, false);
    fields.flag("transpose b", given.transposeB, false);
    fields.flag("transpose batch a", given.transposeBatchA, false);
    fields.flag("transpose batch b", given.transposeBatchB, false);
    fields.number("alpha", given.alpha, 1);
    fields.number("beta", given.beta, 1);
    return std::move(fields).text();
}

class MatrixProductArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(MatrixProductArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::matrixProductArguments(call)); }),
              GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, MatrixProductArguments,
    testing::Values(
        ArgumentsRow{"Plain", "(%a: float32[2, 3], %b: float32[3, 4]) { %r = aten::mm(%a, %b) return %r }",
                     "a #0, b #1"},
        ArgumentsRow{"Added",
                     "(%c: float32[4], %a: float32[2, 3], %b: float32[3, 4]) { %r = aten::addmm(%c, %a, %b, beta=0.5, "
                     "alpha=2) return %r }",
                     "a #1, b #2, added #0, alpha 2, beta 0.5"},
        ArgumentsRow{"NobodyKnowsTheFactor",
                     "(%c: float32[4], %a: float32[2, 3], %b: float32[3, 4], %s: float) { %r = aten::addmm(%c, %a, %b, "
                     "alpha=%s) return %r }",
                     "a #1, b #2, added #0, alpha ?"},
        ArgumentsRow{"Linear", "(%a: float32[2, 3], %b: float32[4, 3]) { %r = aten::linear(%a, %b) return %r }",
                     "a #0, b #1, added #2, transpose b"},
        ArgumentsRow{
            "MkldnnWithAnotherTensor",
            R"((%a: float32[2, 3], %o: float32[2, 4], %b: float32[4, 3]) { %r = mkldnn::_linear_pointwise.binary(%a, %o, %b, none, "add") return %r })",
            "a #0, b #2, added #3, transpose b"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, MatrixProductArguments,
    testing::Values(
        ArgumentsRow{"Plain", "(%a: float32[2, 3], %b: float32[3, 4]) { %r = onnx::MatMul(%a, %b) return %r }",
                     "a #0, b #1"},
        ArgumentsRow{"Gemm",
                     "(%a: float32[3, 2], %b: float32[4, 3]) { %r = onnx::Gemm(%a, %b, transA=1, transB=1, alpha=0.5, "
                     "beta=0.0) return %r }",
                     "a #0, b #1, added #2, transpose a, transpose b, alpha 0.5, beta 0"},
        ArgumentsRow{
            "Quantized",
            "(%a: uint8[2, 3], %s: float32[], %z: uint8[], %b: uint8[3, 4]) { %r = onnx::QLinearMatMul(%a, %s, "
            "%z, %b, %s, %z, %s, %z) return %r }",
            "a #0, b #3"},
        ArgumentsRow{"QuantizedGemm",
                     "(%a: uint8[2, 3], %s: float32[], %z: uint8[], %b: uint8[4, 3]) { %r = com.microsoft::QGemm(%a, "
                     "%s, %z, %b, %s, %z, transB=1) return %r }",
                     "a #0, b #3, added #6, transpose b"},
        ArgumentsRow{"Fused",
                     "(%a: float32[2, 3], %b: float32[3, 4]) { %r = com.microsoft::FusedMatMul(%a, %b, alpha=0.125) "
                     "return %r }",
                     "a #0, b #1, alpha 0.125"}),
    rowName);

} // namespace
} // namespace cutaway::test
