// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "tests/core/passes/number_test.h"

namespace cutaway::test {
namespace {

struct LayerRow {
    std::string name;
    std::string shape; ///< the shape of %w
    std::string graph; ///< without it; %x is float32[2, 4, 3]
    bool isQuantized = true;
    int opset = 13;
};

class QuantizeWeights : public ::testing::TestWithParam<LayerRow> { };

/// A quantum is 1/127 of the largest weight, which is at most 2.125, so that a product with x is off by little.
TEST_P(QuantizeWeights, keepTheNumbersButForTheirSteps)
{
    const LayerRow &row = GetParam();
    auto model = std::make_shared<ir::Model>(*parsedModel(
        formatted("(%x: float32[2, 4, 3]) {{ weight %w: float32{0} = @w {1} return %r }}", row.shape, row.graph),
        formatted("opset \"ai.onnx\" {}\ntensor @w: float32{}\n", row.opset, row.shape)));
    std::mt19937 random(5);
    fillTensors(*model, random);
    const auto after = modelAfter("quantize-dequantize", model);
    ASSERT_TRUE(after);
    const std::string text = printed(*after);
    EXPECT_EQ(text.contains("DequantizeLinear") || text.contains("fake_quantize"), row.isQuantized) << text;
    expectSameNumbers("quantize-dequantize", model, random, 0.25);
    const Values inputs = randomInputs(*model, random);
    const auto a = evaluate::evaluate(*model, ir::FunctionId{0}, inputs);
    const auto b = evaluate::evaluate(*after, ir::FunctionId{0}, inputs);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(difference(a->front(), b->front()) > 0, row.isQuantized);
}

INSTANTIATE_TEST_SUITE_P(Rows, QuantizeWeights,
                         ::testing::Values(LayerRow{"conv", "[5, 4, 2]", "%r = aten::conv1d(input=%x, weight=%w)"},
                                           LayerRow{"linear", "[5, 3]", "%r = aten::linear(input=%x, weight=%w)"},
                                           LayerRow{"convOfOnnx", "[5, 4, 2]", "%r = onnx::Conv(%x, %w)"},
                                           LayerRow{"convTransposeOfOnnx", "[4, 5, 2]",
                                                    "%r = onnx::ConvTranspose(%x, %w)"},
                                           LayerRow{"matMulOfOnnx", "[3, 5]", "%r = onnx::MatMul(%x, %w)"},
                                           LayerRow{"oldOnnx", "[3, 5]", "%r = onnx::MatMul(%x, %w)", false, 12},
                                           LayerRow{"weightsThatAreComputed", "[3, 5]",
                                                    "%n = onnx::Neg(%w) %r = onnx::MatMul(%x, %n)", false}),
                         [](const ::testing::TestParamInfo<LayerRow> &row) { return row.param.name; });

class QuantizeInputs : public ::testing::TestWithParam<LayerRow> { };

/// With a range for x that holds all of it, a step is 1/64.
TEST_P(QuantizeInputs, keepTheNumbersButForTheirSteps)
{
    const LayerRow &row = GetParam();
    auto model = std::make_shared<ir::Model>(*parsedModel(
        formatted("(%x: float32[2, 4, 3]) {{ weight %w: float32{0} = @w weight %b: float32[5] = @b {1} return %r }}",
                  row.shape, row.graph),
        formatted("opset \"ai.onnx\" {}\ntensor @w: float32{}\ntensor @b: float32[5]\n", row.opset, row.shape)));
    std::mt19937 random(5);
    fillTensors(*model, random);
    const std::string pipeline =
        "quantize-dequantize{ranges=\"{\\\"schema\\\": \\\"cutaway.ranges/1\\\", \\\"values\\\": "
        "{\\\"x\\\": {\\\"min\\\": -2, \\\"max\\\": 2}}}\"}";
    const auto after = modelAfter(pipeline, model);
    ASSERT_TRUE(after);
    const std::string text = printed(*after);
    EXPECT_EQ(text.contains("QuantizeLinear(%x") || text.contains("quantize_per_tensor"), row.isQuantized) << text;
    EXPECT_EQ(text.contains("b_quantized"), text.contains("onnx::Conv") || text.contains("onnx::Gemm")) << text;
    expectSameNumbers(pipeline, model, random, 0.35);
    const Values inputs = randomInputs(*model, random);
    const auto a = evaluate::evaluate(*model, ir::FunctionId{0}, inputs);
    const auto b = evaluate::evaluate(*after, ir::FunctionId{0}, inputs);
    ASSERT_TRUE(a && b);
    EXPECT_GT(difference(a->front(), b->front()), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, QuantizeInputs,
    ::testing::Values(LayerRow{"conv", "[5, 4, 2]", "%r = aten::conv1d(input=%x, weight=%w, bias=%b)"},
                      LayerRow{"linear", "[5, 3]", "%r = aten::linear(input=%x, weight=%w, bias=%b)"},
                      LayerRow{"convOfOnnx", "[5, 4, 2]", "%r = onnx::Conv(%x, %w, %b)"},
                      LayerRow{"matMulOfOnnx", "[3, 5]", "%r = onnx::MatMul(%x, %w)"},
                      LayerRow{"ofAnotherName", "[5, 3]",
                               "%y = aten::neg(self=%x) %r = aten::linear(input=%y, weight=%w)", false}),
    [](const ::testing::TestParamInfo<LayerRow> &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
