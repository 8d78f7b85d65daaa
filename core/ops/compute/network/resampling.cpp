// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/resampling.h"

#include "core/ops/arguments/resampling_arguments.h"
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

using ops::Interpolation;
using ops::ResizeArguments;
using ops::ResizeCoordinates;
using ops::ResizeRounding;

struct ResizedAxis {
    std::int64_t input, output;
    double scale;
    double start = 0, end = 1; ///< the start and end of the cropped region
};

double coordinateOf(const ResizeArguments &given, const ResizedAxis &axis, std::int64_t x)
{
    const auto in = static_cast<double>(axis.input), out = axis.scale * in, at = static_cast<double>(x);
    switch (*given.coordinates) {
    case ResizeCoordinates::AlignCorners:
        return out == 1 ? 0 : at * (in - 1) / (out - 1);
    case ResizeCoordinates::Asymmetric:
        return at / axis.scale;
    case ResizeCoordinates::TfCropAndResize:
        return (out == 1 ? (axis.end - axis.start) * (in - 1) / 2 : at * (axis.end - axis.start) * (in - 1) / (out - 1))
            + axis.start * (in - 1);
    case ResizeCoordinates::TfHalfPixelForNn:
        return (at + 0.5) / axis.scale;
    case ResizeCoordinates::HalfPixelSymmetric: // summed in ONNX's order, because `floor` depends on the last bit
        return in / 2 * (1 - static_cast<double>(axis.output) / out) + (at + 0.5) / axis.scale - 0.5;
    case ResizeCoordinates::PytorchHalfPixel:
        if (axis.output == 1) // as ONNX's documentation says; its reference implementation returns -0.5
            return 0;
        break;
    case ResizeCoordinates::HalfPixel:
        break;
    }
    return (at + 0.5) / axis.scale - 0.5;
}

std::int64_t nearestOf(const ResizeArguments &given, const ResizedAxis &axis, double x)
{
    const double ratio = x - std::floor(x);
    const auto rounding = given.isOld && axis.scale < 1 ? ResizeRounding::Up : *given.rounding;
    const bool goesUp = rounding == ResizeRounding::Up ? ratio > 0
        : rounding == ResizeRounding::HalfUp           ? ratio >= 0.5
        : rounding == ResizeRounding::HalfDown         ? ratio > 0.5
                                                       : false;
    return static_cast<std::int64_t>(std::floor(x)) + (goesUp ? 1 : 0);
}

std::vector<Tap> tapsAt(const ResizeArguments &given, const ResizedAxis &axis, double x)
{
    if (given.interpolation == Interpolation::Nearest)
        return {{nearestOf(given, axis, x), 1}};
    const auto base = static_cast<std::int64_t>(std::floor(x));
    const double ratio = x - std::floor(x), scale = *given.isAntialiased ? std::min(axis.scale, 1.0) : 1;
    const double reach = given.interpolation == Interpolation::Cubic ? 2 : 1;
    const auto first = static_cast<std::int64_t>(std::floor(-reach / scale)) + 1;
    std::vector<Tap> taps;
    double sum = 0;
    for (std::int64_t i = first; i <= 1 - first; ++i) {
        const double distance = (static_cast<double>(i) - ratio) * scale;
        const double weight = given.interpolation == Interpolation::Cubic ? cubic(distance, *given.cubicCoefficient)
                                                                          : std::max(0.0, 1 - std::abs(distance));
        taps.push_back({base + i, weight});
        sum += weight;
    }
    for (Tap &tap : taps)
        tap.weight /= *given.isAntialiased ? sum : 1;
    return taps;
}

/// Returns the taps for position `x` of the input; nothing if the position lies outside of the cropped region.
std::optional<std::vector<Tap>> keptInside(const ResizeArguments &given, const ResizedAxis &axis, double x)
{
    if (given.coordinates == ResizeCoordinates::TfCropAndResize && (x < 0 || x > static_cast<double>(axis.input - 1)))
        return std::nullopt;
    std::vector<Tap> taps = tapsAt(given, axis, x);
    double sum = 0;
    for (Tap &tap : taps) {
        const bool isInside = tap.at >= 0 && tap.at < axis.input;
        tap.weight = *given.excludesOutside && !isInside ? 0 : tap.weight;
        sum += tap.weight;
        tap.at = std::clamp<std::int64_t>(tap.at, 0, axis.input - 1);
    }
    for (Tap &tap : taps)
        tap.weight /= *given.excludesOutside && given.interpolation != Interpolation::Nearest ? sum : 1;
    return taps;
}

Array resizedAlong(const Array &x, std::size_t axis, const ResizeArguments &given, const ResizedAxis &sizes,
                   std::vector<std::vector<bool>> &outside)
{
    Taps taps;
    for (std::int64_t i = 0; i < sizes.output; ++i) {
        auto own = keptInside(given, sizes, coordinateOf(given, sizes, i));
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

/// Returns the factors in Upsample's attribute `scales`, by dimension.
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

/// Returns the largest or the smallest ratio of wanted to given size among the axes, the one factor of all axes that
/// keeps the aspect ratio; 0 if it is not known.
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

/// Returns the scale of each dimension, from factors or else from sizes; 0 for a scale that is not known. Nothing if
/// the attribute `scales` is not known, or for Upsample of version 1, which has height_scale and width_scale.
std::optional<std::vector<double>> scalesOf(const Call &call, const ResizeArguments &given, const Array &x,
                                            const Sizes &output, const std::vector<std::size_t> &axes)
{
    if (call.facts().has("height_scale"))
        return std::nullopt;
    if (call.facts().has("scales"))
        return listedScales(call.facts()["scales"], x.shape.size());
    const Array *factors = call.array(given.scales());
    const bool hasScales = factors && factors->count() == axes.size() && factors->count() > 0;
    const bool keepsRatio = given.policy != ops::ResizePolicy::Stretch;
    std::vector<double> scales(x.shape.size(), 1);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto size = static_cast<double>(x.shape[axes[i]]), wanted = static_cast<double>(output[axes[i]]);
        scales[axes[i]] = hasScales ? floatsOf(*factors)[i]
            : keepsRatio            ? commonScale(call, x, axes, given.policy == ops::ResizePolicy::NotSmaller)
                                    : wanted / size;
    }
    return scales;
}

/// Returns the region that tf_crop_and_resize crops: the starts of all axes, then their ends; empty for other modes.
std::optional<std::vector<double>> regionOf(const Call &call, const ResizeArguments &given, std::size_t axes)
{
    if (given.coordinates != ResizeCoordinates::TfCropAndResize)
        return std::vector<double>();
    const Array *region = call.array(1);
    return region && region->count() == 2 * axes ? std::optional(floatsOf(*region)) : std::nullopt;
}

} // namespace

Answer resize(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const ResizeArguments given = ops::resizeArguments(call.facts());
    const auto axes = x ? given.resizedAxes(x->shape.size()) : std::nullopt;
    if (!areKnown(axes, shape, given.interpolation, given.coordinates, given.rounding, given.policy,
                  given.cubicCoefficient, given.extrapolation, given.excludesOutside, given.isAntialiased)
        || shape->size() != x->shape.size() || x->count() == 0)
        return std::nullopt;
    const auto scales = scalesOf(call, given, *x, *shape, *axes);
    const auto region = regionOf(call, given, axes->size());
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
            result = resizedAlong(result, d, given, axis, outside);
    }
    if (!region->empty())
        extrapolate(result, outside, *given.extrapolation);
    return answer(std::move(result));
}

} // namespace cutaway::compute
