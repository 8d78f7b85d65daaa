// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/calls.h"
#include "core/ops/torch/signatures.h"
#include "tests/core/ops/rule_test.h"

// What readers make of the arguments that a graph gives its last operator: the fields as texts, but for those that have
// their default. Positions are numbers with #.

namespace cutaway::test {

namespace {

struct ArgumentsRow {
    std::string name;
    std::string graph;
    std::string arguments;
    std::string header = "opset \"ai.onnx\" 18\n";
};
void PrintTo(const ArgumentsRow &row, std::ostream *out) { *out << row.name; }

class Fields {
public:
    void add(std::string_view name, std::string text)
    {
        m_text += (m_text.empty() ? "" : ", ") + std::string(name) + (text.empty() ? "" : " ") + std::move(text);
    }
    void position(std::string_view name, ops::Position position)
    {
        if (position)
            add(name, "#" + std::to_string(*position));
    }
    void flag(std::string_view name, std::optional<bool> flag, bool defaultValue)
    {
        if (flag != defaultValue)
            add(name, !flag ? "?" : *flag ? "" : "no");
    }
    void number(std::string_view name, std::optional<double> number, double defaultValue)
    {
        if (number != defaultValue)
            add(name, number ? text(*number) : "?");
    }
    void given(std::string_view name, const ops::Given<double> &number)
    {
        if (number)
            add(name, *number ? text(**number) : "?");
    }
    void size(std::string_view name, const ir::Dim &size)
    {
        if (ops::isKnown(size))
            add(name, ir::print(size));
    }
    std::string text() && { return std::move(m_text); }

private:
    static std::string text(double number)
    {
        std::ostringstream out;
        out << number;
        return out.str();
    }
    std::string m_text;
};

std::string_view print(ops::AutoPad pad)
{
    return pad == ops::AutoPad::SameUpper ? " same upper" : pad == ops::AutoPad::SameLower ? " same lower" : "";
}

/// "3/2*1+0+1" is a kernel of 3 with stride 2 and dilation 1, padded by 0 before and 1 after.
std::string print(const std::optional<ops::Windows> &windows)
{
    if (!windows)
        return "?";
    std::string text;
    for (const ops::Window &w : *windows)
        text += (text.empty() ? "" : " x ") + ir::print(w.kernel) + "/" + ir::print(w.stride) + "*"
            + ir::print(w.dilation) + "+" + ir::print(w.before) + "+" + ir::print(w.after)
            + std::string(print(w.autoPad));
    return text;
}

std::string print(const std::optional<std::vector<ir::Dim>> &sizes) { return sizes ? ir::print(*sizes) : "?"; }

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
    fields.add("windows", print(given->windows));
    if (ir::print(given->groups) != "1")
        fields.add("groups", ir::print(given->groups));
    fields.flag("transposed", given->transposed, false);
    if (given->transposed != false)
        fields.add("output padding", print(given->outputPadding));
    if (given->outputSize)
        fields.add("output size", print(*given->outputSize));
    fields.flag("channels last", given->channelsLast, false);
    return std::move(fields).text();
}

std::string print(const ops::PoolArguments &given)
{
    Fields fields;
    fields.position("input", given.input);
    fields.position("output sizes", given.outputSizes);
    if (given.outputSize)
        fields.add("output size", print(*given.outputSize));
    else
        fields.add("windows", print(given.windows));
    fields.flag("ceil mode", given.ceilMode, false);
    fields.flag("count include pad", given.countIncludePad, true);
    if (given.divisorOverride)
        fields.add("divisor", std::to_string(given.divisorOverride->value_or(-1)));
    fields.number("p", given.p, 2);
    fields.flag("channels last", given.channelsLast, false);
    return std::move(fields).text();
}

std::string print(const ops::ReduceArguments &given)
{
    Fields fields;
    fields.position("input", given.input);
    const auto *listed = given.axes ? std::get_if<std::vector<ir::Dim>>(&*given.axes) : nullptr;
    fields.add("axes", listed ? ir::print(*listed) : given.axes ? "all" : "?");
    if (given.axisCount && !listed)
        fields.add("count", std::to_string(*given.axisCount));
    fields.flag("keep dim", given.keepDim, false);
    if (given.dtype)
        fields.add("dtype", *given.dtype ? std::string(ir::name(**given.dtype)) : "?");
    fields.flag("select last index", given.selectLastIndex, false);
    return std::move(fields).text();
}

std::string print(const ops::AttentionArguments &given)
{
    constexpr std::string_view layouts[] = {"heads first", "sequence first", "heads joined",
                                            "packed",      "packed joined",  "projected"};
    Fields fields;
    fields.position("query", given.query);
    fields.position("key", given.key);
    fields.position("value", given.value);
    fields.position("projection", given.projection);
    fields.position("mask", given.mask);
    fields.position("key padding", given.keyPadding);
    fields.position("past key", given.pastKey);
    fields.position("past value", given.pastValue);
    fields.position("total length", given.totalLength);
    fields.add(given.layout ? layouts[static_cast<std::size_t>(*given.layout)] : "unknown layout", "");
    fields.size("heads", given.heads);
    fields.size("key heads", given.keyHeads);
    fields.flag("causal", given.isCausal, false);
    fields.given("scale", given.scale);
    fields.number("softcap", given.softcap, 0);
    fields.number("dropout", given.dropout, 0);
    fields.flag("gqa", given.enableGqa, false);
    return std::move(fields).text();
}

std::string print(const ops::NormalizationArguments &given)
{
    Fields fields;
    fields.position("input", given.input);
    fields.position("weight", given.weight);
    fields.position("bias", given.bias);
    fields.position("mean", given.mean);
    fields.position("variance", given.variance);
    fields.flag("use input stats", given.useInputStats, true);
    if (given.normalizedShape)
        fields.add("shape", print(given.normalizedShape));
    if (given.axis)
        fields.add("axis", std::to_string(*given.axis));
    fields.size("groups", given.groups);
    fields.given("epsilon", given.epsilon);
    fields.flag("channels last", given.channelsLast, false);
    return std::move(fields).text();
}

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

std::string print(const ops::SoftmaxArguments &given)
{
    Fields fields;
    fields.position("input", given.input);
    fields.add("axis", given.axis ? std::to_string(*given.axis) : "?");
    fields.flag("flattens", given.flattens, false);
    if (given.dtype)
        fields.add("dtype", *given.dtype ? std::string(ir::name(**given.dtype)) : "?");
    return std::move(fields).text();
}

template <class Read>
std::string argumentsOf(const ArgumentsRow &row, const Read &read)
{
    const ir::Model model = modelOf(row.graph, row.header);
    if (model.functions.empty())
        return "no graph";
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    ops::Signatures signatures(*model.context);
    ops::Calls calls(model, signatures, [&](ir::ValueId value) { return &shapes.of(value); });
    const ir::Graph &graph = model.functions[0].graph;
    return print(read(calls.of({graph, graph.at(ir::Graph::body).nodes.back()})));
}

const auto rowName = [](const auto &row) { return row.param.name; };

class ConvolutionArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(ConvolutionArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), ops::convolutionArguments), GetParam().arguments);
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

class PoolArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(PoolArguments, areRead) { EXPECT_EQ(argumentsOf(GetParam(), ops::poolArguments), GetParam().arguments); }

INSTANTIATE_TEST_SUITE_P(
    Torch, PoolArguments,
    testing::Values(
        ArgumentsRow{"StrideIsTheKernel",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::max_pool2d.default(%x, [3, 2]) return %r }",
                     "input #0, windows 3/3*1+0+0 x 2/2*1+0+0"},
        ArgumentsRow{"All",
                     "(%x: float32[3, 9, 9]) { %r = aten::max_pool2d.default(%x, [3], [2], [1], [2], true) return %r }",
                     "input #0, windows 3/2*2+1+1 x 3/2*2+1+1, ceil mode"},
        ArgumentsRow{"Average",
                     "(%x: float32[3, 9]) { %r = aten::avg_pool1d.default(%x, [3], [2], [1], false, false) return %r }",
                     "input #0, windows 3/2*1+1+1, count include pad no"},
        ArgumentsRow{
            "Divisor",
            "(%x: float32[1, 3, 9, 9]) { %r = aten::avg_pool2d.default(%x, [3, 3], [], [0, 0], false, true, 5) "
            "return %r }",
            "input #0, windows 3/3*1+0+0 x 3/3*1+0+0, divisor 5"},
        ArgumentsRow{"Adaptive",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::adaptive_avg_pool2d.default(%x, [2, 1]) return %r }",
                     "input #0, output size [2, 1]"},
        ArgumentsRow{"NobodyKnowsTheKernel",
                     "(%x: float32[1, 3, 9, 9], %k: list<int>) { %r = aten::max_pool2d.default(%x, %k) return %r }",
                     "input #0, windows ?"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, PoolArguments,
    testing::Values(
        ArgumentsRow{"StrideIsOne",
                     "(%x: float32[1, 3, 9, 9]) { %r = onnx::MaxPool(%x, kernel_shape=[3, 2]) return %r }",
                     "input #0, windows 3/1*1+0+0 x 2/1*1+0+0, count include pad no"},
        ArgumentsRow{"Average",
                     "(%x: float32[1, 3, 9]) { %r = onnx::AveragePool(%x, kernel_shape=[3], strides=[2], pads=[1, 0], "
                     "ceil_mode=1, "
                     "count_include_pad=1) return %r }",
                     "input #0, windows 3/2*1+1+0, ceil mode"},
        ArgumentsRow{"Norm", "(%x: float32[1, 3, 9]) { %r = onnx::LpPool(%x, kernel_shape=[3], p=1) return %r }",
                     "input #0, windows 3/1*1+0+0, count include pad no, p 1"},
        ArgumentsRow{"Global", "(%x: float32[1, 3, 9, 9]) { %r = onnx::GlobalAveragePool(%x) return %r }",
                     "input #0, output size [1, 1], count include pad no"},
        ArgumentsRow{"Unpooled",
                     "(%x: float32[1, 1, 2], %i: int64[1, 1, 2]) { %r = onnx::MaxUnpool(%x, %i, kernel_shape=[2], "
                     "strides=[2]) return %r }",
                     "input #0, output sizes #2, windows 2/2*1+0+0, count include pad no"},
        ArgumentsRow{
            "ChannelsLast",
            "(%x: uint8[1, 9, 9, 3], %s: float32[], %z: uint8[]) { %r = com.microsoft::QLinearGlobalAveragePool("
            "%x, %s, %z, %s, %z, channels_last=1) return %r }",
            "input #0, output size [1, 1], count include pad no, channels last"}),
    rowName);

class ReduceArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(ReduceArguments, areRead) { EXPECT_EQ(argumentsOf(GetParam(), ops::reduceArguments), GetParam().arguments); }

INSTANTIATE_TEST_SUITE_P(
    Torch, ReduceArguments,
    testing::Values(
        ArgumentsRow{"All", "(%x: float32[2, 3]) { %r = aten::sum(%x) return %r }", "input #0, axes all"},
        ArgumentsRow{"Listed", "(%x: float32[2, 3]) { %r = aten::sum.dim_IntList(%x, [-1], true) return %r }",
                     "input #0, axes [-1], keep dim"},
        ArgumentsRow{"AnEmptyListIsAll", "(%x: float32[2, 3]) { %r = aten::mean.dim(%x, []) return %r }",
                     "input #0, axes all"},
        ArgumentsRow{"AnEmptyListIsNone", "(%x: bool[2, 3]) { %r = aten::any.dims(%x, []) return %r }",
                     "input #0, axes []"},
        ArgumentsRow{"One", "(%x: float32[2, 3]) { %r = aten::argmax(%x, 1) return %r }", "input #0, axes [1]"},
        ArgumentsRow{"DType", "(%x: int32[2, 3]) { %r = aten::sum(%x, dtype=float64) return %r }",
                     "input #0, axes all, dtype float64"},
        ArgumentsRow{"Prims", "(%x: float32[2, 3]) { %r = prims::sum(%x, [0], output_dtype=float32) return %r }",
                     "input #0, axes [0], dtype float32"},
        ArgumentsRow{
            "NobodyKnows",
            "(%x: float32[2, 3], %d: list<int>, %k: bool) { %r = aten::sum.dim_IntList(%x, %d, %k) return %r }",
            "input #0, axes ?, keep dim ?"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, ReduceArguments,
    testing::Values(
        ArgumentsRow{"All", "(%x: float32[2, 3]) { %r = onnx::ReduceSum(%x) return %r }",
                     "input #0, axes all, keep dim"},
        ArgumentsRow{"Attribute", "(%x: float32[2, 3]) { %r = onnx::ReduceMax(%x, axes=[1], keepdims=0) return %r }",
                     "input #0, axes [1]", "opset \"ai.onnx\" 12\n"},
        ArgumentsRow{
            "Input",
            "(%x: float32[2, 3]) { %a = onnx::Constant(value_ints=[0, -1]) %r = onnx::ReduceMax(%x, %a) return "
            "%r }",
            "input #0, axes [0, -1], keep dim"},
        ArgumentsRow{"UnknownInput", "(%x: float32[2, 3], %a: int64[1]) { %r = onnx::ReduceMax(%x, %a) return %r }",
                     "input #0, axes ?, count 1, keep dim"},
        ArgumentsRow{"Nothing", "(%x: float32[2, 3]) { %r = onnx::ReduceSum(%x, noop_with_empty_axes=1) return %r }",
                     "input #0, axes [], keep dim"},
        ArgumentsRow{"Index",
                     "(%x: float32[2, 3]) { %r = onnx::ArgMax(%x, select_last_index=1, keepdims=0) return %r }",
                     "input #0, axes [0], select last index"}),
    rowName);

class AttentionArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(AttentionArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), ops::attentionArguments), GetParam().arguments);
}

constexpr const char *torchQkv = "(%q: float32[1, 8, 5, 64], %k: float32[1, 2, 7, 64], %v: float32[1, 2, 7, 32], %m: "
                                 "bool[5, 7]) { ";

INSTANTIATE_TEST_SUITE_P(
    Torch, AttentionArguments,
    testing::Values(
        ArgumentsRow{"Defaults",
                     std::string(torchQkv) + "%r = aten::scaled_dot_product_attention(%q, %k, %v) return %r }",
                     "query #0, key #1, value #2, mask #3, heads first, heads 8, key heads 2"},
        ArgumentsRow{"All",
                     std::string(torchQkv)
                         + "%r = aten::scaled_dot_product_attention(%q, %k, %v, %m, 0.5, true, scale=0.25, "
                           "enable_gqa=true) return %r }",
                     "query #0, key #1, value #2, mask #3, heads first, heads 8, key heads 2, causal, scale 0.25, "
                     "dropout 0.5, gqa"},
        ArgumentsRow{"Efficient",
                     std::string(torchQkv)
                         + "%r, %l, %a, %b = aten::_scaled_dot_product_efficient_attention(%q, %k, %v, none, true) "
                           "return %r }",
                     "query #0, key #1, value #2, mask #3, heads first, heads 8, key heads 2"},
        ArgumentsRow{
            "MaskIsLast",
            std::string(torchQkv)
                + "%r, %l = aten::_scaled_dot_product_flash_attention_for_cpu(%q, %k, %v, 0.0, true) return %r "
                  "}",
            "query #0, key #1, value #2, mask #5, heads first, heads 8, key heads 2, causal"},
        ArgumentsRow{"SequenceFirst",
                     "(%q: float32[1, 5, 8, 64], %k: float32[1, 7, 8, 64]) { %r, %l, %s, %o, %a, %b = "
                     "aten::_efficient_attention_forward(%q, %k, %k, none, none, none, none, none, 0.0, 1) return %r }",
                     "query #0, key #1, value #2, mask #3, sequence first, heads 8, key heads 8, causal"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, AttentionArguments,
    testing::Values(
        ArgumentsRow{"HeadsFirst",
                     "(%q: float32[1, 8, 5, 64], %k: float32[1, 2, 7, 64]) { %r = onnx::Attention(%q, %k, %k, "
                     "is_causal=1, softcap=2.0) return %r }",
                     "query #0, key #1, value #2, mask #3, key padding #6, past key #4, past value #5, heads first, "
                     "heads 8, key heads 2, causal, softcap 2",
                     "opset \"ai.onnx\" 23\n"},
        ArgumentsRow{"HeadsJoined",
                     "(%q: float32[1, 5, 512], %k: float32[1, 7, 128]) { %r = onnx::Attention(%q, %k, %k, "
                     "q_num_heads=8, kv_num_heads=2, scale=0.5) return %r }",
                     "query #0, key #1, value #2, mask #3, key padding #6, past key #4, past value #5, heads joined, "
                     "heads 8, key heads 2, scale 0.5",
                     "opset \"ai.onnx\" 23\n"},
        ArgumentsRow{"Projected",
                     "(%x: float32[1, 5, 64], %w: float32[64, 192]) { %r = com.microsoft::Attention(%x, %w, "
                     "num_heads=4, unidirectional=1) return %r }",
                     "query #0, projection #1, mask #5, key padding #3, past key #4, past value #4, projected, heads "
                     "4, key heads 4, causal"},
        ArgumentsRow{
            "ProjectedAndQuantized",
            "(%x: uint8[1, 5, 64], %w: int8[64, 192], %b: float32[192], %s: float32[]) { %r = "
            "com.microsoft::QAttention(%x, %w, %b, %s, %s, num_heads=4) return %r }",
            "query #0, projection #1, key padding #5, past key #8, past value #8, projected, heads 4, key heads 4"},
        ArgumentsRow{"MultiHead",
                     "(%q: float32[1, 5, 64], %k: float32[1, 7, 64]) { %r = com.microsoft::MultiHeadAttention(%q, %k, "
                     "%k, num_heads=4) return %r }",
                     "query #0, key #1, value #2, mask #5, key padding #4, past key #6, past value #7, heads joined, "
                     "heads 4, key heads 4"},
        ArgumentsRow{"MultiHeadPacked",
                     "(%q: float32[1, 5, 4, 3, 16]) { %r = com.microsoft::MultiHeadAttention(%q, num_heads=4, "
                     "scale=0.0) return %r }",
                     "query #0, key #1, value #2, mask #5, key padding #4, past key #6, past value #7, packed, heads "
                     "4, key heads 4"},
        ArgumentsRow{"GroupQuery",
                     "(%q: float32[1, 5, 64], %k: float32[1, 5, 32]) { %r = com.microsoft::GroupQueryAttention(%q, %k, "
                     "%k, num_heads=4, kv_num_heads=2) return %r }",
                     "query #0, key #1, value #2, mask #10, key padding #5, past key #3, past value #4, total length "
                     "#6, heads joined, heads 4, key heads 2, causal"},
        ArgumentsRow{"GroupQueryPacked",
                     "(%q: float32[1, 5, 128]) { %r = com.microsoft::GroupQueryAttention(%q, num_heads=4, "
                     "kv_num_heads=2) return %r }",
                     "query #0, key #1, value #2, mask #10, key padding #5, past key #3, past value #4, total length "
                     "#6, packed joined, heads 4, key heads 2, causal"}),
    rowName);

class NormalizationArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(NormalizationArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), ops::normalizationArguments), GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, NormalizationArguments,
    testing::Values(
        ArgumentsRow{"Batch",
                     "(%x: float32[1, 3, 9], %c: float32[3]) { %r = aten::batch_norm(%x, %c, %c, %c, %c, false, 0.1, "
                     "0.001, true) return %r }",
                     "input #0, weight #1, bias #2, mean #3, variance #4, use input stats no, epsilon 0.001"},
        ArgumentsRow{"BatchInTraining",
                     "(%x: float32[1, 3, 9], %c: float32[3]) { %r, %a, %b = aten::native_batch_norm(%x, %c, %c, none, "
                     "none, true, 0.1, 0.001) return %r }",
                     "input #0, weight #1, bias #2, mean #3, variance #4, epsilon 0.001"},
        ArgumentsRow{"BatchByName",
                     "(%x: float32[1, 3, 9], %c: float32[3]) { %r, %a, %b = "
                     "aten::_native_batch_norm_legit_no_training(%x, %c, %c, %c, %c, 0.1, 0.001) return %r }",
                     "input #0, weight #1, bias #2, mean #3, variance #4, use input stats no, epsilon 0.001"},
        ArgumentsRow{"Layer", "(%x: float32[2, 3, 4]) { %r = aten::layer_norm(%x, [3, 4]) return %r }",
                     "input #0, weight #2, bias #3, shape [3, 4], epsilon 1e-05"},
        ArgumentsRow{"Rms", "(%x: float32[2, 3, 4]) { %r = aten::rms_norm(%x, [4]) return %r }",
                     "input #0, weight #2, shape [4]"},
        ArgumentsRow{"Group", "(%x: float32[2, 4, 9]) { %r = aten::group_norm(%x, 2) return %r }",
                     "input #0, weight #2, bias #3, groups 2, epsilon 1e-05"},
        ArgumentsRow{"GroupOfTheKernel",
                     "(%x: float32[2, 4, 9]) { %r, %a, %b = aten::native_group_norm(%x, none, none, 2, 4, 9, 2, 0.001) "
                     "return %r }",
                     "input #0, weight #1, bias #2, groups 2, epsilon 0.001"},
        ArgumentsRow{"Instance",
                     "(%x: float32[2, 4, 9]) { %r = aten::instance_norm(%x, none, none, none, none, true, 0.1, 0.001, "
                     "true) return %r }",
                     "input #0, weight #1, bias #2, mean #3, variance #4, epsilon 0.001"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, NormalizationArguments,
    testing::Values(
        ArgumentsRow{"Batch",
                     "(%x: float32[1, 3, 9], %c: float32[3]) { %r = onnx::BatchNormalization(%x, %c, %c, %c, %c, "
                     "epsilon=0.001) return %r }",
                     "input #0, weight #1, bias #2, mean #3, variance #4, use input stats no, epsilon 0.001"},
        ArgumentsRow{"BatchInTraining",
                     "(%x: float32[1, 3, 9], %c: float32[3]) { %r = onnx::BatchNormalization(%x, %c, %c, %c, %c, "
                     "training_mode=1) return %r }",
                     "input #0, weight #1, bias #2, mean #3, variance #4, epsilon 1e-05"},
        ArgumentsRow{"Layer",
                     "(%x: float32[2, 3, 4], %s: float32[4]) { %r = onnx::LayerNormalization(%x, %s) return %r }",
                     "input #0, weight #1, bias #2, axis -1, epsilon 1e-05"},
        ArgumentsRow{
            "Rms",
            "(%x: float32[2, 3, 4], %s: float32[3, 4]) { %r = onnx::RMSNormalization(%x, %s, axis=1) return %r "
            "}",
            "input #0, weight #1, axis 1, epsilon 1e-05"},
        ArgumentsRow{"Group",
                     "(%x: float32[2, 4, 9], %s: float32[4]) { %r = onnx::GroupNormalization(%x, %s, %s, num_groups=2) "
                     "return %r }",
                     "input #0, weight #1, bias #2, groups 2, epsilon 1e-05"},
        ArgumentsRow{
            "Instance",
            "(%x: float32[2, 4, 9], %s: float32[4]) { %r = onnx::InstanceNormalization(%x, %s, %s) return %r }",
            "input #0, weight #1, bias #2, epsilon 1e-05"},
        ArgumentsRow{"SkippedLayer",
                     "(%x: float32[2, 3, 4], %s: float32[4]) { %r = com.microsoft::SkipLayerNormalization(%x, %x, %s, "
                     "%s) return %r }",
                     "input #0, weight #2, bias #3, axis -1, epsilon 1e-05"}),
    rowName);

class MatrixProductArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(MatrixProductArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), ops::matrixProductArguments), GetParam().arguments);
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

class SoftmaxArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(SoftmaxArguments, areRead) { EXPECT_EQ(argumentsOf(GetParam(), ops::softmaxArguments), GetParam().arguments); }

INSTANTIATE_TEST_SUITE_P(
    AllDialects, SoftmaxArguments,
    testing::Values(
        ArgumentsRow{"Torch", "(%x: float16[2, 3]) { %r = aten::softmax.int(%x, 1, float32) return %r }",
                     "input #0, axis 1, dtype float32"},
        ArgumentsRow{"TorchsKernel", "(%x: float16[2, 3]) { %r = aten::_softmax(%x, -1, true) return %r }",
                     "input #0, axis -1, dtype float32"},
        ArgumentsRow{"NobodyKnowsTheDimension",
                     "(%x: float16[2, 3], %d: int) { %r = aten::_log_softmax(%x, %d, false) return %r }",
                     "input #0, axis ?"},
        ArgumentsRow{"Onnx", "(%x: float32[2, 3]) { %r = onnx::Softmax(%x) return %r }", "input #0, axis -1"},
        ArgumentsRow{"OnnxBeforeOperatorSet13", "(%x: float32[2, 3, 4]) { %r = onnx::LogSoftmax(%x) return %r }",
                     "input #0, axis 1, flattens", "opset \"ai.onnx\" 11\n"}),
    rowName);

} // namespace

} // namespace cutaway::test
