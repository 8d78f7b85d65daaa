// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/quantize_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string print(const ops::QuantizeArguments &given)
{
    Fields fields;
    const auto add = [&](std::string_view name, std::optional<std::int64_t> number) {
        fields.add(name, number ? std::to_string(*number) : "?");
    };
    add("axis", given.axis);
    add("block", given.block);
    add("min", given.min);
    add("max", given.max);
    return std::move(fields).text();
}

ArgumentsRow quantizeRow(std::string name, const std::string &call, std::string arguments)
{
    return {std::move(name),
            "(%x: float32[3, 4], %s: float32[], %z: int64[], %v: float32[3], %w: int64[3], %o: uint8[], %n: int) { %r "
            "= " + call
                + " return %r }",
            std::move(arguments)};
}

class QuantizeArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(QuantizeArguments, areRead)
{
    const auto read = [](const ops::Call &call) { return print(ops::quantizeArguments(call)); };
    EXPECT_EQ(argumentsOf(GetParam(), read), GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, QuantizeArguments,
    testing::Values(quantizeRow("PerTensor",
                                "quantized_decomposed::quantize_per_tensor.default(input=%x, scale=0.5, zero_point=0, "
                                "quant_min=-128, quant_max=127, dtype=int8)",
                                "axis 1, block 0, min -128, max 127"),
                    quantizeRow("PerChannel",
                                "quantized_decomposed::quantize_per_channel.default(input=%x, scales=%v, "
                                "zero_points=%w, axis=0, quant_min=-128, quant_max=127, dtype=int8)",
                                "axis 0, block 0, min -128, max 127"),
                    quantizeRow("FakeQuantize", "aten::fake_quantize_per_channel_affine.default(%x, %v, %w, 0, 0, 255)",
                                "axis 0, block 0, min 0, max 255"),
                    quantizeRow("AxisIsNotKnown",
                                "aten::fake_quantize_per_channel_affine.default(%x, %v, %w, %n, 0, 255)",
                                "axis ?, block 0, min 0, max 255")),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, QuantizeArguments,
    testing::Values(quantizeRow("Default", "onnx::QuantizeLinear(%x, %s, %o)", "axis 1, block 0, min ?, max ?"),
                    quantizeRow("Axis", "onnx::QuantizeLinear(%x, %v, %o, axis=0)", "axis 0, block 0, min ?, max ?"),
                    quantizeRow("Blocks", "onnx::DequantizeLinear(%x, %x, axis=0, block_size=2)",
                                "axis 0, block 2, min ?, max ?")),
    rowName);

} // namespace
} // namespace cutaway::test
