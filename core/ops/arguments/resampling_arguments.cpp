// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/resampling_arguments.h"

#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace cutaway::ops {

namespace {

/// Finds the interpolation in the mode of interpolate(), or in an operator's name: "upsample_bicubic2d".
std::optional<Interpolation> interpolationIn(std::string_view name)
{
    if (name.contains("lanczos"))
        return std::nullopt;
    if (name.contains("nearest"))
        return name.contains("exact") ? Interpolation::NearestExact : Interpolation::Nearest;
    if (name.contains("bicubic"))
        return Interpolation::Cubic;
    return name.contains("linear") ? std::optional(Interpolation::Linear) : std::nullopt;
}

std::vector<Given<double>> scalesOf(const Call &call, std::size_t spatialRank)
{
    if (const Fact &listed = call.any({"scale_factors", "scale_factor"}); !listed.as<NoneFact>()) {
        const auto values = floatValues(listed);
        if (!values)
            return std::vector<Given<double>>(spatialRank, Given<double>(std::in_place));
        if (values->size() == 1)
            return std::vector<Given<double>>(spatialRank, values->front());
        return {values->begin(), values->end()};
    }
    constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
    std::vector<Given<double>> scales(spatialRank);
    for (std::size_t i = 0; i < std::min(spatialRank, names.size()); ++i) {
        const std::string_view own = names[names.size() - 1 - i], name = call.has(own) ? own : "scales";
        if (call.has(name))
            scales[spatialRank - 1 - i] = call.floating(name);
    }
    return scales;
}

// ONNX's names of the enumerators of ResizeCoordinates, ResizeRounding and ResizePolicy, in their order.
constexpr std::array<std::string_view, 7> coordinateWords{
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",  "align_corners",
    "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn"};
constexpr std::array<std::string_view, 4> roundingWords{"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
constexpr std::array<std::string_view, 3> policyWords{"stretch", "not_larger", "not_smaller"};

/// Finds the interpolation in a mode of ONNX. Opset 1 of Upsample and opset 16 of GridSample name the modes as torch
/// does.
std::optional<Interpolation> onnxInterpolation(std::string_view mode)
{
    if (mode == "nearest")
        return Interpolation::Nearest;
    if (mode == "cubic")
        return Interpolation::Cubic;
    return mode == "linear" || mode == "bilinear" ? std::optional(Interpolation::Linear) : std::nullopt;
}

template <class Enum>
std::optional<Enum> enumeratorOf(std::string_view word, std::span<const std::string_view> words)
{
    const auto found = std::ranges::find(words, word);
    return found == words.end() ? std::nullopt : std::optional(static_cast<Enum>(found - words.begin()));
}

} // namespace

Given<double> UpsampleArguments::positionScale(std::size_t spatialDim) const
{
    if (spatialDim >= scales.size() || !scales[spatialDim] || recomputesScales == true)
        return std::nullopt;
    return recomputesScales ? scales[spatialDim] : Given<double>(std::in_place);
}

UpsampleArguments upsampleArguments(const Call &call, std::size_t spatialRank)
{
    UpsampleArguments made;
    const std::string_view mode = call.text("mode");
    made.interpolation = interpolationIn(mode.empty() ? call.name() : mode);
    if (call.has("align_corners"))
        made.alignsCorners = call.flag("align_corners");
    if (call.has("antialias"))
        made.isAntialiased = call.flag("antialias");
    if (call.name().ends_with("_aa"))
        made.isAntialiased = true;
    if (const Fact &sizes = call.any({"output_size", "size"}); !sizes.as<NoneFact>())
        made.sizes = asInt(sizes) ? std::vector{*asInt(sizes)} : asInts(sizes);
    if (call.has("recompute_scale_factor"))
        made.recomputesScales = call.flag("recompute_scale_factor");
    made.scales = scalesOf(call, spatialRank);
    return made;
}

std::string_view onnxName(ResizeCoordinates coordinates)
{
    return coordinateWords[static_cast<std::size_t>(coordinates)];
}

std::string_view onnxName(ResizeRounding rounding) { return roundingWords[static_cast<std::size_t>(rounding)]; }

std::optional<std::vector<std::size_t>> ResizeArguments::resizedAxes(std::size_t rank) const
{
    if (axes)
        return *axes ? dimensions(**axes, rank) : std::nullopt;
    std::vector<std::size_t> all(rank);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

ResizeArguments resizeArguments(const Call &call)
{
    const auto word = [&](std::string_view name, std::string_view byDefault) {
        const std::string_view given = call.text(name);
        return given.empty() ? byDefault : given;
    };
    const auto number = [&](std::string_view name, double byDefault) {
        return call.has(name) ? call.floating(name) : byDefault;
    };
    const auto flag = [&](std::string_view name) { return call.has(name) ? call.flag(name) : false; };
    const bool isOld = call.opset() < 11 || call.name() == "Upsample";
    ResizeArguments made{
        .interpolation = onnxInterpolation(word("mode", "nearest")),
        .coordinates = enumeratorOf<ResizeCoordinates>(
            word("coordinate_transformation_mode", isOld ? "asymmetric" : "half_pixel"), coordinateWords),
        .rounding =
            enumeratorOf<ResizeRounding>(word("nearest_mode", isOld ? "floor" : "round_prefer_floor"), roundingWords),
        .policy = enumeratorOf<ResizePolicy>(word("keep_aspect_ratio_policy", "stretch"), policyWords),
        .cubicCoefficient = number("cubic_coeff_a", -0.75),
        .extrapolation = number("extrapolation_value", 0),
        .excludesOutside = flag("exclude_outside"),
        .isAntialiased = flag("antialias"),
        .isOld = isOld,
        .axes = {}};
    if (call.has("axes"))
        made.axes = call.sizes("axes");
    return made;
}

GridSampleArguments gridSampleArguments(const Call &call)
{
    using enum GridSampleArguments::Outside;
    constexpr std::array interpolations{Interpolation::Linear, Interpolation::Nearest, Interpolation::Cubic};
    constexpr std::array outsides{Zeros, Border, Reflection};
    const auto at = []<class T>(const T &values, std::int64_t i) {
        return i >= 0 && i < std::ssize(values) ? std::optional(values[static_cast<std::size_t>(i)]) : std::nullopt;
    };
    GridSampleArguments made;
    if (!call.isOnnx()) {
        made.interpolation = at(interpolations, call.integer("interpolation_mode").value_or(-1));
        made.outside = at(outsides, call.integer("padding_mode").value_or(-1));
        made.alignsCorners = call.flag("align_corners");
        return made;
    }
    const std::string_view mode = call.text("mode"), outside = call.text("padding_mode");
    // Before opset 20 the modes are named as torch names them.
    made.interpolation = mode.empty() ? Interpolation::Linear
        : mode == "bicubic"           ? Interpolation::Cubic
                                      : onnxInterpolation(mode);
    made.outside = outside.empty() || outside == "zeros" ? std::optional(Zeros)
        : outside == "border"                            ? std::optional(Border)
        : outside == "reflection"                        ? std::optional(Reflection)
                                                         : std::nullopt;
    made.alignsCorners = call.has("align_corners") ? call.flag("align_corners") : false;
    return made;
}

} // namespace cutaway::ops
