// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/resampling_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/resampling.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

using ops::Interpolation;
using Outside = ops::GridSampleArguments::Outside;

/// The arguments with which a grid is sampled, all of them known.
struct Sampling {
    Interpolation interpolation;
    Outside outside;
    bool alignsCorners, isOnnx;
};

std::optional<Sampling> samplingOf(const ops::Call &call)
{
    const ops::GridSampleArguments given = ops::gridSampleArguments(call);
    if (!areKnown(given.interpolation, given.outside, given.alignsCorners))
        return std::nullopt;
    return Sampling{*given.interpolation, *given.outside, *given.alignsCorners, call.isOnnx()};
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
    if (how.outside == Outside::Zeros)
        return x;
    if (how.outside == Outside::Reflection)
        x = how.alignsCorners ? reflected(x, 0, n - 1) : reflected(x, -0.5, n - 0.5);
    return std::clamp(x, 0.0, n - 1);
}

/// Returns the position that ONNX reads for position `x`. A position inside the image stays, also between an outermost
/// element's centre and the border, and so does every position if zeros surround the image.
double placedByOnnx(const Sampling &how, double x, std::int64_t size)
{
    const double low = how.alignsCorners ? 0 : -0.5, high = static_cast<double>(size - 1) - low;
    if (how.outside == Outside::Zeros || (x >= low && x <= high))
        return x;
    return how.outside == Outside::Border ? std::clamp(x, 0.0, static_cast<double>(size - 1)) : reflected(x, low, high);
}

/// Returns the elements along one dimension that a coordinate reads; with Outside::Zeros, only those in the image.
std::vector<Tap> sampleTaps(const Sampling &how, double coordinate, std::int64_t size)
{
    const auto n = static_cast<double>(size);
    double x = how.alignsCorners ? (coordinate + 1) / 2 * (n - 1) : ((coordinate + 1) * n - 1) / 2;
    if (how.interpolation == Interpolation::Nearest && how.isOnnx)
        x = std::nearbyint(x);
    if (how.isOnnx)
        x = placedByOnnx(how, x, size);
    else if (how.interpolation != Interpolation::Cubic)
        x = padded(how, x, size);
    if (!std::isfinite(x) || std::abs(x) > 1e9)
        return {};
    std::vector<Tap> taps;
    const double base = std::floor(x), rest = x - base;
    const auto first = static_cast<std::int64_t>(base);
    if (how.interpolation == Interpolation::Nearest)
        taps = {{static_cast<std::int64_t>(std::nearbyint(x)), 1}};
    else if (how.interpolation == Interpolation::Linear)
        taps = {{first, 1 - rest}, {first + 1, rest}};
    else
        for (std::int64_t i = -1; i <= 2; ++i)
            taps.push_back({first + i, cubic(static_cast<double>(i) - rest, -0.75)});
    std::erase_if(taps, [&](Tap &tap) {
        tap.at = how.outside == Outside::Zeros
            ? tap.at
            : static_cast<std::int64_t>(std::nearbyint(padded(how, static_cast<double>(tap.at), size)));
        return tap.at < 0 || tap.at >= size;
    });
    return taps;
}

/// Returns the elements of a plane with these sizes and strides that a position of the grid reads. The position is
/// (x, y, …): the last dimension comes first.
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

/// Whether the grid's positions have one coordinate per spatial dimension of the image.
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
    const auto how = samplingOf(call.facts());
    if (!areKnown(x, shape, how) || !isGridFor(grid, *x) || x->count() == 0)
        return std::nullopt;
    // torch rounds positions to the grid's dtype, which may decide what is nearest.
    if (how->interpolation == Interpolation::Nearest && *ir::bitWidth(grid->dtype) < 32)
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

/// Returns a coordinate of an affine grid: -1 and 1 are the centres of the first and last element, or their outer
/// edges. ONNX and torch differ where there is only one element, whose centre is both.
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

/// Returns theta · (x, y, …, 1) for each position.
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
            std::vector<double> position(axes + 1, 1); // in reverse order: the last dimension comes first
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
