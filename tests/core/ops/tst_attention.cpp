// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Attention : public testing::TestWithParam<RuleRow> { };

TEST_P(Attention, infers)
{
    const std::string header = "opset \"ai.onnx\" 23\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Torch, Attention,
    testing::Values(
        // 2·2·8·5·7·(4 + 6) and five operations for each of 2·8·5·7 weights
        RuleRow{"ScaledDotProduct",
                "(%q: float16[2, 8, 5, 4], %k: float16[2, 8, 7, 4], %v: float16[2, 8, 7, 6]) "
                "{ %r = aten::scaled_dot_product_attention(%q, %k, %v) return %r }",
                "float16[2, 8, 5, 6]", "11200/2800"},
        RuleRow{"OfSymbols",
                "(%q: float32[s0, 8, s1, 4]) { %r = aten::scaled_dot_product_attention(%q, %q, %q) return %r }",
                "float32[s0, 8, s1, 4]", "128*s0*s1**2/40*s0*s1**2"},
        RuleRow{"WithoutHeads", "(%q: float32[5, 4]) { %r = aten::scaled_dot_product_attention(%q, %q, %q) return %r }",
                "float32[5, 4]", "400/125"},
        RuleRow{"GroupedHeads",
                "(%q: float32[1, 8, 5, 4], %k: float32[1, 2, 5, 4]) "
                "{ %r = aten::scaled_dot_product_attention(%q, %k, %k, enable_gqa=true) return %r }",
                "float32[1, 8, 5, 4]", "3200/1000"},
        RuleRow{"DoesNotFit",
                "(%q: float32[1, 5, 4], %k: float32[1, 5, 3]) "
                "{ %r = aten::scaled_dot_product_attention(%q, %k, %k) return %r }",
                "!query, key and value do not fit: [1, 5, 4], [1, 5, 3], [1, 5, 3] unknown"},
        RuleRow{"UnknownKey",
                "(%q: float32[1, 5, 4], %k: float32[*]) { %r = aten::scaled_dot_product_attention(%q, %k, %k) "
                "return %r }",
                "!the number of dimensions of query, key or value is not known float32"},
        RuleRow{"FlashOnTheCpu",
                "(%q: bfloat16[2, 8, 5, 4]) "
                "{ %r, %l = aten::_scaled_dot_product_flash_attention_for_cpu(%q, %q, %q) return %r, %l }",
                "bfloat16[2, 8, 5, 4]; float32[2, 8, 5]", "6400/2000"},
        RuleRow{"FlashOfDoubles",
                "(%q: float64[2, 8, 5, 4]) "
                "{ %r, %l = aten::_scaled_dot_product_flash_attention_for_cpu(%q, %q, %q) return %l }",
                "float64[2, 8, 5]"},
        RuleRow{"Flash",
                "(%q: float16[2, 8, 5, 4]) "
                "{ %r, %l, %a, %b, %m, %n, %s, %o, %d = aten::_scaled_dot_product_flash_attention(%q, %q, %q) "
                "return %r, %l, %a, %m, %n }",
                "float16[2, 8, 5, 4]; float32[2, 8, 5]; None; 5; 5"},
        RuleRow{"Efficient",
                "(%q: float32[2, 8, 5, 4]) "
                "{ %r, %l, %s, %o = aten::_scaled_dot_product_efficient_attention(%q, %q, %q, none, true) "
                "return %r, %l, %s }",
                "float32[2, 8, 5, 4]; float32[2, 8, 32]; int64[]"},
        RuleRow{"EfficientWithoutSums",
                "(%q: float32[2, 8, 5, 4]) "
                "{ %r, %l, %s, %o = aten::_scaled_dot_product_efficient_attention(%q, %q, %q, none, "
                "false) return %l }",
                "float32[2, 8, 0]"},
        RuleRow{"Math",
                "(%q: float32[2, 5, 4], %k: float32[2, 7, 4]) "
                "{ %r, %w = aten::_scaled_dot_product_attention_math(%q, %k, %k) return %r, %w }",
                "float32[2, 5, 4]; float32[2, 5, 7]", "1120/350"},
        RuleRow{"HeadsAfterTheSequence",
                "(%q: float16[2, 5, 8, 4]) { %r, %l, %a, %b, %d = aten::_flash_attention_forward(%q, "
                "%q, %q, none, none, 5, 5, 0.0, false, false) return %r }",
                "float16[2, 5, 8, 4]", "6400/2000"},
        // three projections of 2·2·5·8·8, the attention 4·2·5·5·8, the last projection
        RuleRow{"NativeMultiHead",
                "(%x: float32[2, 5, 8], %w: float32[24, 8], %b: float32[24], %p: float32[8, 8], %c: float32[8]) "
                "{ %r, %a = aten::_native_multi_head_attention(%x, %x, %x, 8, 2, %w, %b, %p, %c) return %r, %a }",
                "float32[2, 5, 8]; float32[2, 5, 5]", "6720/0"},
        RuleRow{"NativeMultiHeadOfEachHead",
                "(%x: float32[2, 5, 8], %w: float32[24, 8], %b: float32[24], %p: float32[8, 8], %c: float32[8]) "
                "{ %r, %a = aten::_native_multi_head_attention(%x, %x, %x, 8, 2, %w, %b, %p, %c, none, true, false) "
                "return %a }",
                "float32[2, 2, 5, 5]"},
        RuleRow{"NativeMultiHeadWithoutWeights",
                "(%x: float32[2, 5, 8], %w: float32[24, 8], %b: float32[24], %p: float32[8, 8], %c: float32[8]) "
                "{ %r, %a = aten::_native_multi_head_attention(%x, %x, %x, 8, 2, %w, %b, %p, %c, none, false) return "
                "%r, %a }",
                "float32[2, 5, 8]; float32"},
        // the attention as above, and two products of 2·2·5·8·16
        RuleRow{
            "EncoderLayer",
            "(%x: float32[2, 5, 8], %w: float32[24, 8], %v: float32[8], %f: float32[16, 8], %g: float32[8, 16]) "
            "{ %r = aten::_transformer_encoder_layer_fwd(%x, 8, 2, %w, %v, %w, %v, false, false, 0.1, %v, %v, %v, %v, "
            "%f, %v, %g, %v) return %r }",
            "float32[2, 5, 8]", "11840/0"},
        RuleRow{"RescaledQkv",
                "(%x: float32[2, 5, 24], %b: float32[24]) "
                "{ %q, %k, %v = aten::_transform_bias_rescale_qkv(%x, %b, 2) return %q, %v }",
                "float32[2, 2, 5, 4]; float32[2, 2, 5, 4]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, Attention,
    testing::Values(
        RuleRow{"WithHeads",
                "(%q: float32[2, 8, 5, 4], %k: float32[2, 2, 7, 4], %v: float32[2, 2, 7, 6]) "
                "{ %r, %a, %b, %w = onnx::Attention(%q, %k, %v) return %r, %a, %b, %w }",
                "float32[2, 8, 5, 6]; float32[2, 2, 7, 4]; float32[2, 2, 7, 6]; float32[2, 8, 5, 7]", "11200/2800"},
        RuleRow{"HeadsByAttributes",
                "(%q: float32[2, 5, 32], %k: float32[2, 7, 8]) "
                "{ %r, %a = onnx::Attention(%q, %k, %k, q_num_heads=8, kv_num_heads=2) return %r, %a }",
                "float32[2, 5, 32]; float32[2, 2, 7, 4]"},
        RuleRow{"WithACache",
                "(%q: float32[2, 8, 1, 4], %p: float32[2, 8, s0, 4]) "
                "{ %r, %a, %b = onnx::Attention(%q, %q, %q, none, %p, %p) return %r, %a }",
                "float32[2, 8, 1, 4]; float32[2, 8, s0 + 1, 4]"},
        RuleRow{"HeadsNotGiven", "(%q: float32[2, 5, 32]) { %r = onnx::Attention(%q, %q, %q) return %r }",
                "!the shape of query, key or value is not known float32"},
        RuleRow{"Rotary",
                "(%x: float16[2, 8, s0, 4], %c: float16[9, 2]) { %r = onnx::RotaryEmbedding(%x, %c, %c) return %r }",
                "float16[2, 8, s0, 4]", "0/64*s0"},
        RuleRow{"Projected",
                "(%x: float32[2, 5, 8], %w: float32[8, 24], %b: float32[24]) "
                "{ %r, %p = com.microsoft::Attention(%x, %w, %b, num_heads=2) return %r, %p }",
                "float32[2, 5, 8]; float32[2, 2, 2, 5, 4]", "5440/500"},
        RuleRow{"ProjectedToSizes",
                "(%x: float32[2, 5, 8], %w: float32[8, 40], %b: float32[40]) "
                "{ %r = com.microsoft::Attention(%x, %w, %b, num_heads=2, qkv_hidden_sizes=[16, 16, 8]) "
                "return %r }",
                "float32[2, 5, 8]"},
        RuleRow{"Quantized",
                "(%x: uint8[2, 5, 8], %w: int8[8, 24], %b: float32[24], %s: float32[]) "
                "{ %r = com.microsoft::QAttention(%x, %w, %b, %s, %s, num_heads=2) return %r }",
                "float32[2, 5, 8]"},
        RuleRow{"MultiHead",
                "(%q: float32[2, 5, 8], %k: float32[2, 7, 8]) "
                "{ %r, %p = com.microsoft::MultiHeadAttention(%q, %k, %k, num_heads=2) return %r, %p }",
                "float32[2, 5, 8]; float32[2, 2, 7, 4]", "2240/700"},
        RuleRow{"PositionBias",
                "(%t: float32[32, 8], %n: int64[]) { %s = onnx::Constant(value_int=5) "
                "%r = com.microsoft::RelativePositionBias(%t, %s, %n) return %r }",
                "float32[1, 8, 5, ?]"},
        RuleRow{"MultiHeadPacked",
                "(%q: float32[2, 5, 2, 3, 4]) "
                "{ %r = com.microsoft::MultiHeadAttention(%q, num_heads=2) return %r }",
                "float32[2, 5, 8]"},
        RuleRow{"GroupedQueries",
                "(%q: float16[1, s0, 32], %k: float16[1, s0, 8], %n: int32[1], %t: int32[]) "
                "{ %r, %a = com.microsoft::GroupQueryAttention(%q, %k, %k, none, none, %n, %t, num_heads=8, "
                "kv_num_heads=2) return %r, %a }",
                "float16[1, s0, 32]; float16[1, 2, ?, 4]"},
        RuleRow{"GroupedQueriesPacked",
                "(%q: float16[1, 5, 48], %n: int32[1], %t: int32[]) "
                "{ %r = com.microsoft::GroupQueryAttention(%q, none, none, none, none, %n, %t, "
                "num_heads=8, kv_num_heads=2) return %r }",
                "float16[1, 5, 32]"},
        RuleRow{"LongformerIsNotCounted",
                "(%x: float16[2, s0, 64]) { %r = com.microsoft::LongformerAttention(%x) return %r }",
                "float16[2, s0, 64]", "?/0"},
        RuleRow{"PastAndPresentAreOne",
                "(%x: float16[2, 1, 64], %w: float16[64, 192], %b: float16[192], %p: float16[2, 2, 4, 100, 16]) { %r, "
                "%c = com.microsoft::DecoderMaskedSelfAttention(%x, %w, %b, none, %p, num_heads=4, "
                "past_present_share_buffer=1) return %r, %c }",
                "float16[2, 1, 64]; float16[2, 2, 4, 100, 16]"},
        RuleRow{"Packed",
                "(%x: float16[s0, 64], %w: float16[64, 192], %b: float16[192]) { %r = "
                "com.microsoft::PackedAttention(%x, %w, %b, num_heads=4) return %r }",
                "float16[s0, 64]", "?/0"},
        RuleRow{"PackedWithNarrowValues",
                "(%x: float16[s0, 64], %w: float16[64, 160], %b: float16[160]) { %r = "
                "com.microsoft::PackedAttention(%x, %w, %b, num_heads=4, qkv_hidden_sizes=[64, 64, 32]) return %r }",
                "float16[s0, 32]"},
        RuleRow{"PackedHeads",
                "(%q: float16[s0, 64], %v: float16[s0, 32], %p: float16[s0, 4, 3, 16]) { %r = "
                "com.microsoft::PackedMultiHeadAttention(%q, %q, %v, num_heads=4) %s = "
                "com.microsoft::PackedMultiHeadAttention(%p, num_heads=4) return %r, %s }",
                "float16[s0, 32]; float16[s0, 64]"},
        RuleRow{"Ordered",
                "(%x: int8[2, s0, 64], %w: int8[64, 32], %s: float32[]) { %r = com.microsoft::QOrderedAttention(%x, "
                "%s, %s, %s, %s, %w, %w, %w, num_heads=4) return %r }",
                "int8[2, s0, 32]"},
        RuleRow{"SequenceFirst",
                "(%q: float32[7, s0, 64], %k: float32[9, s0, 64]) { %r, %c, %d = com.microsoft::DecoderAttention(%q, "
                "%k, num_heads=4) return %r, %c, %d }",
                "float32[7, s0, 64]; float32[s0, 4, ?, 16]; float32[s0, 4, ?, 16]"},
        RuleRow{"GatedPositionBias",
                "(%q: float32[2, s0, 64], %t: float32[40, 64], %p: int32[3, 20]) { %r = "
                "com.microsoft::GatedRelativePositionBias(%q, num_heads=4) %s = "
                "com.microsoft::GatedRelativePositionBias(%t, none, none, none, none, none, %p, num_heads=4) return "
                "%r, %s }",
                "float32[2, 4, s0, s0]; float32[3, 4, 20, 20]"}),
    rowName);

} // namespace

} // namespace cutaway::test
