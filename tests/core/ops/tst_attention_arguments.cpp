// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/attention_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

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

class AttentionArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(AttentionArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::attentionArguments(call)); }),
              GetParam().arguments);
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

} // namespace
} // namespace cutaway::test
