// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Resampling : public testing::TestWithParam<RuleRow> { };

TEST_P(Resampling, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// The size is given or is the input's times a factor, rounded down.
INSTANTIATE_TEST_SUITE_P(
    Torch, Resampling,
    testing::Values(
        RuleRow{"ToASize",
                "(%x: float32[s0, 3, 4, 5]) { %r = aten::upsample_bilinear2d.default(%x, [8, 9], false) return %r }",
                "float32[s0, 3, 8, 9]", "0/216*s0"},
        RuleRow{"ByFactors",
                "(%x: float32[1, 3, s0, 5]) { %r = aten::upsample_nearest2d.vec(%x, none, [2.0, 1.5]) return %r }",
                "float32[1, 3, 2*s0, 7]"},
        RuleRow{"ByHalf",
                "(%x: float32[1, 3, s0, 5]) { %r = aten::upsample_nearest2d.vec(%x, none, [0.5, 0.5]) return %r }",
                "float32[1, 3, s0//2, 2]"},
        RuleRow{"ByNoFraction",
                "(%x: float32[1, 3, s0]) { %r = aten::upsample_linear1d.vec(%x, none, false, [1.3]) return %r }",
                "float32[1, 3, floor(s0*1.3)]"},
        RuleRow{"SizeOfTwo",
                "(%x: float32[1, 3, 4, 5]) { %r = aten::upsample_bicubic2d.vec(%x, [7, 8], false, none) return %r }",
                "float32[1, 3, 7, 8]"},
        RuleRow{"ToAnotherRank",
                "(%x: float32[1, 3, 4, 5]) { %r = aten::upsample_nearest3d.default(%x, [7, 8, 9]) return %r }",
                "!the output size is not known unknown"},
        RuleRow{"Grid",
                "(%x: float32[s0, 3, 8, 8], %g: float32[s0, 4, 5, 2]) { %r = aten::grid_sampler.default(%x, %g, 0, 0, "
                "true) return %r }",
                "float32[s0, 3, 4, 5]"},
        RuleRow{"GridOfAnotherRank",
                "(%x: float32[1, 3, 8, 8], %g: float32[1, 4, 2]) { %r = aten::grid_sampler.default(%x, %g, 0, 0, true) "
                "return %r }",
                "!an input of 4 dimensions and a grid of 3 unknown"},
        RuleRow{"Affine",
                "(%t: float32[2, 2, 3]) { %r = aten::affine_grid_generator.default(%t, [2, 3, 4, 5], true) return %r }",
                "float32[2, 4, 5, 2]"}),
    rowName);

// Sizes or scales of all dimensions or of some.
INSTANTIATE_TEST_SUITE_P(
    Onnx, Resampling,
    testing::Values(
        RuleRow{
            "Scales",
            R"((%x: float32[1, 1, 2, s0]) { %r = onnx::Resize(%x, none, [1.0, 1.0, 2.0, 0.5]) return %r } opset "ai.onnx" 13)",
            "float32[1, 1, 4, s0//2]"},
        RuleRow{
            "ScalesOfVersion10",
            R"((%x: float32[1, 1, 2, 4]) { %r = onnx::Resize(%x, [1.0, 1.0, 0.6, 0.6]) return %r } opset "ai.onnx" 10)",
            "float32[1, 1, 1, 2]"},
        RuleRow{
            "InSinglePrecision",
            R"((%x: float32[1, 1, 3, 9]) { %r = onnx::Resize(%x, none, [1.0, 1.0, 1.3333334, 0.7]) return %r } opset "ai.onnx" 13)",
            "float32[1, 1, 4, 6]"},
        RuleRow{
            "Sizes",
            R"((%x: float32[s0, 1, 2, 2]) { %r = onnx::Resize(%x, none, none, [1, 1, 7, 8]) return %r } opset "ai.onnx" 13)",
            "float32[1, 1, 7, 8]"},
        RuleRow{
            "SizesOfAxes",
            R"((%x: float32[s0, 1, 2, 2]) { %r = onnx::Resize(%x, none, none, [7, 8], axes=[3, 2]) return %r } opset "ai.onnx" 18)",
            "float32[s0, 1, 8, 7]"},
        RuleRow{
            "NotLarger",
            R"((%x: float32[1, 1, 2, 4]) { %r = onnx::Resize(%x, none, none, [7, 8], axes=[2, 3], keep_aspect_ratio_policy="not_larger") return %r } opset "ai.onnx" 18)",
            "float32[1, 1, 4, 8]"},
        RuleRow{
            "NotSmaller",
            R"((%x: float32[1, 1, 2, 4]) { %r = onnx::Resize(%x, none, none, [7, 8], axes=[2, 3], keep_aspect_ratio_policy="not_smaller") return %r } opset "ai.onnx" 18)",
            "float32[1, 1, 7, 14]"},
        RuleRow{
            "UnknownScales",
            R"((%x: float32[1, 1, 2, 4], %s: float32[4]) { %r = onnx::Resize(%x, none, %s) return %r } opset "ai.onnx" 13)",
            "!the scales are not known float32[?, ?, ?, ?]"},
        RuleRow{"TooFewScales",
                R"((%x: float32[1, 1, 2, 4]) { %r = onnx::Resize(%x, none, [2.0, 2.0]) return %r } opset "ai.onnx" 13)",
                "!2 scales for 4 dimensions unknown"},
        RuleRow{
            "OldUpsample",
            R"((%x: float32[1, 1, 2, 3]) { %r = onnx::Upsample(%x, scales=[1.0, 1.0, 2.0, 3.0]) return %r } opset "ai.onnx" 7)",
            "float32[1, 1, 4, 9]"},
        RuleRow{
            "OldestUpsample",
            R"((%x: float32[1, 1, 2, 3]) { %r = onnx::Upsample(%x, height_scale=2.0, width_scale=3.0) return %r } opset "ai.onnx" 1)",
            "float32[1, 1, 4, 9]"},
        RuleRow{"Grid",
                "(%x: float32[1, 1, 4, 4], %g: float32[1, 6, s0, 2]) { %r = onnx::GridSample(%x, %g) return %r }",
                "float32[1, 1, 6, s0]"},
        RuleRow{"Affine", "(%t: float32[2, 3, 4]) { %r = onnx::AffineGrid(%t, [2, 3, 4, 5, 6]) return %r }",
                "float32[2, 4, 5, 6, 3]"},
        RuleRow{"OnnxNegativeScale",
                "(%x: float32[1, 3, 8, 8]) { %s = onnx::Constant(value_floats=[1.0, 1.0, -2.0, 1.0]) %r = "
                "onnx::Resize(%x, none, %s) return %r } opset \"ai.onnx\" 13",
                "!a tensor cannot have the shape [1, 3, -16, 8] unknown"}),
    rowName);

} // namespace

} // namespace cutaway::test
