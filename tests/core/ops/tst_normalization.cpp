// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Normalization : public testing::TestWithParam<RuleRow> { };

TEST_P(Normalization, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// The result is as the input; kernels also tell statistics.
INSTANTIATE_TEST_SUITE_P(
    Torch, Normalization,
    testing::Values(
        RuleRow{"Batch",
                "(%x: float32[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r = aten::batch_norm.default(%x, %w, "
                "%w, %m, %m, false, 0.1, 1e-05, true) return %r }",
                "float32[s0, 8, 4, 4]", "0/128*s0"},
        RuleRow{"BatchOfOtherChannels",
                "(%x: float32[2, 4, 4], %w: float32[8]) { %r = aten::batch_norm.default(%x, %w, %w, none, none, true, "
                "0.1, 1e-05, true) return %r }",
                "!the input has 4 channels, the weight 8 unknown"},
        RuleRow{"NativeTrains",
                "(%x: float32[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r, %r1, %r2 = "
                "aten::native_batch_norm.default(%x, %w, %w, %m, %m, true, 0.1, 1e-05) return %r, %r1, %r2 }",
                "float32[s0, 8, 4, 4]; float32[8]; float32[8]"},
        RuleRow{
            "NativeEvaluates",
            "(%x: float32[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r, %r1, %r2 = "
            "aten::_native_batch_norm_legit_no_training.default(%x, %w, %w, %m, %m, 0.1, 1e-05) return %r, %r1, %r2 }",
            "float32[s0, 8, 4, 4]; float32[0]; float32[0]"},
        RuleRow{"Indexed",
                "(%x: float32[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r, %r1, %r2, %r3, %r4 = "
                "aten::_batch_norm_impl_index.default(%x, %w, %w, %m, %m, true, 0.1, 1e-05, true) return %r, %r1, %r2, "
                "%r3, %r4 }",
                "float32[s0, 8, 4, 4]; float32[8]; float32[8]; uint8[0]; 0"},
        RuleRow{"Functional",
                "(%x: float32[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r, %r1, %r2, %r3, %r4 = "
                "aten::_native_batch_norm_legit_functional.default(%x, %w, %w, %m, %m, true, 0.1, 1e-05) return %r, "
                "%r1, %r2, %r3, %r4 }",
                "float32[s0, 8, 4, 4]; float32[8]; float32[8]; float32[8]; float32[8]"},
        RuleRow{"MixedTypes",
                "(%x: bfloat16[2, 8, 4], %w: float32[8]) { %r, %r1, %r2 = aten::native_batch_norm.default(%x, %w, %w, "
                "none, none, true, 0.1, 1e-05) return %r, %r1, %r2 }",
                "bfloat16[2, 8, 4]; tensor[8]; tensor[8]"},
        RuleRow{
            "Layer",
            "(%x: float32[s0, 7, 16], %w: float32[16]) { %r = aten::layer_norm.default(%x, [16], %w, %w) return %r }",
            "float32[s0, 7, 16]"},
        RuleRow{"LayerOfAnotherSize", "(%x: float32[s0, 7, 16]) { %r = aten::layer_norm.default(%x, [8]) return %r }",
                "!normalized_shape is [8], the input [s0, 7, 16] unknown"},
        RuleRow{"NativeLayer",
                "(%x: float32[s0, 7, 16], %w: float32[7, 16]) { %r, %r1, %r2 = aten::native_layer_norm.default(%x, [7, "
                "16], %w, %w, 1e-05) return %r, %r1, %r2 }",
                "float32[s0, 7, 16]; float32[s0, 1, 1]; float32[s0, 1, 1]"},
        RuleRow{"NativeGroup",
                "(%x: float32[2, 8, 4, 4]) { %r, %r1, %r2 = aten::native_group_norm.default(%x, none, none, 2, 8, 16, "
                "4, 1e-05) return %r, %r1, %r2 }",
                "float32[2, 8, 4, 4]; float32[2, 4]; float32[2, 4]"},
        RuleRow{"Rms", "(%x: float32[2, 16], %w: float32[16]) { %r = aten::rms_norm.default(%x, [16], %w) return %r }",
                "float32[2, 16]"},
        RuleRow{"RmsOfMixedTypes",
                "(%x: float16[2, 16], %w: float32[16]) { %r = aten::rms_norm.default(%x, [16], %w) return %r }",
                "tensor[2, 16]"},
        RuleRow{"Weight",
                "(%v: float32[8, 4, 3], %g: float32[8, 1, 1]) { %r, %r1 = aten::_weight_norm_interface.default(%v, %g) "
                "return %r, %r1 }",
                "float32[8, 4, 3]; float32[8, 1, 1]"},
        RuleRow{"NormsOfSlices", "(%v: float32[8, 4, 3]) { %r = aten::norm_except_dim.default(%v, 2, 1) return %r }",
                "float32[1, 4, 1]"},
        RuleRow{"UnknownRank",
                "(%x: float32[*]) { %r = aten::instance_norm.default(%x, none, none, none, none, true, 0.1, 1e-05, "
                "true) return %r }",
                "float32", "0/?"}),
    rowName);

// Versions and domains differ in what else they tell.
INSTANTIATE_TEST_SUITE_P(
    Onnx, Normalization,
    testing::Values(
        RuleRow{"Batch",
                "(%x: float32[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r = onnx::BatchNormalization(%x, %w, "
                "%w, %m, %m) return %r }",
                "float32[s0, 8, 4, 4]"},
        RuleRow{
            "BatchTrains",
            R"((%x: float16[s0, 8, 4, 4], %w: float32[8], %m: float32[8]) { %r, %r1, %r2 = onnx::BatchNormalization(%x, %w, %w, %m, %m, training_mode=1) return %r, %r1, %r2 } opset "ai.onnx" 15)",
            "float16[s0, 8, 4, 4]; float32[8]; float32[8]"},
        RuleRow{
            "Layer",
            R"((%x: float16[s0, 7, 16], %w: float16[16]) { %r, %r1, %r2 = onnx::LayerNormalization(%x, %w, axis=-1) return %r, %r1, %r2 } opset "ai.onnx" 17)",
            "float16[s0, 7, 16]; float32[s0, 7, 1]; float32[s0, 7, 1]"},
        RuleRow{
            "LayerOfNoSuchAxis",
            R"((%x: float32[2, 3], %w: float32[3]) { %r = onnx::LayerNormalization(%x, %w, axis=2) return %r } opset "ai.onnx" 17)",
            "!there is no axis 2 of 2 unknown"},
        RuleRow{
            "RmsHasTheTypeOfItsScale",
            R"((%x: float32[2, 16], %w: float16[16]) { %r = onnx::RMSNormalization(%x, %w) return %r } opset "ai.onnx" 23)",
            "float16[2, 16]"},
        RuleRow{"Skip",
                "(%x: float16[s0, 7, 16], %w: float16[16]) { %r, %r1, %r2, %r3 = "
                "com.microsoft::SkipLayerNormalization(%x, %x, %w, %w) return %r, %r1, %r2, %r3 }",
                "float16[s0, 7, 16]; float32[s0, 7, 1]; float32[s0, 7, 1]; float16[s0, 7, 16]"},
        RuleRow{"Embed",
                "(%i: int32[s0, 7], %e: float32[100, 16], %w: float32[16]) { %r, %r1 = "
                "com.microsoft::EmbedLayerNormalization(%i, none, %e, %e, none, %w, %w) return %r, %r1 }",
                "float32[s0, 7, 16]; int32[s0]"},
        RuleRow{"LayerGradients",
                "(%g: float16[s0, 7, 16], %s: float32[s0, 7, 1], %w: float16[16]) { %r, %r1, %r2 = "
                "aten::native_layer_norm_backward.default(%g, %g, [16], %s, %s, %w, %w, [true, true, false]) "
                "return %r, %r1, %r2 }",
                "float16[s0, 7, 16]; float16[16]; None"},
        RuleRow{"GroupGradients",
                "(%g: float32[2, 8, 5], %s: float32[2, 4]) { %r, %r1, %r2 = "
                "aten::native_group_norm_backward.default(%g, %g, %s, %s, none, 2, 8, 5, 4, [true, true, true]) "
                "return %r, %r1, %r2 }",
                "float32[2, 8, 5]; float32[8]; float32[8]"},
        RuleRow{"Scaler", "(%x: int64[s0, 3]) { %r = ai.onnx.ml::Scaler(%x, offset=[1.0], scale=[2.0]) return %r }",
                "float32[s0, 3]"},
        RuleRow{"QuantizedEmbedding",
                "(%i: int32[2, s0], %e: uint8[99, 64], %s: float32[]) { %r, %m = "
                "com.microsoft::QEmbedLayerNormalization(%i, none, %e, %e, none, %s, %s, none, %s) return %r, %m }",
                "float32[2, s0, 64]; int32[2]"}),
    rowName);

} // namespace

} // namespace cutaway::test
