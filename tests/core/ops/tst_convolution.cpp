// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Convolution : public testing::TestWithParam<RuleRow> { };

TEST_P(Convolution, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// Windows slide over the last dimensions; the counter takes 2 per multiply-add, without the bias.
INSTANTIATE_TEST_SUITE_P(
    Torch, Convolution,
    testing::Values(
        RuleRow{"Plain",
                "(%x: float32[2, 3, 32, 32], %w: float32[8, 3, 3, 3], %b: float32[8]) { %r = aten::conv2d.default(%x, "
                "%w, %b, [2, 2], [1, 1]) return %r }",
                "float32[2, 8, 16, 16]", "221184/0"},
        RuleRow{"Symbolic",
                "(%x: float32[s0, 3, 32, s1], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w, none, [2, "
                "1], [1, 0], [1, 2]) return %r }",
                "float32[s0, 8, 16, s1 - 4]"},
        RuleRow{"OneNumberForAll",
                "(%x: float32[1, 3, 9, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w, none, [2]) "
                "return %r }",
                "float32[1, 8, 4, 4]"},
        RuleRow{"Unbatched",
                "(%x: float32[3, 9, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w) return %r }",
                "float32[8, 7, 7]", "21168/0"},
        RuleRow{"Grouped",
                "(%x: float32[1, 8, 10], %w: float32[4, 2, 3]) { %r = aten::conv1d.default(%x, %w, none, [1], [0], "
                "[1], 4) return %r }",
                "float32[1, 4, 8]", "384/0"},
        RuleRow{
            "Same",
            R"((%x: float32[1, 3, s0, 9], %w: float32[8, 3, 4, 3]) { %r = aten::conv2d.padding(%x, %w, none, [1, 1], "same") return %r })",
            "float32[1, 8, s0, 9]", "5184*s0/0"},
        RuleRow{
            "Valid",
            R"((%x: float32[1, 3, s0, 9], %w: float32[8, 3, 4, 3]) { %r = aten::conv2d.padding(%x, %w, none, [1, 1], "valid") return %r })",
            "float32[1, 8, s0 - 3, 7]"},
        RuleRow{
            "Mode",
            R"((%x: float32[1, 3, 9], %w: float32[8, 3, 3]) { %r = aten::_convolution_mode(%x, %w, none, [1], "same", [1], 1) return %r })",
            "float32[1, 8, 9]"},
        RuleRow{
            "Volume",
            "(%x: float16[1, 2, 5, 6, 7], %w: float16[4, 2, 1, 2, 3]) { %r = aten::conv3d.default(%x, %w) return %r }",
            "float16[1, 4, 5, 5, 5]"},
        RuleRow{"Transposed",
                "(%x: float32[2, 4, 5, s0], %w: float32[4, 6, 3, 3]) { %r = aten::conv_transpose2d.input(%x, %w, none, "
                "[2, 2], [1, 1], [1, 0]) return %r }",
                "float32[2, 6, 10, 2*s0 - 1]", "4320*s0/0"},
        RuleRow{"TransposedGroups",
                "(%x: float32[1, 4, 5], %w: float32[4, 3, 3]) { %r = aten::conv_transpose1d.default(%x, %w, none, [1], "
                "[0], [0], 2) return %r }",
                "float32[1, 6, 7]", "360/0"},
        RuleRow{"TransposedToNothing",
                "(%x: float32[1, 2, 3], %w: float32[2, 4, 1]) { %r = aten::conv_transpose1d.default(%x, %w, none, [1], "
                "[1], [0]) %s = aten::conv_transpose1d.default(%x, %w, none, [1], [2], [0]) return %r, %s }",
                "!the kernel does not fit into [1, 2, 3] float32[1, 4, 1]; unknown"},
        RuleRow{"General",
                "(%x: float32[1, 4, 5], %w: float32[4, 3, 3]) { %r = aten::convolution.default(%x, %w, none, [1], [0], "
                "[1], true, [0], 1) return %r }",
                "float32[1, 3, 7]", "360/0"},
        RuleRow{"OfTheTracer",
                "(%x: float32[1, 4, 5], %w: float32[3, 4, 3]) { %r = aten::_convolution(%x, %w, none, [1], [1], [1], "
                "false, [0], 1, false, false, true, true) return %r }",
                "float32[1, 3, 5]"},
        RuleRow{"TimeFirst",
                "(%x: float32[7, s0, 3], %w: float32[3, 3, 5], %b: float32[5]) { %r = aten::conv_tbc.default(%x, %w, "
                "%b, 1) return %r }",
                "float32[7, s0, 5]", "0/630*s0"},
        RuleRow{"Deformable",
                "(%x: float32[1, 4, 8, 8], %w: float32[6, 4, 3, 3], %o: float32[1, 18, 8, 8], %m: float32[1, 9, 8, 8], "
                "%b: float32[6]) { %r = torchvision::deform_conv2d(%x, %w, %o, %m, %b, 1, 1, 1, 1, 1, 1, 1, 1, true) "
                "return %r }",
                "float32[1, 6, 8, 8]", "0/27648"},
        RuleRow{"Gradients",
                "(%g: float32[2, 8, 7, 7], %x: float32[2, 3, 9, 9], %w: float32[8, 3, 3, 3]) { %r, %r1, %r2 = "
                "aten::convolution_backward.default(%g, %x, %w, [8], [1, 1], [0, 0], [1, 1], false, [0, 0], 1, [true, "
                "true, false]) return %r, %r1, %r2 }",
                "float32[2, 3, 9, 9]; float32[8, 3, 3, 3]; None", "84672/0"},
        RuleRow{"PackedWeight",
                "(%x: quint8[s0, 3, 8, 8], %w) { %r = quantized::conv2d.new(%x, %w, 0.1, 0) return %r }",
                "!the packed weight is not read quint8[s0, ?, ?, ?]", "0/?"},
        RuleRow{"PackedHere",
                "(%x: quint8[s0, 3, 8, 8], %w: qint8[16, 3, 3, 3]) { "
                "%p = quantized::conv2d_prepack(%w, none, [2, 2], [1, 1], [1, 1], 1) "
                "%r = quantized::conv2d.new(%x, %p, 0.1, 0) %f = quantized::conv2d_dynamic(%x, %p) return %r, %f }",
                "quint8[s0, 16, 4, 4]; float32[s0, 16, 4, 4]", "0/27648*s0"},
        RuleRow{"PackedForTwoDimensions",
                "(%x: quint8[2, 3, 8], %w: qint8[4, 3, 1, 3]) { "
                "%p = quantized::conv1d_prepack(%w, none, [1, 2], [0, 1], [1, 1], 1) "
                "%r = quantized::conv1d(%x, %p, 0.1, 0) return %r }",
                "quint8[2, 4, 4]"},
        RuleRow{"PackedTransposed",
                "(%x: quint8[1, 4, 5, 5], %w: qint8[4, 3, 3, 3]) { "
                "%p = quantized::conv_transpose2d_prepack(%w, none, [2, 2], [1, 1], [1, 1], [1, 1], 2) "
                "%r = quantized::conv_transpose2d(%x, %p, 0.1, 0) return %r }",
                "quint8[1, 6, 10, 10]", "0/5400"}),
    rowName);

// What does not fit is told, not computed.
INSTANTIATE_TEST_SUITE_P(
    Wrong, Convolution,
    testing::Values(
        RuleRow{"Channels",
                "(%x: float32[1, 4, 9, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w) return %r }",
                "!the input has 4 channels, the weight is for 3 unknown"},
        RuleRow{"Rank", "(%x: float32[9, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w) return %r }",
                "!an input of 2 dimensions cannot be convolved with a weight of 4 unknown"},
        RuleRow{"TooSmall",
                "(%x: float32[1, 3, 1, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w) return %r }",
                "!the kernel does not fit into [1, 3, 1, 9] unknown"},
        RuleRow{"UnknownRank",
                "(%x: float32[*], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w) return %r }",
                "!the input's rank is not known unknown", "?/0"},
        RuleRow{"UnknownSize",
                "(%x: float32[?, 3, ?, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w) return %r }",
                "float32[?, 8, ?, 7]", "?/0"},
        RuleRow{"NoSuchStride",
                "(%x: float32[1, 3, 9, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w, none, [0, 1]) "
                "return %r }",
                "!kernel, stride and dilation are at least 1 unknown"}),
    rowName);

// Attributes instead of arguments; padding can be left to the operator.
INSTANTIATE_TEST_SUITE_P(
    Onnx, Convolution,
    testing::Values(
        RuleRow{"Plain",
                "(%x: float32[1, 3, 7, 5], %w: float32[1, 3, 3, 3]) { %r = onnx::Conv(%x, %w, pads=[0, 1, 2, 1], "
                "strides=[2, 2]) return %r }",
                "float32[1, 1, 4, 3]", "648/0"},
        RuleRow{
            "SameLower",
            R"((%x: float32[1, 1, s0, 5], %w: float32[1, 1, 3, 3]) { %r = onnx::Conv(%x, %w, auto_pad="SAME_LOWER", strides=[2, 2]) return %r })",
            "float32[1, 1, ceildiv(s0, 2), 3]"},
        RuleRow{
            "Valid",
            R"((%x: float32[1, 1, 5, 5], %w: float32[1, 1, 3, 3]) { %r = onnx::Conv(%x, %w, auto_pad="VALID") return %r })",
            "float32[1, 1, 3, 3]"},
        RuleRow{"Integer",
                "(%x: uint8[1, 1, 3, 3], %w: uint8[1, 1, 2, 2], %z: uint8[]) { %r = onnx::ConvInteger(%x, %w, %z) "
                "return %r }",
                "int32[1, 1, 2, 2]", "32/0"},
        RuleRow{"Quantized",
                "(%x: uint8[1, 1, 7, 7], %s: float32[], %z: uint8[], %w: uint8[1, 1, 1, 1], %y: int8[]) { %r = "
                "onnx::QLinearConv(%x, %s, %z, %w, %s, %z, %s, %y) return %r }",
                "int8[1, 1, 7, 7]", "98/0"},
        RuleRow{"Transposed",
                "(%x: float32[1, 1, 3, 3], %w: float32[1, 2, 3, 3]) { %r = onnx::ConvTranspose(%x, %w, strides=[3, 2], "
                "output_padding=[1, 1]) return %r }",
                "float32[1, 2, 10, 8]", "324/0"},
        RuleRow{"TransposedToAShape",
                "(%x: float32[1, 1, 3, 3], %w: float32[1, 2, 3, 3]) { %r = onnx::ConvTranspose(%x, %w, strides=[3, 2], "
                "output_shape=[10, 8]) return %r }",
                "float32[1, 2, 10, 8]"},
        RuleRow{
            "TransposedSameWithGaps",
            R"((%x: float32[1, 1, 3, 4], %w: float32[1, 2, 1, 3]) { %r = onnx::ConvTranspose(%x, %w, strides=[2, 2], auto_pad="SAME_UPPER") return %r })",
            "float32[1, 2, 5, 8]"},
        RuleRow{
            "TransposedSame",
            R"((%x: float32[1, 1, 3, s0], %w: float32[1, 2, 3, 3]) { %r = onnx::ConvTranspose(%x, %w, strides=[2, 2], auto_pad="SAME_UPPER") return %r })",
            "float32[1, 2, 6, 2*s0]"},
        RuleRow{"TransposedAndPaddedByAnInput",
                "(%x: float32[1, 1, 3, 3], %w: float32[1, 2, 3, 3]) { %p = onnx::Constant(value_ints=[1, 0, 1, 2]) "
                "%r = com.microsoft::ConvTransposeWithDynamicPads(%x, %w, %p, strides=[3, 2], output_padding=[1, 1]) "
                "return %r }",
                "float32[1, 2, 8, 6]", "324/0"},
        RuleRow{"TransposedAndPaddedByNobodyKnowsWhat",
                "(%x: float32[1, 1, 3, 3], %w: float32[1, 2, 3, 3], %p: int64[4]) { "
                "%r = com.microsoft::ConvTransposeWithDynamicPads(%x, %w, %p) "
                "%s = com.microsoft::ConvTransposeWithDynamicPads(%x, %w) return %r, %s }",
                "float32[1, 2, ?, ?]; float32[1, 2, 5, 5]", "648/0"},
        RuleRow{"TransposedAndQuantized",
                "(%x: uint8[1, 1, 3, 3], %s: float32[], %z: uint8[], %w: uint8[1, 2, 3, 3], %y: int8[]) { %r = "
                "com.microsoft::QLinearConvTranspose(%x, %s, %z, %w, %s, %z, %s, %y, strides=[3, 2]) return %r }",
                "int8[1, 2, 9, 7]", "324/0"},
        RuleRow{"Deformable",
                "(%x: float32[1, 1, 3, 3], %w: float32[1, 1, 2, 2], %o: float32[1, 8, 4, 4]) { %r = "
                "onnx::DeformConv(%x, %w, %o, pads=[1, 1, 1, 1]) return %r }",
                "float32[1, 1, 4, 4]", "0/128"},
        RuleRow{"ChannelsLast",
                "(%x: float32[1, 7, 5, 3], %w: float32[4, 3, 3, 3]) { %r = com.microsoft::NhwcConv(%x, %w) return %r }",
                "float32[1, 5, 3, 4]", "3240/0"}),
    rowName);

} // namespace

} // namespace cutaway::test
