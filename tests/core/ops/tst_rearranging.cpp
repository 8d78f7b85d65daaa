// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Rearranging : public testing::TestWithParam<RuleRow> { };

TEST_P(Rearranging, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Rearranging,
    testing::Values(
        RuleRow{"Flip", "(%x: float32[2, s0]) { %r = aten::flip(%x, [0]) return %r }", "float32[2, s0]", "0/0"},
        RuleRow{"FlipElements", "() { %x = aten::tensor([[1, 2], [3, 4]]) %r = aten::flip(%x, [1]) return %r }",
                "int64[2, 2] = [2, 1, 4, 3]"},
        RuleRow{"RollElements", "() { %x = aten::tensor([1, 2, 3]) %r = aten::roll(%x, [1], [0]) return %r }",
                "int64[3] = [3, 1, 2]"},
        RuleRow{"RollAll", "(%x: float32[2, 3]) { %r = aten::roll(%x, [1]) return %r }", "float32[2, 3]"},
        RuleRow{"Rotate", "(%x: float32[2, s0]) { %r = aten::rot90(%x, 1, [0, 1]) return %r }", "float32[s0, 2]"},
        RuleRow{"RotateTwice", "(%x: float32[2, 3]) { %r = aten::rot90(%x, -2, [0, 1]) return %r }", "float32[2, 3]"},
        RuleRow{"Triangle", "(%x: float32[2, s0]) { %r = aten::tril(%x) return %r }", "float32[2, s0]"},
        RuleRow{"Diagonal", "(%x: float32[5, 3, 4]) { %r = aten::diagonal(%x, 1, 1, 2) return %r }", "float32[5, 3]"},
        RuleRow{"DiagonalBelow", "(%x: float32[3, 4]) { %r = aten::diagonal(%x, -1) return %r }", "float32[2]"},
        RuleRow{"DiagonalElements", "() { %x = aten::tensor([[1, 2], [3, 4]]) %r = aten::diagonal(%x) return %r }",
                "int64[2] = [1, 4]"},
        RuleRow{"DiagonalOfOneDimension", "(%x: float32[3, 4]) { %r = aten::diagonal(%x, 0, 1, 1) return %r }",
                "!the diagonal of one dimension unknown"},
        RuleRow{"MatrixOfAVector", "(%x: float32[s0]) { %r = aten::diag(%x, -1) return %r }",
                "float32[s0 + 1, s0 + 1]"},
        RuleRow{"VectorOfAMatrix", "(%x: float32[3, 3]) { %r = aten::diag(%x) return %r }", "float32[3]"},
        RuleRow{"DiagonalMatrices", "(%x: float32[2, 3]) { %r = aten::diag_embed(%x, 1, 0, 2) return %r }",
                "float32[4, 2, 4]"},
        RuleRow{"Strided", "(%x: float32[12]) { %r = aten::as_strided(%x, [3, 2], [4, 1]) return %r }",
                "float32[3, 2]"},
        RuleRow{"Unfold", "(%x: float32[2, 7]) { %r = aten::unfold(%x, 1, 3, 2) return %r }", "float32[2, 3, 3]"},
        RuleRow{"UnfoldTooLarge", "(%x: float32[2]) { %r = aten::unfold(%x, 0, 3, 1) return %r }",
                "!a window of 3 on 2 elements unknown"},
        RuleRow{"ColumnsOfAnImage",
                "(%x: float32[s0, 3, 8, 8]) { %r = aten::im2col(%x, [3, 3], [1, 1], [1, 1], [2, 2]) return %r }",
                "float32[s0, 27, 16]"},
        RuleRow{"ImageOfColumns",
                "(%x: float32[s0, 27, 16]) { %r = aten::col2im(%x, [8, 8], [3, 3], [1, 1], [1, 1], [2, 2]) return %r }",
                "float32[s0, 3, 8, 8]"},
        RuleRow{"OnnxImageOfColumns",
                "(%x: float32[1, 5, 5]) { %s = aten::tensor([5, 5]) %b = aten::tensor([1, 5]) %r = onnx::Col2Im(%x, "
                "%s, %b) "
                "return %r }",
                "float32[1, 1, 5, 5]"},
        RuleRow{"PixelShuffle", "(%x: float32[s0, 8, 3, 4]) { %r = aten::pixel_shuffle(%x, 2) return %r }",
                "float32[s0, 2, 6, 8]"},
        RuleRow{"PixelShuffleOfTooFew", "(%x: float32[1, 6, 3, 4]) { %r = aten::pixel_shuffle(%x, 2) return %r }",
                "!the channels of [1, 6, 3, 4] are no multiple of 4 unknown"},
        RuleRow{"PixelUnshuffle", "(%x: float32[2, 6, 2*s0]) { %r = aten::pixel_unshuffle(%x, 2) return %r }",
                "float32[8, 3, s0]"},
        RuleRow{"DepthToSpace", "(%x: float32[1, 8, 2, 3]) { %r = onnx::DepthToSpace(%x, blocksize=2) return %r }",
                "float32[1, 2, 4, 6]"},
        RuleRow{"SpaceToDepth", "(%x: float32[1, 2, 4, 6]) { %r = onnx::SpaceToDepth(%x, blocksize=2) return %r }",
                "float32[1, 8, 2, 3]"},
        RuleRow{"OnnxWindows",
                "(%x: float32[2, 9]) { %r = com.microsoft::UnfoldTensor(%x, size=3) %s = "
                "com.microsoft::UnfoldTensor(%x, dim=0, size=2, step=2) return %r, %s }",
                "float32[2, 7, 3]; float32[1, 9, 2]"}),
    rowName);

} // namespace

} // namespace cutaway::test
