// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/resampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace cutaway::compute {

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
