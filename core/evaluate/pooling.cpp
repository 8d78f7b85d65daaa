// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/rules.h"
#include "core/evaluate/window.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::evaluate {

namespace {

struct Pool {
    Images input, output;
    std::size_t spatial;
};

/// "max_pool2d" has two; operators of ONNX as many as their input has beside images and channels.
std::optional<std::size_t> spatialRank(const Call &call, const Array &x)
{
    if (call.isOnnx())
        return x.shape.size() < 3 ? std::nullopt : std::optional(x.shape.size() - 2);
    const std::string_view name = call.facts().name();
    const auto digit = name.find_first_of("123");
    return digit == std::string_view::npos ? std::nullopt : std::optional(static_cast<std::size_t>(name[digit] - '0'));
}

std::optional<Pool> poolOf(const Call &call, const Array &x)
{
    const auto shape = call.shape();
    const auto spatial = spatialRank(call, x);
    const auto input = spatial ? imagesOf(x.shape, *spatial) : std::nullopt;
    const auto output = spatial && shape ? imagesOf(*shape, *spatial) : std::nullopt;
    return input && output ? std::optional(Pool{*input, *output, *spatial}) : std::nullopt;
}

/// What is made of the elements that the window of each output position sees: of one(elements of a channel, position).
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

/// Positions of a window that lie in the padded input, which is what an average with padding divides by.
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

std::optional<Window> poolWindow(const Call &call, const Pool &pool)
{
    const auto kernel = perDimension(call.facts()[call.isOnnx() ? "kernel_shape" : "kernel_size"], pool.spatial, 1);
    return kernel ? windowOf(call, pool.spatial, *kernel, *kernel, pool.input.size, pool.output.size) : std::nullopt;
}

Answer maxPool(const Call &call)
{
    const Array *x = call.array(0);
    const auto pool = x ? poolOf(call, *x) : std::nullopt;
    const auto window = pool ? poolWindow(call, *pool) : std::nullopt;
    if (!window)
        return std::nullopt;
    return perPosition(*x, *pool, *call.shape(), [&](std::span<const double> elements, const Triple &position) {
        double largest = -std::numeric_limits<double>::infinity();
        visitWindow(*window, position, pool->input.size, [&](std::size_t place) {
            if (elements[place] > largest || std::isnan(elements[place]))
                largest = elements[place];
        });
        return largest;
    });
}

Answer averagePool(const Call &call)
{
    const Array *x = call.array(0);
    const auto pool = x ? poolOf(call, *x) : std::nullopt;
    const auto window = pool ? poolWindow(call, *pool) : std::nullopt;
    const auto countsPadding = call.isOnnx()
        ? call.integer("", "count_include_pad", 0)
        : std::optional<std::int64_t>(call.flag("count_include_pad", true) == true);
    const auto divisor = call.integer("divisor_override", "", 0);
    if (!window || !countsPadding || !divisor)
        return std::nullopt;
    return perPosition(*x, *pool, *call.shape(), [&](std::span<const double> elements, const Triple &position) {
        double sum = 0;
        std::int64_t seen = 0;
        visitWindow(*window, position, pool->input.size, [&](std::size_t place) {
            sum += elements[place];
            ++seen;
        });
        const std::int64_t counted = *countsPadding != 0 ? paddedCount(*window, position, pool->input.size) : seen;
        return sum / static_cast<double>(*divisor != 0 ? *divisor : counted);
    });
}

/// Windows as large as they must be to give so many positions.
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

Answer adaptiveAverage(const Call &call)
{
    return adaptive(call, 0,
                    [](double sum, double x, std::int64_t count) { return sum + x / static_cast<double>(count); });
}

Answer adaptiveMaximum(const Call &call)
{
    return adaptive(call, -std::numeric_limits<double>::infinity(),
                    [](double largest, double x, std::int64_t) { return x > largest || std::isnan(x) ? x : largest; });
}

constexpr auto poolingRows = std::to_array<RuleRow>({
    {"maxpool", maxPool},
    {"avgpool", averagePool},
    {"adaptiveavgpool adaptiveavgpool2d adaptiveavgpool3d", adaptiveAverage},
    {"adaptivemaxpool", adaptiveMaximum},
});

} // namespace

std::span<const RuleRow> poolingRules() { return poolingRows; }

} // namespace cutaway::evaluate
