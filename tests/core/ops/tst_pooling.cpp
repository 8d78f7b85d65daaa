// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Pooling : public testing::TestWithParam<RuleRow> { };

TEST_P(Pooling, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// The stride is the kernel unless it is given; each result comes from a whole window.
INSTANTIATE_TEST_SUITE_P(
    Torch, Pooling,
    testing::Values(
        RuleRow{"Plain", "(%x: float32[2, 3, 9, s0]) { %r = aten::max_pool2d.default(%x, [2, 3]) return %r }",
                "float32[2, 3, 4, (s0 - 3)//3 + 1]"},
        RuleRow{
            "StrideAndPadding",
            "(%x: float32[1, 64, 112, 112]) { %r = aten::max_pool2d.default(%x, [3, 3], [2, 2], [1, 1]) return %r }",
            "float32[1, 64, 56, 56]", "0/1806336"},
        RuleRow{"Ceiling",
                "(%x: float32[1, 1, 10, s0]) { %r = aten::max_pool2d.default(%x, [3, 3], [2, 2], [0, 0], [1, 1], true) "
                "return %r }",
                "float32[1, 1, 5, (s0 - 2)//2 + 1]"},
        RuleRow{"LastWindowStartsInside",
                "(%x: float32[1, 2, 3]) { %r = aten::avg_pool1d.default(%x, [2], [3], [1], true) return %r }",
                "float32[1, 2, 2]"},
        RuleRow{"LastWindowOfASymbol",
                "(%x: float32[1, 2, s0]) { %r = aten::avg_pool1d.default(%x, [1], [3], [0], true) return %r }",
                "float32[1, 2, min((s0 + 1)//3 + 1, ceildiv(s0, 3))]"},
        RuleRow{"Indices",
                "(%x: float32[3, 8]) { %r, %r1 = aten::max_pool1d_with_indices.default(%x, [2]) return %r, %r1 }",
                "float32[3, 4]; int64[3, 4]"},
        RuleRow{"Unbatched", "(%x: float32[3, 8, 8, 8]) { %r = aten::avg_pool3d.default(%x, 2) return %r }",
                "float32[3, 4, 4, 4]"},
        RuleRow{"Adaptive",
                "(%x: float32[s0, 3, s1, 9]) { %r = aten::adaptive_avg_pool2d.default(%x, [1, 5]) return %r }",
                "float32[s0, 3, 1, 5]", "0/27*s0*s1"},
        RuleRow{"AdaptiveIndices",
                "(%x: float32[3, 9]) { %r, %r1 = aten::adaptive_max_pool1d.default(%x, [5]) return %r, %r1 }",
                "float32[3, 5]; int64[3, 5]"},
        RuleRow{"Fractional",
                "(%x: float32[2, 3, 9, 9], %s: float32[2, 3, 2]) { %r, %r1 = aten::fractional_max_pool2d.default(%x, "
                "[2, 2], [4, 5], %s) return %r, %r1 }",
                "float32[2, 3, 4, 5]; int64[2, 3, 4, 5]"},
        RuleRow{"Unpooled",
                "(%x: float32[2, 3, 4, 4], %i: int64[2, 3, 4, 4]) { %r = aten::max_unpool2d.default(%x, %i, [8, 9]) "
                "return %r }",
                "float32[2, 3, 8, 9]", "0/0"},
        RuleRow{"TooSmallWithoutTheCeiling",
                "(%x: float32[1, 1, 1, 9]) { %r = aten::max_pool2d.default(%x, [2, 3], [2, 3], [0, 0], [1, 1], true) "
                "return %r }",
                "float32[1, 1, 1, 3]"},
        RuleRow{"TooSmall", "(%x: float32[1, 1, 1, 9]) { %r = aten::max_pool2d.default(%x, [4, 3], [2, 2]) return %r }",
                "!the kernel does not fit into [1, 1, 1, 9] unknown"},
        RuleRow{"RankTooLow", "(%x: float32[9]) { %r = aten::max_pool2d.default(%x, [2, 2]) return %r }",
                "!an input of 1 dimensions cannot be pooled unknown"},
        RuleRow{"UnknownKernel",
                "(%x: float32[1, 1, 9, 9], %k: list<int>) { %r = aten::max_pool2d.default(%x, %k) return %r }",
                "!kernel, stride or padding is not known unknown", "0/?"}),
    rowName);

// All but batch and channels are pooled.
INSTANTIATE_TEST_SUITE_P(
    Onnx, Pooling,
    testing::Values(
        RuleRow{"Plain", "(%x: float32[1, 3, 32, s0]) { %r = onnx::MaxPool(%x, kernel_shape=[2, 2]) return %r }",
                "float32[1, 3, 31, s0 - 1]"},
        RuleRow{"Indices",
                "(%x: float32[1, 1, 5, 5]) { %r, %r1 = onnx::MaxPool(%x, kernel_shape=[5, 5], pads=[2, 2, 2, 2]) "
                "return %r, %r1 }",
                "float32[1, 1, 5, 5]; int64[1, 1, 5, 5]"},
        RuleRow{"Ceiling",
                "(%x: float32[1, 1, 4, 4]) { %r = onnx::MaxPool(%x, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1) "
                "return %r }",
                "float32[1, 1, 2, 2]"},
        RuleRow{"LastWindowStartsInside",
                "(%x: float32[1, 1, 2, 2]) { %r = onnx::MaxPool(%x, kernel_shape=[1, 1], strides=[2, 2], ceil_mode=1) "
                "return %r }",
                "float32[1, 1, 1, 1]"},
        RuleRow{"Dilated",
                "(%x: float32[1, 1, 4, 4]) { %r = onnx::MaxPool(%x, kernel_shape=[2, 2], dilations=[2, 2]) return %r }",
                "float32[1, 1, 2, 2]"},
        RuleRow{
            "Same",
            R"((%x: float32[1, 3, 5, 5]) { %r = onnx::AveragePool(%x, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER") return %r })",
            "float32[1, 3, 3, 3]", "0/243"},
        RuleRow{"Global", "(%x: float32[s0, 3, 7, 7]) { %r = onnx::GlobalAveragePool(%x) return %r }",
                "float32[s0, 3, 1, 1]", "0/147*s0"},
        RuleRow{"Unpooled",
                "(%x: float32[1, 1, 2, 2], %i: int64[1, 1, 2, 2]) { %r = onnx::MaxUnpool(%x, %i, kernel_shape=[2, 2], "
                "strides=[2, 2]) return %r }",
                "float32[1, 1, 4, 4]"},
        RuleRow{"UnpooledToAShape",
                "(%x: float32[1, 1, 2, 2], %i: int64[1, 1, 2, 2]) { %r = onnx::MaxUnpool(%x, %i, [1, 1, 5, 5], "
                "kernel_shape=[2, 2]) return %r }",
                "float32[1, 1, 5, 5]"},
        RuleRow{"OnnxEmptyKernel",
                "(%x: float32[1, 3, 8, 8]) { %r = onnx::MaxPool(%x, kernel_shape=[0, 0]) return %r }",
                "!kernel, stride and dilation are at least 1 unknown"}),
    rowName);

} // namespace

} // namespace cutaway::test
