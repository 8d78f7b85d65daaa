// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/resampling.h"

#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/places.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <cmath>

// Resampling is done one axis after the other: each position of the result is a weighted sum of a few of the input's.

namespace cutaway::compute {

double cubic(double x, double a)
{
    x = std::abs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

Array alongOne(const Array &x, std::size_t axis, const Taps &taps)
{
    Sizes shape = x.shape;
    shape[axis] = std::ssize(taps);
    const Lanes from = lanesOf(x.shape, axis), to = lanesOf(shape, axis);
    const auto floats = x.as<double>();
    std::vector<double> result(static_cast<std::size_t>(countOf(shape)));
    for (std::int64_t lane = 0; lane < to.count(); ++lane)
        for (std::int64_t i = 0; i < to.along; ++i) {
            double sum = 0;
            for (const Tap &tap : taps[static_cast<std::size_t>(i)])
                if (tap.weight != 0)
                    sum += tap.weight * floats[from.place(lane, tap.at)];
            result[to.place(lane, i)] = sum;
        }
    return {ir::DType::Float64, std::move(shape), std::move(result)};
}

// ---- onnx::Resize

namespace {

struct Resizing {
    std::string mode, coordinates, nearest;
    double cubicA = -0.75, extrapolation = 0;
    bool excludesOutside = false, isAntialiased = false;
    bool ceilsWhenShrinking = false; ///< opset 10: an axis that shrinks takes the pixel above
};

struct ResizedAxis {
    std::int64_t input, output;
    double scale;
    double start = 0, end = 1; ///< where the cropped region starts and ends
};

double coordinateOf(const Resizing &how, const ResizedAxis &axis, std::int64_t x)
{
    const auto in = static_cast<double>(axis.input), out = axis.scale * in, at = static_cast<double>(x);
    if (how.coordinates == "align_corners")
        return out == 1 ? 0 : at * (in - 1) / (out - 1);
    if (how.coordinates == "asymmetric")
        return at / axis.scale;
    if (how.coordinates == "tf_crop_and_resize")
        return (out == 1 ? (axis.end - axis.start) * (in - 1) / 2 : at * (axis.end - axis.start) * (in - 1) / (out - 1))
            + axis.start * (in - 1);
    if (how.coordinates == "tf_half_pixel_for_nn")
        return (at + 0.5) / axis.scale;
    if (how.coordinates == "pytorch_half_pixel" && axis.output == 1) // so the document; the reference says -0.5
        return 0;
    if (how.coordinates == "half_pixel_symmetric") // summed in ONNX's order, as `floor` sees the last bit
        return in / 2 * (1 - static_cast<double>(axis.output) / out) + (at + 0.5) / axis.scale - 0.5;
    return (at + 0.5) / axis.scale - 0.5;
}

std::int64_t nearestOf(const Resizing &how, const ResizedAxis &axis, double x)
{
    const double ratio = x - std::floor(x);
    const bool goesUp = how.nearest == "ceil" || (how.ceilsWhenShrinking && axis.scale < 1) ? ratio > 0
        : how.nearest == "floor"                                                            ? false
        : how.nearest == "round_prefer_ceil"                                                ? ratio >= 0.5
                                                                                            : ratio > 0.5;
    return static_cast<std::int64_t>(std::floor(x)) + (goesUp ? 1 : 0);
}

std::vector<Tap> tapsAt(const Resizing &how, const ResizedAxis &axis, double x)
{
    if (how.mode == "nearest")
        return {{nearestOf(how, axis, x), 1}};
    const auto base = static_cast<std::int64_t>(std::floor(x));
    const double ratio = x - std::floor(x), scale = how.isAntialiased ? std::min(axis.scale, 1.0) : 1;
    const double reach = how.mode == "cubic" ? 2 : 1;
    const auto first = static_cast<std::int64_t>(std::floor(-reach / scale)) + 1;
    std::vector<Tap> taps;
    double sum = 0;
    for (std::int64_t i = first; i <= 1 - first; ++i) {
        const double distance = (static_cast<double>(i) - ratio) * scale;
        const double weight = how.mode == "cubic" ? cubic(distance, how.cubicA) : std::max(0.0, 1 - std::abs(distance));
        taps.push_back({base + i, weight});
        sum += weight;
    }
    for (Tap &tap : taps)
        tap.weight /= how.isAntialiased ? sum : 1;
    return taps;
}

/// Nothing where the position lies outside of what is cropped.
std::optional<std::vector<Tap>> keptInside(const Resizing &how, const ResizedAxis &axis, double x)
{
    if (how.coordinates == "tf_crop_and_resize" && (x < 0 || x > static_cast<double>(axis.input - 1)))
        return std::nullopt;
    std::vector<Tap> taps = tapsAt(how, axis, x);
    double sum = 0;
    for (Tap &tap : taps) {
        const bool isInside = tap.at >= 0 && tap.at < axis.input;
        tap.weight = how.excludesOutside && !isInside ? 0 : tap.weight;
        sum += tap.weight;
        tap.at = std::clamp<std::int64_t>(tap.at, 0, axis.input - 1);
    }
    for (Tap &tap : taps)
        tap.weight /= how.excludesOutside && how.mode != "nearest" ? sum : 1;
    return taps;
}

Array resizedAlong(const Array &x, std::size_t axis, const Resizing &how, const ResizedAxis &sizes,
                   std::vector<std::vector<bool>> &outside)
{
    Taps taps;
    for (std::int64_t i = 0; i < sizes.output; ++i) {
        auto own = keptInside(how, sizes, coordinateOf(how, sizes, i));
        outside[axis][static_cast<std::size_t>(i)] = !own;
        taps.push_back(own ? std::move(*own) : std::vector<Tap>());
    }
    return alongOne(x, axis, taps);
}

/// Fills the elements that lie outside of the cropped region along any axis with `value`.
void extrapolate(Array &result, const std::vector<std::vector<bool>> &outside, double value)
{
    const Sizes strides = stridesOf(result.shape);
    auto &floats = std::get<std::vector<double>>(result.elements);
    for (std::size_t i = 0; i < floats.size(); ++i)
        for (std::size_t d = 0; d < strides.size(); ++d)
            if (outside[d][i / static_cast<std::size_t>(strides[d]) % outside[d].size()])
                floats[i] = value;
}

Resizing resizingOf(const Call &call)
{
    const auto text = [&](std::string_view name, std::string_view fallback) {
        const std::string_view given = call.facts().text(name);
        return std::string(given.empty() ? fallback : given);
    };
    const bool isOld = call.facts().opset() < 11 || call.facts().name() == "Upsample";
    Resizing how{text("mode", "nearest"), text("coordinate_transformation_mode", isOld ? "asymmetric" : "half_pixel"),
                 text("nearest_mode", isOld ? "floor" : "round_prefer_floor")};
    how.ceilsWhenShrinking = isOld;
    how.cubicA = call.number("", "cubic_coeff_a", -0.75).value_or(-0.75);
    how.extrapolation = call.number("", "extrapolation_value", 0).value_or(0);
    how.excludesOutside = call.integer("", "exclude_outside", 0).value_or(0) != 0;
    how.isAntialiased = call.integer("", "antialias", 0).value_or(0) != 0;
    if (how.mode == "bilinear")
        how.mode = "linear";
    return how;
}

std::optional<std::vector<std::size_t>> resizedAxes(const Call &call, std::size_t rank)
{
    std::vector<std::size_t> axes;
    if (!call.facts().has("axes")) {
        for (std::size_t d = 0; d < rank; ++d)
            axes.push_back(d);
        return axes;
    }
    return ops::dimensions(call.facts().sizes("axes").value_or(std::vector<ir::Dim>()), rank);
}

/// The factors of Upsample's attribute, by dimension.
std::optional<std::vector<double>> listedScales(const ops::Fact &list, std::size_t rank)
{
    const auto listed = ops::floatValues(list);
    if (!listed)
        return std::nullopt;
    std::vector<double> scales(rank, 1);
    for (std::size_t i = 0; i < std::min(listed->size(), rank); ++i)
        scales[i] = (*listed)[i].value_or(0);
    return scales;
}

/// The factor of all axes where the aspect ratio is kept; 0 if it is not known.
double commonScale(const Call &call, const Array &x, const std::vector<std::size_t> &axes, bool isLargest)
{
    const auto wanted = call.facts().sizes(3u);
    std::vector<double> ratios;
    for (std::size_t i = 0; wanted && i < std::min(axes.size(), wanted->size()); ++i)
        ratios.push_back(static_cast<double>(ops::number((*wanted)[i]).value_or(0))
                         / static_cast<double>(x.shape[axes[i]]));
    if (ratios.empty())
        return 0;
    return isLargest ? std::ranges::max(ratios) : std::ranges::min(ratios);
}

/// How much each dimension grows: as the factors say, or else the sizes. Nothing if one is not known to be more than 0.
std::optional<std::vector<double>> scalesOf(const Call &call, const Array &x, const Sizes &output,
                                            const std::vector<std::size_t> &axes)
{
    if (call.facts().has("height_scale"))
        return std::nullopt;
    if (call.facts().has("scales"))
        return listedScales(call.facts()["scales"], x.shape.size());
    const bool isOld = call.facts().opset() < 11 || call.facts().name() == "Upsample";
    const Array *given = call.array(isOld ? 1 : 2);
    const bool hasScales = given && given->count() == axes.size() && given->count() > 0;
    const std::string_view policy = call.facts().text("keep_aspect_ratio_policy");
    const bool keepsRatio = policy == "not_larger" || policy == "not_smaller";
    std::vector<double> scales(x.shape.size(), 1);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto size = static_cast<double>(x.shape[axes[i]]), wanted = static_cast<double>(output[axes[i]]);
        scales[axes[i]] = hasScales ? floatsOf(*given)[i]
            : keepsRatio            ? commonScale(call, x, axes, policy == "not_smaller")
                                    : wanted / size;
    }
    return scales;
}

/// The region that tf_crop_and_resize is of: the starts of all axes, then their ends. Empty: everything.
std::optional<std::vector<double>> regionOf(const Call &call, const Resizing &how, std::size_t axes)
{
    if (how.coordinates != "tf_crop_and_resize")
        return std::vector<double>();
    const Array *region = call.array(1);
    return region && region->count() == 2 * axes ? std::optional(floatsOf(*region)) : std::nullopt;
}

} // namespace

Answer resize(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axes = x ? resizedAxes(call, x->shape.size()) : std::nullopt;
    const Resizing how = resizingOf(call);
    if (!areKnown(axes, shape) || shape->size() != x->shape.size() || x->count() == 0
        || !std::ranges::contains(std::array<std::string_view, 3>{"nearest", "linear", "cubic"}, how.mode))
        return std::nullopt;
    const auto scales = scalesOf(call, *x, *shape, *axes);
    const auto region = regionOf(call, how, axes->size());
    if (!areKnown(scales, region) || std::ranges::any_of(*scales, [](double scale) { return !(scale > 0); }))
        return std::nullopt;
    Array result = inDoubles(*x);
    std::vector<std::vector<bool>> outside;
    for (const std::int64_t size : *shape)
        outside.emplace_back(static_cast<std::size_t>(size), false);
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const std::size_t d = (*axes)[i];
        ResizedAxis axis{x->shape[d], (*shape)[d], (*scales)[d]};
        if (!region->empty()) {
            axis.start = (*region)[i];
            axis.end = (*region)[i + axes->size()];
        }
        if (axis.scale != 1 || axis.input != axis.output || !region->empty())
            result = resizedAlong(result, d, how, axis, outside);
    }
    if (!region->empty())
        extrapolate(result, outside, how.extrapolation);
    return answer(std::move(result));
}

} // namespace cutaway::compute
