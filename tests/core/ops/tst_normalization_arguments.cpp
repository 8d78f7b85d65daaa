// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/normalization_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

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
        fields.add("shape", textOf(given.normalizedShape));
    if (given.axis)
        fields.add("axis", std::to_string(*given.axis));
    fields.size("groups", given.groups);
    fields.given("epsilon", given.epsilon);
    fields.flag("channels last", given.channelsLast, false);
    return std::move(fields).text();
}

class NormalizationArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(NormalizationArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::normalizationArguments(call)); }),
              GetParam().arguments);
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

} // namespace
} // namespace cutaway::test
