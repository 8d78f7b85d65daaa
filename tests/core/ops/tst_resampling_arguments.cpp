// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/resampling_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string wordOf(std::optional<ops::Interpolation> interpolation)
{
    constexpr std::string_view names[] = {"nearest", "nearest exact", "linear", "cubic"};
    return interpolation ? std::string(names[static_cast<std::size_t>(*interpolation)]) : "?";
}

std::string print(const ops::UpsampleArguments &given)
{
    Fields fields;
    fields.add(wordOf(given.interpolation), "");
    fields.flag("aligns corners", given.alignsCorners, false);
    fields.flag("antialiased", given.isAntialiased, false);
    if (given.sizes)
        fields.add("sizes", textOf(*given.sizes));
    for (const ops::Given<double> &scale : given.scales)
        fields.given("scale", scale);
    for (std::size_t i = 0; i < given.scales.size(); ++i)
        if (given.positionScale(i) != given.scales[i])
            fields.add("positions of", std::to_string(i) + (given.positionScale(i) ? " ?" : " by sizes"));
    return std::move(fields).text();
}

class UpsampleArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(UpsampleArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::upsampleArguments(call, 2)); }),
              GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, UpsampleArguments,
    testing::Values(
        ArgumentsRow{"Sizes",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::upsample_nearest2d.vec(%x, [4, 5], none) return %r }",
                     "nearest, sizes [4, 5]"},
        ArgumentsRow{"Scales",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::upsample_bilinear2d.vec(%x, none, true, [2.0, 3.0]) "
                     "return %r }",
                     "linear, aligns corners, scale 2, scale 3"},
        ArgumentsRow{
            "ScalesBesideSizes",
            "(%x: float32[1, 3, 9, 9]) { %r = aten::upsample_bicubic2d.default(%x, [18, 27], false, none, 3.0) "
            "return %r }",
            "cubic, sizes [18, 27], scale 3"},
        ArgumentsRow{"Antialiased",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::_upsample_bilinear2d_aa.default(%x, [4, 4], false) "
                     "return %r }",
                     "linear, antialiased, sizes [4, 4]"},
        ArgumentsRow{"Exact",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::_upsample_nearest_exact2d.default(%x, [4, 4]) return %r }",
                     "nearest exact, sizes [4, 4]"},
        ArgumentsRow{"OneScaleForAll",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::__interpolate.default(%x, none, 2.0, \"bilinear\", false, "
                     "none, false) return %r }",
                     "linear, scale 2, scale 2"},
        ArgumentsRow{"RecomputedScales",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::__interpolate.default(%x, none, 2.5, \"nearest\", none, "
                     "true, false) return %r }",
                     "nearest, scale 2.5, scale 2.5, positions of 0 by sizes, positions of 1 by sizes"},
        ArgumentsRow{"OneSizeForAll",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::__interpolate.default(%x, 7, none, \"area\", none, none, "
                     "false) return %r }",
                     "?, sizes [7]"},
        ArgumentsRow{"NobodyKnowsTheScale",
                     "(%x: float32[1, 3, 9, 9], %s: float) { %r = aten::__interpolate.default(%x, none, %s, "
                     "\"nearest\", none, none, false) return %r }",
                     "nearest, scale ?, scale ?"}),
    rowName);

std::string print(const ops::GridSampleArguments &given)
{
    constexpr std::string_view outsides[] = {"zeros", "border", "reflection"};
    Fields fields;
    fields.add(wordOf(given.interpolation), "");
    fields.add(given.outside ? outsides[static_cast<std::size_t>(*given.outside)] : "?", "");
    fields.flag("aligns corners", given.alignsCorners, false);
    return std::move(fields).text();
}

class GridSampleArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(GridSampleArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::gridSampleArguments(call)); }),
              GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, GridSampleArguments,
    testing::Values(
        ArgumentsRow{"ByNumbers",
                     "(%x: float32[1, 3, 9, 9], %g: float32[1, 2, 2, 2]) { %r = aten::grid_sampler.default(%x, %g, 2, "
                     "1, true) return %r }",
                     "cubic, border, aligns corners"},
        ArgumentsRow{"OtherNumbers",
                     "(%x: float32[1, 3, 9, 9], %g: float32[1, 2, 2, 2]) { %r = aten::grid_sampler.default(%x, %g, 3, "
                     "-1, false) return %r }",
                     "?, ?"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, GridSampleArguments,
    testing::Values(
        ArgumentsRow{"Defaults",
                     "(%x: float32[1, 3, 9, 9], %g: float32[1, 2, 2, 2]) { %r = onnx::GridSample(%x, %g) return %r }",
                     "linear, zeros"},
        ArgumentsRow{"OfOpset16",
                     "(%x: float32[1, 3, 9, 9], %g: float32[1, 2, 2, 2]) { %r = onnx::GridSample(%x, %g, "
                     "mode=\"bicubic\", padding_mode=\"reflection\", align_corners=1) return %r }",
                     "cubic, reflection, aligns corners"},
        ArgumentsRow{"OfOpset20",
                     "(%x: float32[1, 3, 9, 9], %g: float32[1, 2, 2, 2]) { %r = onnx::GridSample(%x, %g, "
                     "mode=\"cubic\", padding_mode=\"border\") return %r }",
                     "cubic, border", "opset \"ai.onnx\" 20\n"},
        ArgumentsRow{"OtherWords",
                     "(%x: float32[1, 3, 9, 9], %g: float32[1, 2, 2, 2]) { %r = onnx::GridSample(%x, %g, "
                     "mode=\"area\", padding_mode=\"wrap\") return %r }",
                     "?, ?"}),
    rowName);

std::string print(const ops::ResizeArguments &given)
{
    constexpr std::string_view policies[] = {"stretch", "not larger", "not smaller"};
    Fields fields;
    fields.add(wordOf(given.interpolation), "");
    fields.add(given.coordinates ? onnxName(*given.coordinates) : "?", "");
    fields.add(given.rounding ? onnxName(*given.rounding) : "?", "");
    if (given.policy != ops::ResizePolicy::Stretch)
        fields.add(given.policy ? policies[static_cast<std::size_t>(*given.policy)] : "?", "");
    fields.number("coefficient", given.cubicCoefficient, -0.75);
    fields.number("extrapolates", given.extrapolation, 0);
    fields.flag("excludes outside", given.excludesOutside, false);
    fields.flag("antialiased", given.isAntialiased, false);
    fields.flag("old", given.isOld, false);
    fields.add("scales #" + std::to_string(given.scales()), "");
    std::string axes;
    const auto resized = given.resizedAxes(4);
    for (const std::size_t axis : resized.value_or(std::vector<std::size_t>()))
        axes += std::to_string(axis);
    fields.add("axes", resized ? axes : "?");
    return std::move(fields).text();
}

class ResizeArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(ResizeArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::resizeArguments(call)); }),
              GetParam().arguments);
}

ArgumentsRow resizeRow(std::string name, const std::string &attributes, std::string arguments,
                       const std::string &opset = "18")
{
    return {std::move(name),
            "(%x: float32[1, 3, 9, 9], %s: float32[4]) { %r = onnx::Resize(%x, none, %s" + attributes + ") return %r }",
            std::move(arguments), "opset \"ai.onnx\" " + opset + "\n"};
}

INSTANTIATE_TEST_SUITE_P(
    Onnx, ResizeArguments,
    testing::Values(
        resizeRow("Defaults", "", "nearest, half_pixel, round_prefer_floor, scales #2, axes 0123"),
        resizeRow("Words",
                  ", mode=\"cubic\", coordinate_transformation_mode=\"align_corners\", nearest_mode=\"ceil\", "
                  "keep_aspect_ratio_policy=\"not_smaller\"",
                  "cubic, align_corners, ceil, not smaller, scales #2, axes 0123"),
        resizeRow("Numbers", ", mode=\"linear\", cubic_coeff_a=-0.5, extrapolation_value=2.0",
                  "linear, half_pixel, round_prefer_floor, coefficient -0.5, extrapolates 2, scales #2, axes 0123"),
        resizeRow("Flags", ", mode=\"linear\", antialias=1, exclude_outside=1",
                  "linear, half_pixel, round_prefer_floor, excludes outside, antialiased, scales #2, axes 0123"),
        resizeRow("Axes", ", axes=[-1, 2]", "nearest, half_pixel, round_prefer_floor, scales #2, axes 32"),
        resizeRow("AxesThatAreNone", ", axes=[4]", "nearest, half_pixel, round_prefer_floor, scales #2, axes ?"),
        resizeRow("OtherWords",
                  ", mode=\"nearest_exact\", coordinate_transformation_mode=\"corner\", nearest_mode=\"even\", "
                  "keep_aspect_ratio_policy=\"any\"",
                  "?, ?, ?, ?, scales #2, axes 0123"),
        ArgumentsRow{"OfOpset10", "(%x: float32[1, 3, 9, 9], %s: float32[4]) { %r = onnx::Resize(%x, %s) return %r }",
                     "nearest, asymmetric, floor, old, scales #1, axes 0123", "opset \"ai.onnx\" 10\n"},
        ArgumentsRow{"Upsample",
                     "(%x: float32[1, 3, 9, 9], %s: float32[4]) { %r = onnx::Upsample(%x, %s, mode=\"bilinear\") "
                     "return %r }",
                     "linear, asymmetric, floor, old, scales #1, axes 0123", "opset \"ai.onnx\" 9\n"}),
    rowName);

} // namespace
} // namespace cutaway::test
