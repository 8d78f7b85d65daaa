// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/window.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

struct Pool {
    ops::PoolArguments given;
    Images input, output;
};

std::optional<Pool> poolOf(const Call &call, const Array &x)
{
    ops::PoolArguments given = ops::poolArguments(call.facts());
    const auto shape = call.shape();
    const auto &spatial = given.spatialRank;
    const auto input = spatial ? imagesOf(x.shape, *spatial) : std::nullopt;
    const auto output = spatial && shape ? imagesOf(*shape, *spatial) : std::nullopt;
    return input && output ? std::optional(Pool{std::move(given), *input, *output}) : std::nullopt;
}

/// Calls one(elements of a channel, position) for each position of the output, channel by channel; the values that it
/// returns are the elements of the answer.
template <class One>
Answer perPosition(const Array &x, const Pool &pool, const Sizes &shape, const One &one)
{
    const std::vector<double> floats = floatsOf(x);
    std::vector<double> result;
    const auto run = static_cast<std::size_t>(countOf(pool.input.size));
    for (std::size_t i = 0; i < static_cast<std::size_t>(pool.input.count * pool.input.channels); ++i)
        forEachPosition(pool.output.size, [&](const Triple &position) {
            result.push_back(one(std::span(floats).subspan(i * run, run), position));
        });
    return answer(Array{ir::DType::Float64, shape, std::move(result)});
}

template <class Visit>
void visitWindow(const Window &window, const Triple &position, const Triple &size, const Visit &visit)
{
    forEachPosition(window.kernel, [&](const Triple &k) {
        Triple at{};
        for (std::size_t d = 0; d < 3; ++d)
            at[d] = position[d] * window.stride[d] - window.before[d] + k[d] * window.dilation[d];
        if (isInside(at, size))
            visit(static_cast<std::size_t>(placeOf(at, size)));
    });
}

/// Returns how many positions of a window lie in the padded input: the divisor of an average that counts padding.
std::int64_t paddedCount(const Window &window, const Triple &position, const Triple &size)
{
    std::int64_t count = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t start = position[d] * window.stride[d] - window.before[d];
        std::int64_t inside = 0;
        for (std::int64_t k = 0; k < window.kernel[d]; ++k)
            inside += start + k * window.dilation[d] < size[d] + window.after[d] ? 1 : 0;
        count *= inside;
    }
    return count;
}

std::optional<Window> poolWindow(const Pool &pool)
{
    return pool.given.windows ? windowOf(*pool.given.windows, pool.input.size, pool.output.size) : std::nullopt;
}

} // namespace

namespace {

/// Returns the index of each window's largest element in its plane; nothing if a window is empty.
std::optional<std::vector<Whole>> placesOfLargest(const Array &x, const Pool &pool, const Window &window)
{
    const std::vector<double> floats = floatsOf(x);
    const auto run = static_cast<std::size_t>(countOf(pool.input.size));
    std::vector<Whole> places;
    for (std::size_t i = 0; i < static_cast<std::size_t>(pool.input.count * pool.input.channels); ++i)
        forEachPosition(pool.output.size, [&](const Triple &position) {
            const auto plane = std::span(floats).subspan(i * run, run);
            Whole best = -1;
            visitWindow(window, position, pool.input.size, [&](std::size_t place) {
                if (best < 0 || plane[place] > plane[static_cast<std::size_t>(best)] || std::isnan(plane[place]))
                    best = static_cast<Whole>(place);
            });
            places.push_back(best);
        });
    return std::ranges::contains(places, -1) ? std::nullopt : std::optional(std::move(places));
}

} // namespace

Answer maxPool(const Call &call)
{
    const Array *x = call.array(0);
    const auto pool = x ? poolOf(call, *x) : std::nullopt;
    const auto window = pool ? poolWindow(*pool) : std::nullopt;
    if (!window || (call.isOnnx() && call.resultCount() > 1 && call.integer("", "storage_order", 0) != 0))
        return std::nullopt;
    Answer results =
        perPosition(*x, *pool, *call.shape(), [&](std::span<const double> elements, const Triple &position) {
            double largest = -std::numeric_limits<double>::infinity();
            visitWindow(*window, position, pool->input.size, [&](std::size_t place) {
                if (elements[place] > largest || std::isnan(elements[place]))
                    largest = elements[place];
            });
            return largest;
        });
    if (call.resultCount() < 2)
        return results;
    auto places = placesOfLargest(*x, *pool, *window);
    if (!places)
        return std::nullopt;
    const auto perPlane = static_cast<std::size_t>(countOf(pool->output.size));
    // ONNX counts indices in the entire tensor, not in a plane.
    for (std::size_t i = 0; i < places->size() && call.isOnnx(); ++i)
        (*places)[i] += static_cast<Whole>(i / perPlane) * countOf(pool->input.size);
    results->emplace_back(Array{ir::DType::Int64, *call.shape(), std::move(*places)});
    return results;
}

/// Computes the p-norm of each window in ONNX; torch composes it of other operators.
Answer lpPool(const Call &call)
{
    const Array *x = call.array(0);
    const auto pool = x ? poolOf(call, *x) : std::nullopt;
    const auto window = pool && pool->given.p ? poolWindow(*pool) : std::nullopt;
    if (!window)
        return std::nullopt;
    const auto p = static_cast<double>(*pool->given.p);
    return perPosition(*x, *pool, *call.shape(), [&](std::span<const double> elements, const Triple &position) {
        double sum = 0;
        visitWindow(*window, position, pool->input.size,
                    [&](std::size_t place) { sum += std::pow(std::abs(elements[place]), p); });
        return std::pow(sum, 1 / p);
    });
}

/// Computes the p-norm of each channel.
Answer globalLpPool(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto p = call.number("", "p", 2);
    if (!x || !shape || x->shape.size() < 3 || !p || *p <= 0)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    const auto run = static_cast<std::size_t>(countOf({x->shape.begin() + 2, x->shape.end()}));
    std::vector<double> result(static_cast<std::size_t>(countOf(*shape)), 0);
    for (std::size_t i = 0; i < floats.size(); ++i)
        result[i / run] += std::pow(std::abs(floats[i]), *p);
    for (double &each : result)
        each = std::pow(each, 1 / *p);
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

Answer averagePool(const Call &call)
{
    const Array *x = call.array(0);
    const auto pool = x ? poolOf(call, *x) : std::nullopt;
    const auto window = pool ? poolWindow(*pool) : std::nullopt;
    if (!window || !pool->given.countIncludePad || (pool->given.divisorOverride && !*pool->given.divisorOverride))
        return std::nullopt;
    const bool countsPadding = *pool->given.countIncludePad;
    const bool reachesOver = pool->given.ceilMode != false && countOf(window->dilation) != 1;
    if (countsPadding && reachesOver) // it is not specified which positions past the padding count
        return std::nullopt;
    const std::int64_t divisor = pool->given.divisorOverride ? **pool->given.divisorOverride : 0;
    return perPosition(*x, *pool, *call.shape(), [&](std::span<const double> elements, const Triple &position) {
        double sum = 0;
        std::int64_t seen = 0;
        visitWindow(*window, position, pool->input.size, [&](std::size_t place) {
            sum += elements[place];
            ++seen;
        });
        const std::int64_t counted = countsPadding ? paddedCount(*window, position, pool->input.size) : seen;
        return sum / static_cast<double>(divisor != 0 ? divisor : counted);
    });
}

namespace {

/// Pools with windows that are chosen so that the result has the requested size.
template <class Fold>
Answer adaptive(const Call &call, double start, const Fold &fold)
{
    const Array *x = call.array(0);
    const auto pool = x ? poolOf(call, *x) : std::nullopt;
    if (!pool || countOf(pool->input.size) == 0)
        return std::nullopt;
    return perPosition(*x, *pool, *call.shape(), [&](std::span<const double> elements, const Triple &position) {
        Triple first{}, size{};
        for (std::size_t d = 0; d < 3; ++d) {
            const std::int64_t in = pool->input.size[d], out = pool->output.size[d];
            first[d] = position[d] * in / out;
            size[d] = ((position[d] + 1) * in + out - 1) / out - first[d];
        }
        double result = start;
        forEachPosition(size, [&](const Triple &k) {
            const Triple at{first[0] + k[0], first[1] + k[1], first[2] + k[2]};
            result = fold(result, elements[static_cast<std::size_t>(placeOf(at, pool->input.size))], countOf(size));
        });
        return result;
    });
}

} // namespace

Answer adaptiveAveragePool(const Call &call)
{
    return adaptive(call, 0,
                    [](double sum, double x, std::int64_t count) { return sum + x / static_cast<double>(count); });
}

Answer adaptiveMaxPool(const Call &call)
{
    return adaptive(call, -std::numeric_limits<double>::infinity(),
                    [](double largest, double x, std::int64_t) { return x > largest || std::isnan(x) ? x : largest; });
}

/// Puts elements back to the positions where a pool found them; all others are zero.
Answer maxUnpool(const Call &call)
{
    const Array *x = call.array(0), *places = call.array(1);
    const auto shape = call.shape();
    if (!areKnown(x, shape) || !isWhole(places) || places->shape != x->shape || shape->size() != x->shape.size()
        || x->shape.size() < 3 || x->isWhole())
        return std::nullopt;
    const bool hasOutputShape = call.isOnnx() && call.facts().has(2);
    // ONNX leaves open whether indices refer to this shape or to the one that follows from the window.
    if (hasOutputShape)
        return std::nullopt;
    const std::size_t spatial = call.isOnnx() ? x->shape.size() - 2 : call.facts().name() == "max_unpool3d" ? 3 : 2;
    const auto tail = static_cast<std::ptrdiff_t>(spatial);
    const std::int64_t from = countOf({x->shape.end() - tail, x->shape.end()});
    const std::int64_t to = countOf({shape->end() - tail, shape->end()});
    std::vector<double> result(static_cast<std::size_t>(countOf(*shape)), 0);
    for (std::size_t i = 0; i < x->count(); ++i) {
        const std::int64_t plane = call.isOnnx() ? 0 : static_cast<std::int64_t>(i) / from * to;
        const std::int64_t place = plane + places->as<Whole>()[i];
        if (place < 0 || place >= std::ssize(result))
            return std::nullopt;
        result[static_cast<std::size_t>(place)] = x->as<double>()[i];
    }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
