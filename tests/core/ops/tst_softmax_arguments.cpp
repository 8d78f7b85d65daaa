// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/softmax_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

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

class SoftmaxArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(SoftmaxArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::softmaxArguments(call)); }),
              GetParam().arguments);
}

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
