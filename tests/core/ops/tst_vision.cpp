// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "tests/core/ops/rule_test.h"

#include <array>
#include <bit>

namespace cutaway::test {

namespace {

class Vision : public testing::TestWithParam<RuleRow> { };

TEST_P(Vision, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// One result per region of interest.
INSTANTIATE_TEST_SUITE_P(Regions, Vision,
                         testing::Values(RuleRow{"Aligned",
                                                 "(%x: float32[1, 256, s0, s1], %b: float32[s2, 5]) { %r = "
                                                 "torchvision::roi_align(%x, %b, 0.25, 7, 7, 2, false) return %r }",
                                                 "float32[s2, 256, 7, 7]"},
                                         RuleRow{"Pooled",
                                                 "(%x: float32[1, 256, 50, 50], %b: float32[s2, 5]) { %r, %r1 = "
                                                 "torchvision::roi_pool(%x, %b, 0.25, 7, 6) return %r, %r1 }",
                                                 "float32[s2, 256, 7, 6]; int32[s2, 256, 7, 6]"},
                                         RuleRow{"PositionSensitive",
                                                 "(%x: float32[1, 98, 50, 50], %b: float32[3, 5]) { %r, %r1 = "
                                                 "torchvision::ps_roi_align(%x, %b, 0.25, 7, 7, 2) return %r, %r1 }",
                                                 "float32[3, 2, 7, 7]; int32[3, 2, 7, 7]"},
                                         RuleRow{"Onnx",
                                                 "(%x: float32[1, 256, 50, 50], %b: float32[s2, 4], %i: int64[s2]) { "
                                                 "%r = onnx::RoiAlign(%x, %b, %i, output_height=7) return %r }",
                                                 "float32[s2, 256, 7, 1]"},
                                         RuleRow{"OnnxMax",
                                                 "(%x: float32[1, 256, 50, 50], %b: float32[s2, 5]) { %r = "
                                                 "onnx::MaxRoiPool(%x, %b, pooled_shape=[7, 6]) return %r }",
                                                 "float32[s2, 256, 7, 6]"},
                                         RuleRow{"UnknownRank",
                                                 "(%x: float32[*], %b: float32[3, 5]) { %r = "
                                                 "torchvision::roi_align(%x, %b, 0.25, 7, 7, 2, false) return %r }",
                                                 "!the input's rank is not known unknown"}),
                         rowName);

// How many boxes are left only the data know.
INSTANTIATE_TEST_SUITE_P(
    Boxes, Vision,
    testing::Values(
        RuleRow{"Suppressed", "(%b: float32[s0, 4], %s: float32[s0]) { %r = torchvision::nms(%b, %s, 0.5) return %r }",
                "int64[u_0]"},
        RuleRow{"SuppressedByOnnx",
                "(%b: float32[1, 9, 4], %s: float32[1, 2, 9], %m: int64[1]) { %r = onnx::NonMaxSuppression(%b, %s, %m) "
                "return %r }",
                "int64[u_0, 3]"},
        RuleRow{"NoneAreWanted",
                "(%b: float32[1, 9, 4], %s: float32[1, 2, 9]) { %r = onnx::NonMaxSuppression(%b, %s) return %r }",
                "int64[0, 3]"},
        RuleRow{"Overlaps",
                "(%a: float32[s0, 5], %b: float32[7, 5]) { %r = torchvision::box_iou_rotated(%a, %b) return %r }",
                "float32[s0, 7]"},
        RuleRow{"Decoded", R"((%b: uint8[s0]) { %r = onnx::ImageDecoder(%b, pixel_format="Grayscale") return %r })",
                "uint8[height_0, width_1, 1]"}),
    rowName);

// Three boxes: the second lies on the first, the third is elsewhere. Of constants the number is known.
TEST(NonMaxSuppression, ofConstantsIsComputed)
{
    const std::string graph = R"(() { weight %b = @b weight %s = @s
        %r = onnx::NonMaxSuppression(%b, %s, 5, 0.5)
        %t = onnx::NonMaxSuppression(%b, %s, 5, 0.99)
        %u = onnx::NonMaxSuppression(%b, %s, 5, 0.99, 0.75)
        return %r, %t, %u })";
    const auto floats = [](std::initializer_list<float> values) {
        std::string text;
        for (const float value : values)
            for (const auto byte : std::bit_cast<std::array<unsigned char, 4>>(value))
                text += formatted("\\x{:02x}", byte);
        return text;
    };
    const std::string header = "storage 0: 48 bytes data \"" + floats({0, 0, 1, 1, 0, 0, 1, 1.1F, 2, 2, 3, 3})
        + "\" storage 1: 12 bytes data \"" + floats({0.9F, 0.8F, 0.7F})
        + "\" tensor @b: float32[1, 3, 4] in storage 0 tensor @s: float32[1, 1, 3] in storage 1 ";
    EXPECT_EQ(inferred(graph, header), "int64[2, 3]; int64[3, 3]; int64[2, 3]");
}

} // namespace

} // namespace cutaway::test
