// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Quantization : public testing::TestWithParam<RuleRow> { };

TEST_P(Quantization, infers)
{
    const std::string header = "opset \"ai.onnx\" 21\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Torch, Quantization,
    testing::Values(
        RuleRow{"PerTensor",
                "(%x: float32[s0, 3]) { %q = aten::quantize_per_tensor(%x, 0.1, 0, quint8) "
                "%i = aten::int_repr(%q) %r = aten::dequantize.self(%q) return %q, %i, %r }",
                "quint8[s0, 3]; uint8[s0, 3]; float32[s0, 3]", "0/6*s0"},
        RuleRow{"MatrixProduct",
                "(%x: quint8[s0, 3], %y: quint8[3, 4]) { %r = quantized::matmul(%x, %y, 0.1, 0) return %r }",
                "quint8[s0, 4]", "0/24*s0"},
        RuleRow{"PerChannel",
                "(%x: float32[4, 3], %s: float64[4], %z: int64[4]) "
                "{ %q = aten::quantize_per_channel(%x, %s, %z, 0, qint8) return %q }",
                "qint8[4, 3]"},
        RuleRow{"ListOfTensors",
                "(%x: float32[4], %y: float32[5], %s: float32[2]) "
                "{ %q = aten::quantize_per_tensor.tensors([%x, %y], %s, %s, qint8) return %q }",
                "[qint8[4], qint8[5]]"},
        RuleRow{"Fake", "(%x: float16[4]) { %r = aten::fake_quantize_per_tensor_affine(%x, 0.1, 0, 0, 255) return %r }",
                "float16[4]"},
        RuleRow{"FakeWithMask",
                "(%x: float32[4]) "
                "{ %r, %m = aten::fake_quantize_per_tensor_affine_cachemask(%x, 0.1, 0, 0, 255) return %r, %m }",
                "float32[4]; bool[4]"},
        RuleRow{"Decomposed",
                "(%x: float32[4]) "
                "{ %q = quantized_decomposed::quantize_per_tensor(input=%x, scale=0.1, zero_point=0, "
                "quant_min=-128, quant_max=127, dtype=int8) "
                "%r = quantized_decomposed::dequantize_per_tensor(input=%q, scale=0.1, zero_point=0, "
                "quant_min=-128, quant_max=127, dtype=int8) return %q, %r }",
                "int8[4]; float32[4]"},
        RuleRow{"Parameters", "(%x: quint8[4]) { %s = aten::q_scale(%x) %z = aten::q_zero_point(%x) return %s, %z }",
                "float; int"},
        RuleRow{"PerToken",
                "(%x: float32[2, 7, 4]) { %s, %z = quantized_decomposed::choose_qparams_per_token(input=%x, "
                "dtype=int8) return %s, %z }",
                "float64[2, 7, 1]; int64[2, 7, 1]"},
        RuleRow{"Linear",
                "(%x: quint8[2, 4], %w: qint8[5, 4], %b: float32[5]) { %p = quantized::linear_prepack(%w, %b) "
                "%r = quantized::linear(%x, %p, 0.1, 0) %f = quantized::linear_dynamic(%x, %p) return %r, %f }",
                "quint8[2, 5]; float32[2, 5]", "0/160"},
        RuleRow{"LinearOfUnknownWeights",
                "(%x: float32[2, 4], %p: any) { %r = quantized::linear_dynamic(%x, %p) return %r }",
                "!what the packed weight holds is not known float32[2, ?]"},
        RuleRow{"Unpacked",
                "(%w: qint8[5, 4]) { %p = quantized::linear_prepack(%w) %r, %b = quantized::linear_unpack(%p) "
                "return %r, %b }",
                "qint8[5, 4]; None"},
        RuleRow{"Int8Weights",
                "(%x: bfloat16[2, 4], %w: int8[5, 4], %s: bfloat16[5]) "
                "{ %r = aten::_weight_int8pack_mm(%x, %w, %s) return %r }",
                "bfloat16[2, 5]", "0/80"},
        RuleRow{"Int4Weights",
                "(%x: bfloat16[2, 64], %w: uint8[32, 32], %s: bfloat16[2, 32, 2]) "
                "{ %p = aten::_convert_weight_to_int4pack(%w, 2) "
                "%r = aten::_weight_int4pack_mm(%x, %p, 32, %s) return %p, %r }",
                "int32[4, 2, 32, 1]; bfloat16[2, 32]"},
        RuleRow{"Add", "(%x: quint8[2, 1], %y: quint8[3]) { %r = quantized::add(%x, %y, 0.1, 0) return %r }",
                "quint8[2, 3]"},
        RuleRow{"AddANumber", "(%x: quint8[2, 1]) { %r = quantized::add_scalar(%x, 3) return %r }", "quint8[2, 1]"},
        RuleRow{"AddDoesNotFit", "(%x: quint8[2], %y: quint8[3]) { %r = quantized::mul(%x, %y, 0.1, 0) return %r }",
                "!cannot broadcast [2] with [3] unknown"},
        RuleRow{"Cat", "(%x: quint8[2, s0], %y: quint8[2, 3]) { %r = quantized::cat([%x, %y], -1, 0.1, 0) return %r }",
                "quint8[2, s0 + 3]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, Quantization,
    testing::Values(
        RuleRow{"QuantizeToTheZeroPointsType",
                "(%x: float32[2, s0], %s: float32[], %z: int8[]) "
                "{ %r = onnx::QuantizeLinear(%x, %s, %z) return %r }",
                "int8[2, s0]", "0/2*s0"},
        RuleRow{"QuantizeToBytes", "(%x: float32[2], %s: float32[]) { %r = onnx::QuantizeLinear(%x, %s) return %r }",
                "uint8[2]"},
        RuleRow{"QuantizeToAsked",
                "(%x: float32[2], %s: float32[]) { %r = onnx::QuantizeLinear(%x, %s, output_dtype=5) "
                "return %r }",
                "int16[2]"},
        RuleRow{"DequantizeToTheScalesType",
                "(%x: int8[2], %s: float16[]) { %r = onnx::DequantizeLinear(%x, %s) return %r }", "float16[2]"},
        RuleRow{"Dynamic", "(%x: float32[2, 3]) { %r, %s, %z = onnx::DynamicQuantizeLinear(%x) return %r, %s, %z }",
                "uint8[2, 3]; float32[]; uint8[]"},
        RuleRow{"QLinearAdd",
                "(%x: uint8[2, 1], %y: uint8[3], %s: float32[], %z: uint8[]) "
                "{ %r = com.microsoft::QLinearAdd(%x, %s, %z, %y, %s, %z, %s, %z) return %r }",
                "uint8[2, 3]"},
        RuleRow{"RowsOfBytes",
                "(%w: uint8[10, 24], %i: int64[6], %o: int64[3], %p: float32[9, 16]) { "
                "%r = quantized::embedding_bag_byte_rowwise_offsets(weight=%w, indices=%i, offsets=%o) "
                "%s = quantized::embedding_bag_4bit_rowwise_offsets(weight=%w, indices=%i, offsets=%o, "
                "include_last_offset=true) %k = quantized::embedding_bag_prepack(%p) "
                "%t = quantized::embedding_bag_byte(weight=%k, indices=%i, offsets=%o) "
                "%u = quantized::embedding_bag_unpack(%k) return %r, %s, %t, %u }",
                "float32[3, 16]; float32[2, 40]; float32[3, 16]; float32[9, 16]"},
        RuleRow{"QLinearConcat",
                "(%x: uint8[2, 1], %y: uint8[2, 3], %s: float32[], %z: uint8[]) "
                "{ %r = com.microsoft::QLinearConcat(%s, %z, %x, %s, %z, %y, %s, %z, axis=1) return %r }",
                "uint8[2, 4]"},
        RuleRow{"Ordered",
                "(%x: float16[2, s0], %s: float16[]) { %q = com.microsoft::QuantizeWithOrder(%x, %s, order_input=1, "
                "order_output=2) %r = com.microsoft::DequantizeWithOrder(%q, %s, to=10) return %q, %r }",
                "int8[2, s0]; float16[2, s0]"},
        RuleRow{"BlockFloatingPoint",
                "(%x: float32[2, s0]) { %q, %n, %t = com.microsoft::QuantizeBFP(%x, bfp_type=1) "
                "%r = com.microsoft::DequantizeBFP(%q, %n, %t, bfp_type=1, dtype=10) return %q, %n, %t, %r }",
                "uint8[bytes_0]; int64[2] = [2, s0]; int64[2]; float16[2, s0]", "0/4*s0"},
        RuleRow{"BlockFloatingPointOfAShapeNobodyKnows",
                "(%x: uint8[24], %n: int64[3]) { %r = com.microsoft::DequantizeBFP(%x, %n, %n, bfp_type=1) return %r }",
                "float32[?, ?, ?]"},
        RuleRow{"MulInteger",
                "(%x: uint8[2, s0], %z: uint8[], %y: uint8[s0]) { %r = com.microsoft::MulInteger(%x, %z, %y, %z) "
                "return %r }",
                "int32[2, s0]"},
        RuleRow{"MulIntegerDoesNotFit",
                "(%x: uint8[2, 3], %y: uint8[4]) { %r = com.microsoft::MulInteger(%x, none, %y) return %r }",
                "!cannot broadcast [2, 3] with [4] unknown"}),
    rowName);

} // namespace

} // namespace cutaway::test
