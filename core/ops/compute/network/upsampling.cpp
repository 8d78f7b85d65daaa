// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/resampling.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <array>
#include <cmath>

// PyTorch's resampling; resampling.cpp has ONNX's.

namespace cutaway::compute {

namespace {

enum class TorchMode : std::uint8_t { Nearest, NearestExact, Linear, Cubic };

std::optional<TorchMode> torchMode(std::string_view name)
{
    if (name.contains("lanczos"))
        return std::nullopt;
    if (name.contains("nearest_exact") || name == "nearest-exact")
        return TorchMode::NearestExact;
    if (name.contains("nearest"))
        return TorchMode::Nearest;
    if (name.contains("bicubic"))
        return TorchMode::Cubic;
    return name.contains("linear") ? std::optional(TorchMode::Linear) : std::nullopt;
}

/// How far neighbours of an output are apart in the input.
double stepBetween(bool alignsCorners, std::optional<double> factor, std::int64_t in, std::int64_t out)
{
    if (alignsCorners)
        return out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0;
    return factor && *factor > 0 ? 1.0 / *factor : static_cast<double>(in) / static_cast<double>(out);
}

/// Where images get smaller, each element is one of all that it covers: the filter is as wide.
std::vector<Tap> smoothTaps(TorchMode mode, bool alignsCorners, std::optional<double> factor, std::int64_t in,
                            std::int64_t out, std::int64_t x)
{
    const double step = stepBetween(alignsCorners, factor, in, out);
    const double width = std::max(step, 1.0), reach = (mode == TorchMode::Linear ? 1 : 2) * width;
    const double middle = step * (static_cast<double>(x) + 0.5);
    const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(std::trunc(middle - reach + 0.5)), 0);
    const auto end = std::min(static_cast<std::int64_t>(std::trunc(middle + reach + 0.5)), in);
    std::vector<Tap> taps;
    double total = 0;
    for (std::int64_t i = first; i < end; ++i) {
        const double at = (static_cast<double>(i) - middle + 0.5) / width;
        const double weight = mode == TorchMode::Linear ? std::max(1 - std::abs(at), 0.0) : cubic(at, -0.5);
        taps.push_back({i, weight});
        total += weight;
    }
    for (Tap &tap : taps)
        tap.weight /= total == 0 ? 1 : total;
    return taps;
}

/// torch computes positions in single precision.
std::vector<Tap> torchTaps(TorchMode mode, bool alignsCorners, std::optional<double> factor, std::int64_t in,
                           std::int64_t out, std::int64_t x)
{
    const auto ratio =
        factor && *factor > 0 ? static_cast<float>(1.0 / *factor) : static_cast<float>(in) / static_cast<float>(out);
    const auto at = static_cast<float>(x);
    const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, in - 1); };
    if (mode == TorchMode::Nearest || mode == TorchMode::NearestExact) {
        const float middle = mode == TorchMode::Nearest ? at : at + 0.5F;
        return {{clamped(static_cast<std::int64_t>(std::floor(middle * ratio))), 1}};
    }
    const double step = stepBetween(alignsCorners, factor, in, out);
    double place = alignsCorners ? step * static_cast<double>(x) : step * (static_cast<double>(x) + 0.5) - 0.5;
    if (mode == TorchMode::Linear)
        place = std::max(place, 0.0);
    const auto base = static_cast<std::int64_t>(std::floor(place));
    const double rest = place - std::floor(place);
    if (mode == TorchMode::Linear)
        return {{clamped(base), 1 - rest}, {clamped(base + 1), rest}};
    std::vector<Tap> taps;
    for (std::int64_t i = -1; i <= 2; ++i)
        taps.push_back({clamped(base + i), cubic(static_cast<double>(i) - rest, -0.75)});
    return taps;
}

/// The factors that decide positions; nothing for an axis whose sizes do. Without a value: not known.
std::optional<std::vector<std::optional<double>>> factorsOf(const Call &call, std::size_t axes)
{
    std::vector<std::optional<double>> factors(axes);
    const ops::Call &facts = call.facts();
    const bool hasSize = !facts.any({"output_size", "size"}).as<ops::NoneFact>();
    const ops::Fact &listed = facts.any({"scale_factors", "scale_factor"});
    if (!listed.as<ops::NoneFact>()) {
        if (facts.has("recompute_scale_factor") && facts.flag("recompute_scale_factor") != false)
            return factors;
        const auto values = ops::floatValues(listed);
        for (std::size_t i = 0; values && !values->empty() && i < axes && !hasSize; ++i)
            factors[i] = (*values)[values->size() == 1 ? 0 : std::min(i, values->size() - 1)];
        return values && !values->empty() ? std::optional(factors) : std::nullopt;
    }
    constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
    for (std::size_t i = 0; i < axes; ++i)
        if (const std::string_view name = names[3 - axes + i]; facts.has(name))
            factors[i] = facts.floating(name);
    if (axes == 1 && facts.has("scales"))
        factors[0] = facts.floating("scales");
    return factors;
}

/// How an operator of torch resizes images.
struct Upsampling {
    TorchMode mode;
    bool alignsCorners, isSmooth;
    std::vector<std::optional<double>> factors; ///< by axis; nothing: its sizes decide
};

std::optional<Upsampling> upsamplingOf(const Call &call, std::size_t axes)
{
    const ops::Call &facts = call.facts();
    const std::string_view given = facts.text("mode");
    const auto mode = torchMode(given.empty() ? facts.name() : given);
    const auto alignsCorners = call.flag("align_corners", false);
    auto factors = factorsOf(call, axes);
    if (!areKnown(mode, alignsCorners, factors) || facts.flag("antialias").value_or(false))
        return std::nullopt;
    const bool isSmooth = facts.name().ends_with("_aa");
    if (isSmooth && *mode != TorchMode::Linear && *mode != TorchMode::Cubic)
        return std::nullopt;
    return Upsampling{*mode, *alignsCorners, isSmooth, std::move(*factors)};
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
        // Planes that are twice as large have each element twice, whatever the factor is.
        const bool isDoubled = how->mode == TorchMode::Nearest && axes == 2 && out / 2 == in && out % 2 == 0;
        const auto factor = isDoubled ? std::nullopt : how->factors[i];
        Taps taps;
        for (std::int64_t k = 0; k < out; ++k)
            taps.push_back((how->isSmooth ? smoothTaps : torchTaps)(how->mode, how->alignsCorners, factor, in, out, k));
        result = alongOne(result, 2 + i, taps);
    }
    return answer(std::move(result));
}

} // namespace cutaway::compute
