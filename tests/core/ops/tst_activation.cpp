// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Activation : public testing::TestWithParam<RuleRow> { };

TEST_P(Activation, infers)
{
    EXPECT_EQ(inferred(GetParam().graph, "opset \"ai.onnx\" 13\n"), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Activation,
    testing::Values(
        RuleRow{"Relu", "(%x: int64[2, s0]) { %r = aten::relu_(%x) return %r }", "int64[2, s0]", "0/2*s0"},
        RuleRow{"ReluOfSizes", "(%a: int(s0)) { %x = aten::tensor([%a, -3]) %r = aten::relu(%x) return %r }",
                "int64[2] = [s0, 0]"},
        RuleRow{"SigmoidGivesFloats", "(%x: int64[2]) { %r = aten::sigmoid(%x) return %r }", "float32[2]"},
        RuleRow{"SlopesDoNotWiden", "(%x: float32[2, 3], %w: float32[1]) { %r = aten::prelu(%x, %w) return %r }",
                "float32[2, 3]"},
        RuleRow{"Softmax", "(%x: float16[2, s0]) { %r = aten::softmax.int(%x, -1) return %r }", "float16[2, s0]",
                "0/10*s0"},
        RuleRow{"SoftmaxOfIntegers", "(%x: int64[0]) { %r = aten::softmax.int(%x, -1) return %r }", "int64[0]"},
        RuleRow{"SoftmaxOfADType", "(%x: float16[2]) { %r = aten::softmax.int(%x, -1, float32) return %r }",
                "float32[2]"},
        RuleRow{"SoftmaxOfHalf", "(%x: float16[2]) { %r = aten::_softmax(%x, -1, true) return %r }", "float32[2]"},
        RuleRow{"OnnxLogSoftmax", "(%x: float64[2, 3]) { %r = onnx::LogSoftmax(%x, axis=1) return %r }",
                "float64[2, 3]"},
        RuleRow{"GateHalves", "(%x: float32[2, 2*s0]) { %r = aten::glu(%x) return %r }", "float32[2, s0]"},
        RuleRow{"GateOfAnOddSize", "(%x: float32[2, 3]) { %r = aten::glu(%x, 1) return %r }",
                "!cannot halve a dimension of size 3 unknown"},
        RuleRow{"GateOfNoDimension", "(%x: float32[2, 3]) { %r = aten::glu(%x, 2) return %r }",
                "!there is no dimension 2 in [2, 3] unknown"},
        RuleRow{"Dropout", "(%x: float32[2]) { %r = aten::dropout(%x, 0.5, true) return %r }", "float32[2]", "0/0"},
        RuleRow{"DropoutWithMask", "(%x: float32[2]) { %r, %m = aten::native_dropout(%x, 0.5, true) return %r, %m }",
                "float32[2]; bool[2]"},
        RuleRow{"OnnxDropout", "(%x: float32[2]) { %r, %m = onnx::Dropout(%x) return %r, %m }", "float32[2]; bool[2]"},
        RuleRow{"WithBuffer", "(%x: float32[2]) { %r, %b = aten::log_sigmoid_forward(%x) return %r, %b }",
                "float32[2]; float32[2]"},
        RuleRow{"Gradient", "(%g: float16[2, s0], %x: float32[s0]) { %r = aten::gelu_backward(%g, %x) return %r }",
                "float32[2, s0]", "0/4*s0"},
        RuleRow{"GradientOfElu",
                "(%g: float32[2], %x: float32[2]) { %r = aten::elu_backward(%g, 1, 1, 1, false, %x) return %r }",
                "float32[2]"},
        RuleRow{"SoftmaxGradient",
                "(%g: float32[3, 4]) { %r = aten::_softmax_backward_data(%g, %g, 1, float16) "
                "%s = aten::native_dropout_backward(%g, %g, 2.0) return %r, %s }",
                "float16[3, 4]; float32[3, 4]"},
        RuleRow{"SplitGelu",
                "(%x: float32[1, 5, 8], %b: float32[8]) { %r = com.microsoft::BiasSplitGelu(%x, %b) "
                "return %r }",
                "float32[1, 5, 4]"},
        RuleRow{"MaskOfBits", "(%x: float32[5, 8]) { %r, %m = com.microsoft::BitmaskDropout(%x) return %r, %m }",
                "float32[5, 8]; uint32[2]"}),
    rowName);

TEST(OldDropout, hasAMaskOfTheDataType)
{
    EXPECT_EQ(inferred("(%x: float32[2]) { %r, %m = onnx::Dropout(%x) return %r, %m }", "opset \"ai.onnx\" 7\n"),
              "float32[2]; float32[2]");
}

} // namespace

} // namespace cutaway::test
