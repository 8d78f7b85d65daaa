// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/resampling_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/resampling.h"

#include <algorithm>
#include <cmath>

// PyTorch's resampling; resampling.cpp has ONNX's.

namespace cutaway::compute {

namespace {

using ops::Interpolation;

/// Returns the distance in the input between neighbours of the output.
double stepBetween(bool alignsCorners, std::optional<double> factor, std::int64_t in, std::int64_t out)
{
    if (alignsCorners)
        return out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0;
    return factor && *factor > 0 ? 1.0 / *factor : static_cast<double>(in) / static_cast<double>(out);
}

/// Returns the taps of an output element in an antialiased resize. Where the image shrinks, the filter is widened to
/// cover all input elements of the output element.
std::vector<Tap> smoothTaps(Interpolation mode, bool alignsCorners, std::optional<double> factor, std::int64_t in,
                            std::int64_t out, std::int64_t x)
{
    const double step = stepBetween(alignsCorners, factor, in, out);
    const double width = std::max(step, 1.0), reach = (mode == Interpolation::Linear ? 1 : 2) * width;
    const double middle = step * (static_cast<double>(x) + 0.5);
    const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(std::trunc(middle - reach + 0.5)), 0);
    const auto end = std::min(static_cast<std::int64_t>(std::trunc(middle + reach + 0.5)), in);
    std::vector<Tap> taps;
    double total = 0;
    for (std::int64_t i = first; i < end; ++i) {
        const double at = (static_cast<double>(i) - middle + 0.5) / width;
        const double weight = mode == Interpolation::Linear ? std::max(1 - std::abs(at), 0.0) : cubic(at, -0.5);
        taps.push_back({i, weight});
        total += weight;
    }
    for (Tap &tap : taps)
        tap.weight /= total == 0 ? 1 : total;
    return taps;
}

/// Returns the taps of an output element. For the nearest element torch computes the position in single precision.
std::vector<Tap> torchTaps(Interpolation mode, bool alignsCorners, std::optional<double> factor, std::int64_t in,
                           std::int64_t out, std::int64_t x)
{
    const auto ratio =
        factor && *factor > 0 ? static_cast<float>(1.0 / *factor) : static_cast<float>(in) / static_cast<float>(out);
    const auto at = static_cast<float>(x);
    const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, in - 1); };
    if (mode == Interpolation::Nearest || mode == Interpolation::NearestExact) {
        const float middle = mode == Interpolation::Nearest ? at : at + 0.5F;
        return {{clamped(static_cast<std::int64_t>(std::floor(middle * ratio))), 1}};
    }
    const double step = stepBetween(alignsCorners, factor, in, out);
    double place = alignsCorners ? step * static_cast<double>(x) : step * (static_cast<double>(x) + 0.5) - 0.5;
    if (mode == Interpolation::Linear)
        place = std::max(place, 0.0);
    const auto base = static_cast<std::int64_t>(std::floor(place));
    const double rest = place - std::floor(place);
    if (mode == Interpolation::Linear)
        return {{clamped(base), 1 - rest}, {clamped(base + 1), rest}};
    std::vector<Tap> taps;
    for (std::int64_t i = -1; i <= 2; ++i)
        taps.push_back({clamped(base + i), cubic(static_cast<double>(i) - rest, -0.75)});
    return taps;
}

/// The arguments with which an operator of torch resizes an image, all of them known.
struct Upsampling {
    Interpolation interpolation;
    bool alignsCorners, isAntialiased;
    std::vector<std::optional<double>> factors; ///< by axis; nothing: the sizes give the factor
};

std::optional<Upsampling> upsamplingOf(const Call &call, std::size_t axes)
{
    const ops::UpsampleArguments given = ops::upsampleArguments(call.facts(), axes);
    if (!areKnown(given.interpolation, given.alignsCorners, given.isAntialiased))
        return std::nullopt;
    const bool isNearest =
        given.interpolation == Interpolation::Nearest || given.interpolation == Interpolation::NearestExact;
    if (*given.isAntialiased && isNearest)
        return std::nullopt;
    Upsampling how{*given.interpolation, *given.alignsCorners, *given.isAntialiased, {}};
    for (std::size_t i = 0; i < axes; ++i) {
        const ops::Given<double> scale = given.positionScale(i);
        if (scale && !*scale)
            return std::nullopt;
        how.factors.push_back(scale.value_or(std::nullopt));
    }
    return how;
}

} // namespace

Answer upsample(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!areKnown(x, shape) || x->shape.size() != shape->size() || x->shape.size() < 3 || x->shape.size() > 5
        || x->count() == 0)
        return std::nullopt;
    const std::size_t axes = x->shape.size() - 2;
    const auto how = upsamplingOf(call, axes);
    if (!how)
        return std::nullopt;
    Array result = inDoubles(*x);
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t in = x->shape[2 + i], out = (*shape)[2 + i];
        // torch's kernel for planes of exactly twice the size repeats each element, whatever the factor is.
        const bool isDoubled =
            how->interpolation == Interpolation::Nearest && axes == 2 && out / 2 == in && out % 2 == 0;
        const auto factor = isDoubled ? std::nullopt : how->factors[i];
        Taps taps;
        for (std::int64_t k = 0; k < out; ++k)
            taps.push_back((how->isAntialiased ? smoothTaps : torchTaps)(how->interpolation, how->alignsCorners, factor,
                                                                         in, out, k));
        result = alongOne(result, 2 + i, taps);
    }
    return answer(std::move(result));
}

} // namespace cutaway::compute
