// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class NormalizeOperators : public ::testing::TestWithParam<PassRow> { };

TEST_P(NormalizeOperators, writesThemInOneForm) { expectRow("normalize-operators", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, NormalizeOperators,
    ::testing::Values(
        PassRow{"anAlias", "(%x: float32[2]) { %r = aten::absolute(self=%x) return %r }",
                "(%x: float32[2]) { %r = aten::abs(self=%x) return %r }"},
        PassRow{"anAliasInPlace", "(%x: float32[2]) { %r = aten::absolute_(self=%x) return %r }",
                "(%x: float32[2]) { %r = aten::abs_(self=%x) return %r }"},
        PassRow{"anAliasWhoseArgumentsHaveOtherNames",
                "(%x: float32[2, 3]) { %r = aten::swapaxes(self=%x, axis0=0, axis1=1) return %r }",
                "(%x: float32[2, 3]) { %r = aten::transpose.int(self=%x, dim0=0, dim1=1) return %r }"},
        PassRow{"aTracedConvolution",
                R"((%x: float32[1, 3, 8, 8], %w: float32[4, 3, 3, 3]) {
                     %r = aten::_convolution(input=%x, weight=%w, bias=none, stride=[1, 1], padding=[0, 0],
                       dilation=[1, 1], transposed=false, output_padding=[0, 0], groups=1, benchmark=false,
                       deterministic=false, cudnn_enabled=true, allow_tf32=true) return %r })",
                R"((%x: float32[1, 3, 8, 8], %w: float32[4, 3, 3, 3]) {
                     %r = aten::conv2d(input=%x, weight=%w, bias=none, stride=[1, 1], padding=[0, 0],
                       dilation=[1, 1], groups=1) return %r })"},
        PassRow{"butNotATransposedOne",
                R"((%x: float32[1, 3, 8, 8], %w: float32[3, 4, 3, 3]) {
                     %r = aten::convolution(input=%x, weight=%w, bias=none, stride=[1, 1], padding=[0, 0],
                       dilation=[1, 1], transposed=true, output_padding=[0, 0], groups=1) return %r })",
                ""},
        PassRow{"aDifferenceTurnedAround",
                "(%x: float32[2], %y: float32[2]) { %r = aten::rsub.Tensor(self=%x, other=%y, alpha=2) return %r }",
                "(%x: float32[2], %y: float32[2]) { %r = aten::sub.Tensor(self=%y, other=%x, alpha=2) return %r }"},
        PassRow{"aSumOfTwoOfOnnx", "(%x: float32[2]) { %r = onnx::Sum(%x, %x) return %r }",
                "(%x: float32[2]) { %r = onnx::Add(%x, %x) return %r }"},
        PassRow{"butNotASumOfThree", "(%x: float32[2]) { %r = onnx::Sum(%x, %x, %x) return %r }", ""},
        PassRow{"butNotOfAnotherWorld", "(%x: float32[2]) { %r = my::absolute(%x) return %r }", ""}),
    rowName);

} // namespace
} // namespace cutaway::test
