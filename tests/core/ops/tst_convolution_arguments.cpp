// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string print(const std::optional<ops::ConvolutionArguments> &given)
{
    if (!given)
        return "none";
    Fields fields;
    fields.position("input", given->input);
    fields.position("weight", given->weight);
    fields.position("bias", given->bias);
    const std::pair<std::string, ops::QuantizationPositions> quantizations[] = {{"input", given->inputQuantization},
                                                                                {"weight", given->weightQuantization},
                                                                                {"output", given->outputQuantization}};
    for (const auto &[name, quantization] : quantizations) {
        fields.position(name + " scale", quantization.scale);
        fields.position(name + " zero point", quantization.zeroPoint);
    }
    fields.add("windows", textOf(given->windows));
    if (ir::print(given->groups) != "1")
        fields.add("groups", ir::print(given->groups));
    fields.flag("transposed", given->transposed, false);
    if (given->transposed != false)
        fields.add("output padding", textOf(given->outputPadding));
    if (given->outputSize)
        fields.add("output size", textOf(*given->outputSize));
    fields.flag("channels last", given->channelsLast, false);
    return std::move(fields).text();
}

class ConvolutionArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(ConvolutionArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::convolutionArguments(call)); }),
              GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, ConvolutionArguments,
    testing::Values(
        ArgumentsRow{
            "Defaults",
            "(%x: float32[1, 3, 9, 9], %w: float32[8, 3, 3, 5]) { %r = aten::conv2d.default(%x, %w) return %r }",
            "input #0, weight #1, bias #2, windows 3/1*1+0+0 x 5/1*1+0+0"},
        ArgumentsRow{"Named",
                     "(%x: float32[1, 8, 9], %w: float32[4, 2, 3]) { %r = aten::conv1d.default(input=%x, weight=%w, "
                     "padding=[2], groups=4) return %r }",
                     "input #0, weight #1, bias #2, windows 3/1*1+2+2, groups 4"},
        ArgumentsRow{"OneNumberForAll",
                     "(%x: float32[1, 3, 9, 9], %w: float32[8, 3, 3, 3]) { %r = aten::conv2d.default(%x, %w, none, "
                     "[2], [1], [3]) return %r }",
                     "input #0, weight #1, bias #2, windows 3/2*3+1+1 x 3/2*3+1+1"},
        ArgumentsRow{
            "Same",
            R"((%x: float32[1, 3, 9], %w: float32[8, 3, 4]) { %r = aten::conv1d.padding(%x, %w, none, [1], "same") return %r })",
            "input #0, weight #1, bias #2, windows 4/1*1+0+0 same upper"},
        ArgumentsRow{
            "Mode",
            R"((%x: float32[1, 3, 9], %w: float32[8, 3, 3]) { %r = aten::_convolution_mode(%x, %w, none, [1], "valid", [1], 1) return %r })",
            "input #0, weight #1, bias #2, windows 3/1*1+0+0"},
        ArgumentsRow{"Transposed",
                     "(%x: float32[2, 4, 5], %w: float32[4, 6, 3]) { %r = aten::conv_transpose1d.default(%x, %w, none, "
                     "[2], [1], [1], 2) return %r }",
                     "input #0, weight #1, bias #2, windows 3/2*1+1+1, groups 2, transposed, output padding [1]"},
        ArgumentsRow{"General",
                     "(%x: float32[1, 4, 5], %w: float32[4, 3, 3]) { %r = aten::convolution.default(%x, %w, none, [1], "
                     "[0], [1], true, [0], 1) return %r }",
                     "input #0, weight #1, bias #2, windows 3/1*1+0+0, transposed, output padding [0]"},
        ArgumentsRow{"NobodyKnowsWhetherTransposed",
                     "(%x: float32[1, 4, 5], %w: float32[4, 4, 3], %t: bool) { %r = aten::convolution.default(%x, %w, "
                     "none, [1], [0], [1], %t, [0], 1) return %r }",
                     "input #0, weight #1, bias #2, windows 3/1*1+0+0, transposed ?, output padding [0]"},
        ArgumentsRow{
            "NobodyKnowsTheStride",
            "(%x: float32[1, 4, 5], %w: float32[4, 4, 3], %s: list<int>) { %r = aten::conv1d.default(%x, %w, none, "
            "%s) return %r }",
            "input #0, weight #1, bias #2, windows ?"},
        ArgumentsRow{"NobodyKnowsTheGroups",
                     "(%x: float32[1, 4, 5], %w: float32[4, 4, 3], %g: int) { %r = aten::conv1d.default(%x, %w, none, "
                     "[1], [0], [1], %g) return %r }",
                     "input #0, weight #1, bias #2, windows 3/1*1+0+0, groups ?"},
        ArgumentsRow{
            "WithoutABias",
            "(%x: float32[1, 4, 5, 5], %w: float32[4, 4, 3, 3]) { %r = aten::cudnn_convolution(%x, %w, [1, 1], "
            "[2, 2], [1, 1], 1, false, false, false) return %r }",
            "input #0, weight #1, windows 3/2*1+1+1 x 3/2*1+1+1"},
        ArgumentsRow{"BiasBehindTheKernelSize",
                     "(%x: float32[1, 4, 5, 5], %w: float32[4, 4, 3, 3], %b: float32[4]) { %r = aten::thnn_conv2d(%x, "
                     "%w, [3, 3], %b, [1, 1], [1, 1]) return %r }",
                     "input #0, weight #1, bias #3, windows 3/1*1+1+1 x 3/1*1+1+1"},
        ArgumentsRow{
            "Depthwise",
            "(%x: float32[1, 4, 5, 5], %w: float32[8, 1, 3, 3]) { %r = aten::_conv_depthwise2d(%x, %w, [3, 3], "
            "none, [1, 1], [1, 1], [1, 1]) return %r }",
            "input #0, weight #1, bias #3, windows 3/1*1+1+1 x 3/1*1+1+1, groups 4"},
        ArgumentsRow{
            "Mkldnn",
            R"((%x: float32[1, 4, 5], %w: float32[4, 2, 3], %b: float32[4]) { %r = mkldnn::_convolution_pointwise(%x, %w, %b, [1], [2], [1], 2, "relu", [], "") return %r })",
            "input #0, weight #1, bias #2, windows 3/2*1+1+1, groups 2"},
        ArgumentsRow{
            "MkldnnWithAnotherTensor",
            R"((%x: float32[1, 4, 5], %y: float32[1, 4, 5], %w: float32[4, 4, 3]) { %r = mkldnn::_convolution_pointwise.binary(%x, %y, %w, none, [1], [1], [1], 1, "add", none, none, [], none) return %r })",
            "input #0, weight #2, bias #3, windows 3/1*1+1+1"},
        ArgumentsRow{
            "OnednnQuantized",
            R"((%x: uint8[1, 4, 5, 5], %w: int8[4, 4, 3, 3], %s: float32[4], %z: int32[4]) { %r = onednn::qconv_pointwise(%x, 0.1, 3, %w, %s, %z, none, [1, 1], [0, 0], [1, 1], 1, 0.1, 0, none, "none", [], "") return %r })",
            "input #0, weight #3, bias #6, input scale #1, input zero point #2, weight scale #4, weight zero point #5, "
            "output scale #11, output zero point #12, windows 3/1*1+0+0 x 3/1*1+0+0"},
        ArgumentsRow{
            "Deformable",
            "(%x: float32[1, 4, 8, 8], %w: float32[6, 4, 3, 3], %o: float32[1, 18, 4, 4], %m: float32[1, 9, 4, "
            "4], %b: float32[6]) { %r = torchvision::deform_conv2d(%x, %w, %o, %m, %b, 2, 1, 1, 0, 1, 3, 1, 1, "
            "true) return %r }",
            "input #0, weight #1, bias #4, windows 3/2*1+1+1 x 3/1*3+0+0"},
        ArgumentsRow{"Gradients",
                     "(%g: float32[2, 8, 7, 7], %x: float32[2, 3, 9, 9], %w: float32[8, 3, 3, 3]) { %r, %r1, %r2 = "
                     "aten::convolution_backward.default(%g, %x, %w, [8], [1, 1], [0, 0], [1, 1], false, [0, 0], 1, "
                     "[true, true, false]) return %r, %r1, %r2 }",
                     "input #1, weight #2, windows 3/1*1+0+0 x 3/1*1+0+0"},
        ArgumentsRow{"PackedWeight",
                     "(%x: quint8[s0, 3, 8, 8], %w) { %r = quantized::conv2d.new(%x, %w, 0.1, 0) return %r }", "none"},
        ArgumentsRow{
            "TimeFirst",
            "(%x: float32[7, 2, 3], %w: float32[3, 3, 5], %b: float32[5]) { %r = aten::conv_tbc.default(%x, %w, "
            "%b, 1) return %r }",
            "none"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, ConvolutionArguments,
    testing::Values(
        ArgumentsRow{"Defaults", "(%x: float32[1, 3, 9], %w: float32[8, 3, 3]) { %r = onnx::Conv(%x, %w) return %r }",
                     "input #0, weight #1, bias #2, windows 3/1*1+0+0"},
        ArgumentsRow{"PadsBeforeAndAfter",
                     "(%x: float32[1, 3, 7, 5], %w: float32[1, 3, 3, 3]) { %r = onnx::Conv(%x, %w, pads=[0, 1, 2, 1], "
                     "strides=[2, 2], group=1) return %r }",
                     "input #0, weight #1, bias #2, windows 3/2*1+0+2 x 3/2*1+1+1"},
        ArgumentsRow{
            "SameLower",
            R"((%x: float32[1, 1, 5], %w: float32[1, 1, 3]) { %r = onnx::Conv(%x, %w, auto_pad="SAME_LOWER") return %r })",
            "input #0, weight #1, bias #2, windows 3/1*1+0+0 same lower"},
        ArgumentsRow{
            "ValidHasNoPads",
            R"((%x: float32[1, 1, 5], %w: float32[1, 1, 3]) { %r = onnx::Conv(%x, %w, auto_pad="VALID", pads=[1, 1]) return %r })",
            "input #0, weight #1, bias #2, windows 3/1*1+0+0"},
        ArgumentsRow{"Transposed",
                     "(%x: float32[1, 4, 3], %w: float32[4, 2, 3]) { %r = onnx::ConvTranspose(%x, %w, strides=[3], "
                     "output_padding=[1], group=2) return %r }",
                     "input #0, weight #1, bias #2, windows 3/3*1+0+0, groups 2, transposed, output padding [1]"},
        ArgumentsRow{
            "TransposedToAShape",
            "(%x: float32[1, 1, 3], %w: float32[1, 2, 3]) { %r = onnx::ConvTranspose(%x, %w, strides=[3], "
            "output_shape=[10]) return %r }",
            "input #0, weight #1, bias #2, windows 3/3*1+0+0, transposed, output padding [0], output size [10]"},
        ArgumentsRow{
            "Integer",
            "(%x: uint8[1, 1, 3], %w: uint8[1, 1, 2], %z: uint8[]) { %r = onnx::ConvInteger(%x, %w, %z) return "
            "%r }",
            "input #0, weight #1, input zero point #2, weight zero point #3, windows 2/1*1+0+0"},
        ArgumentsRow{
            "Quantized",
            "(%x: uint8[1, 1, 7], %s: float32[], %z: uint8[], %w: uint8[1, 1, 1]) { %r = onnx::QLinearConv(%x, "
            "%s, %z, %w, %s, %z, %s, %z) return %r }",
            "input #0, weight #3, bias #8, input scale #1, input zero point #2, weight scale #4, weight zero "
            "point #5, output scale #6, output zero point #7, windows 1/1*1+0+0"},
        ArgumentsRow{"Deformable",
                     "(%x: float32[1, 1, 3, 3], %w: float32[1, 1, 2, 2], %o: float32[1, 8, 4, 4]) { %r = "
                     "onnx::DeformConv(%x, %w, %o, pads=[1, 1, 1, 1]) return %r }",
                     "input #0, weight #1, bias #3, windows 2/1*1+1+1 x 2/1*1+1+1"},
        ArgumentsRow{"ChannelsLast",
                     "(%x: float32[1, 7, 5, 3], %w: float32[4, 3, 3, 3]) { %r = com.microsoft::NhwcConv(%x, %w) return "
                     "%r }",
                     "input #0, weight #1, bias #2, windows 3/1*1+0+0 x 3/1*1+0+0, channels last"},
        ArgumentsRow{"PaddedByAnInput",
                     "(%x: float32[1, 1, 3], %w: float32[1, 2, 3]) { %p = onnx::Constant(value_ints=[1, 2]) %r = "
                     "com.microsoft::ConvTransposeWithDynamicPads(%x, %w, %p) return %r }",
                     "input #0, weight #1, bias #3, windows 3/1*1+1+2, transposed, output padding [0]"}),
    rowName);

} // namespace
} // namespace cutaway::test
