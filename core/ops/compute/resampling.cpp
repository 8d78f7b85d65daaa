// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network_rules.h"
#include "core/ops/compute/places.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <cmath>

// Resampling is done one axis after the other: each position of the result is a weighted sum of a few of the input's.

namespace cutaway::compute {

namespace {

struct Tap {
    std::int64_t at;
    double weight;
};
/// For each position along an axis of the result.
using Taps = std::vector<std::vector<Tap>>;

double cubic(double x, double a)
{
    x = std::abs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The input with one axis resampled, in double precision.
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

Array inDoubles(const Array &x) { return {ir::DType::Float64, x.shape, floatsOf(x)}; }

} // namespace

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
    double start = 0, end = 1; ///< of the region that is cropped
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

// ---- PyTorch

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

// ---- sampling at given places

namespace {

enum class Around : std::uint8_t { Zeros, Border, Reflection };

struct Sampling {
    std::string mode; ///< "linear", "nearest", "cubic"
    Around around = Around::Zeros;
    bool alignsCorners = false;
    bool isOnnx = false;
};

std::optional<Sampling> torchSampling(const ops::Call &call)
{
    constexpr std::array modes{"linear", "nearest", "cubic"};
    const auto mode = call.integer("interpolation_mode"), around = call.integer("padding_mode");
    const auto corners = call.flag("align_corners");
    if (!areKnown(mode, around, corners) || *mode < 0 || *mode > 2 || *around < 0 || *around > 2)
        return std::nullopt;
    return Sampling{modes[static_cast<std::size_t>(*mode)], static_cast<Around>(*around), *corners, false};
}

std::optional<Sampling> onnxSampling(const Call &call)
{
    const std::string_view mode = call.facts().text("mode"), around = call.facts().text("padding_mode");
    const auto corners = call.flag("", "align_corners", false);
    if (!corners)
        return std::nullopt;
    Sampling how{std::string(mode), Around::Zeros, *corners, true};
    if (mode.empty() || mode == "bilinear")
        how.mode = "linear";
    else if (mode == "bicubic")
        how.mode = "cubic";
    if (around == "border")
        how.around = Around::Border;
    else if (around == "reflection")
        how.around = Around::Reflection;
    return how;
}

double reflected(double x, double low, double high)
{
    const double range = high - low;
    if (range <= 0)
        return 0;
    const double from = std::abs(x - low);
    const double rest = std::fmod(from, range);
    return std::fmod(std::floor(from / range), 2) == 0 ? low + rest : high - rest;
}

double padded(const Sampling &how, double x, std::int64_t size)
{
    const auto n = static_cast<double>(size);
    if (how.around == Around::Zeros)
        return x;
    if (how.around == Around::Reflection)
        x = how.alignsCorners ? reflected(x, 0, n - 1) : reflected(x, -0.5, n - 0.5);
    return std::clamp(x, 0.0, n - 1);
}

/// Where ONNX looks for a place: one between the first or last element and the edge of the image stays there.
double placedByOnnx(const Sampling &how, double x, std::int64_t size)
{
    const double low = how.alignsCorners ? 0 : -0.5, high = static_cast<double>(size - 1) - low;
    if (how.around == Around::Zeros || (x >= low && x <= high))
        return x;
    return how.around == Around::Border ? std::clamp(x, 0.0, static_cast<double>(size - 1)) : reflected(x, low, high);
}

/// The elements along one dimension that a coordinate meets. Outside of zeros there is nothing.
std::vector<Tap> sampleTaps(const Sampling &how, double coordinate, std::int64_t size)
{
    const auto n = static_cast<double>(size);
    double x = how.alignsCorners ? (coordinate + 1) / 2 * (n - 1) : ((coordinate + 1) * n - 1) / 2;
    if (how.mode == "nearest" && how.isOnnx)
        x = std::nearbyint(x);
    if (how.isOnnx)
        x = placedByOnnx(how, x, size);
    else if (how.mode != "cubic")
        x = padded(how, x, size);
    if (!std::isfinite(x) || std::abs(x) > 1e9)
        return {};
    std::vector<Tap> taps;
    const double base = std::floor(x), rest = x - base;
    const auto first = static_cast<std::int64_t>(base);
    if (how.mode == "nearest")
        taps = {{static_cast<std::int64_t>(std::nearbyint(x)), 1}};
    else if (how.mode == "linear")
        taps = {{first, 1 - rest}, {first + 1, rest}};
    else
        for (std::int64_t i = -1; i <= 2; ++i)
            taps.push_back({first + i, cubic(static_cast<double>(i) - rest, -0.75)});
    std::erase_if(taps, [&](Tap &tap) {
        tap.at = how.around == Around::Zeros
            ? tap.at
            : static_cast<std::int64_t>(std::nearbyint(padded(how, static_cast<double>(tap.at), size)));
        return tap.at < 0 || tap.at >= size;
    });
    return taps;
}

/// The elements of a plane with these sizes and strides that a position of the grid meets: (x, y, …), the last
/// dimension first.
std::vector<Tap> planeTaps(const Sampling &how, std::span<const double> position, std::span<const std::int64_t> sizes,
                           std::span<const std::int64_t> strides)
{
    std::vector<Tap> all{{0, 1}};
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        std::vector<Tap> more;
        for (const Tap &tap : sampleTaps(how, position[sizes.size() - 1 - d], sizes[d]))
            for (const Tap &before : all)
                more.push_back({before.at + tap.at * strides[d], before.weight * tap.weight});
        all = std::move(more);
    }
    return all;
}

/// Whether the grid has a position of as many coordinates as the image has dimensions.
bool isGridFor(const Array *grid, const Array &x)
{
    return x.shape.size() >= 3 && x.shape.size() <= 5 && hasRank(grid, x.shape.size())
        && grid->shape.front() == x.shape.front()
        && grid->shape.back() == static_cast<std::int64_t>(x.shape.size()) - 2;
}

} // namespace

Answer gridSample(const Call &call)
{
    const Array *x = call.array(0), *grid = call.array(1);
    const auto shape = call.shape();
    const auto how = call.isOnnx() ? onnxSampling(call) : torchSampling(call.facts());
    if (!areKnown(x, shape, how) || !isGridFor(grid, *x) || x->count() == 0)
        return std::nullopt;
    if (how->mode == "nearest" && *ir::bitWidth(grid->dtype) < 32) // torch rounds places to it
        return std::nullopt;
    const std::size_t axes = x->shape.size() - 2;
    const std::vector<double> floats = floatsOf(*x), places = floatsOf(*grid);
    const Sizes strides = stridesOf(x->shape);
    const auto planeSizes = std::span(x->shape).subspan(2), planeStrides = std::span(strides).subspan(2);
    const std::int64_t channels = x->shape[1], positions = countOf({shape->begin() + 2, shape->end()});
    if (std::ssize(places) != x->shape[0] * positions * static_cast<std::int64_t>(axes))
        return std::nullopt;
    std::vector<double> result(static_cast<std::size_t>(countOf(*shape)));
    for (std::int64_t n = 0; n < x->shape[0]; ++n)
        for (std::int64_t p = 0; p < positions; ++p) {
            const auto at = static_cast<std::size_t>(n * positions + p) * axes;
            const auto all = planeTaps(*how, std::span(places).subspan(at, axes), planeSizes, planeStrides);
            for (std::int64_t c = 0; c < channels; ++c) {
                double sum = 0;
                for (const Tap &tap : all)
                    sum += tap.weight * floats[static_cast<std::size_t>(n * strides[0] + c * strides[1] + tap.at)];
                result[static_cast<std::size_t>((n * channels + c) * positions + p)] = sum;
            }
        }
    return answer(*shape, std::move(result));
}

namespace {

/// A coordinate of an affine grid: -1 to 1 over the middles of the first and last element, or over their outer edges.
/// ONNX and torch differ in where the only element lies whose middle is both first and last.
double gridCoordinate(std::int64_t index, std::int64_t size, bool alignsCorners, bool isOnnx)
{
    const auto at = static_cast<double>(index), count = static_cast<double>(size);
    if (!alignsCorners)
        return (2 * at + 1) / count - 1;
    if (size == 1)
        return isOnnx ? -1 : 0;
    return -1 + 2 * at / (count - 1);
}

} // namespace

/// theta · (x, y, …, 1) of each position.
Answer affineGrid(const Call &call)
{
    const Array *theta = call.array(0);
    const auto shape = call.shape();
    const auto corners = call.isOnnx() ? call.flag("", "align_corners", false) : call.facts().flag("align_corners");
    if (!areKnown(shape, corners) || !hasRank(theta, 3) || shape->size() < 4)
        return std::nullopt;
    const std::size_t axes = shape->size() - 2;
    const auto rows = static_cast<std::int64_t>(axes);
    if (theta->shape != Sizes{shape->front(), rows, rows + 1})
        return std::nullopt;
    const Sizes sizes(shape->begin() + 1, shape->end() - 1);
    const std::vector<double> factors = floatsOf(*theta);
    const Sizes unit = stridesOf(sizes);
    std::vector<double> result;
    for (std::int64_t n = 0; n < shape->front(); ++n)
        for (std::int64_t p = 0; p < countOf(sizes); ++p) {
            std::vector<double> position(axes + 1, 1); // the last dimension first
            for (std::size_t d = 0; d < axes; ++d)
                position[axes - 1 - d] = gridCoordinate(p / unit[d] % sizes[d], sizes[d], *corners, call.isOnnx());
            for (std::size_t row = 0; row < axes; ++row) {
                double sum = 0;
                for (std::size_t k = 0; k <= axes; ++k)
                    sum += position[k] * factors[(static_cast<std::size_t>(n) * axes + row) * (axes + 1) + k];
                result.push_back(sum);
            }
        }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
