// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::evaluate {

namespace {

using Floats = std::span<double>;

// ---- softmax

void takeSoftmax(Floats x, bool isLog)
{
    const double largest = x.empty() ? 0 : std::ranges::max(x);
    double sum = 0;
    for (const double a : x)
        sum += std::exp(a - largest);
    for (double &a : x)
        a = isLog ? a - largest - std::log(sum) : std::exp(a - largest) / sum;
}

/// Calls change(lane) for the elements along an axis, wherever on the others.
template <class Change>
void alongAxis(std::vector<double> &floats, std::int64_t along, std::int64_t inner, const Change &change)
{
    std::vector<double> lane(static_cast<std::size_t>(along));
    const auto outer = along * inner == 0 ? 0 : std::ssize(floats) / (along * inner);
    for (std::int64_t i = 0; i < outer * inner; ++i) {
        const auto place = [&](std::int64_t k) {
            return static_cast<std::size_t>((i / inner * along + k) * inner + i % inner);
        };
        for (std::int64_t k = 0; k < along; ++k)
            lane[static_cast<std::size_t>(k)] = floats[place(k)];
        change(lane);
        for (std::int64_t k = 0; k < along; ++k)
            floats[place(k)] = lane[static_cast<std::size_t>(k)];
    }
}

/// Before its version 13 ONNX's softmax is one over an axis and all behind it.
Answer softmax(const Call &call)
{
    const Array *x = call.array(0);
    const bool isOld = call.isOnnx() && call.facts().opset() < 13;
    const std::size_t rank = x ? std::max(x->shape.size(), std::size_t{1}) : 1;
    const auto axis = x ? call.axis("dim", "axis", isOld ? 1 : -1, rank) : std::nullopt;
    if (!axis || (!call.isOnnx() && !call.facts().has("dim")))
        return std::nullopt;
    const Sizes shape = x->shape.empty() ? Sizes{1} : x->shape;
    const auto behind = shape.begin() + static_cast<std::ptrdiff_t>(*axis);
    const std::int64_t inner = isOld ? 1 : countOf({behind + 1, shape.end()});
    const std::int64_t along = isOld ? countOf({behind, shape.end()}) : *behind;
    std::vector<double> floats = floatsOf(*x);
    alongAxis(floats, along, inner, [&](Floats lane) { takeSoftmax(lane, call.kind() == "logsoftmax"); });
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

// ---- normalization over runs of elements

struct Moments {
    double mean, inverse; ///< of the standard deviation
};

Moments momentsOf(Floats x, double epsilon)
{
    const auto count = static_cast<double>(x.size());
    double sum = 0, squares = 0;
    for (const double a : x)
        sum += a;
    for (const double a : x)
        squares += (a - sum / count) * (a - sum / count);
    return {sum / count, 1 / std::sqrt(squares / count + epsilon)};
}

/// Scales and shifts, one per element that has its own; 1 and 0 where there are none.
struct Affine {
    std::vector<double> scale, shift;
    double of(double x, std::size_t i) const
    {
        return x * (scale.empty() ? 1 : scale[i]) + (shift.empty() ? 0 : shift[i]);
    }
};

std::optional<Affine> affine(const Call &call, std::size_t scaleAt, std::size_t shiftAt, std::size_t count)
{
    Affine result;
    for (const auto &[position, list] : {std::pair(scaleAt, &result.scale), std::pair(shiftAt, &result.shift)}) {
        const Array *array = call.array(position);
        if (call.facts().has(position) && (!array || array->count() != count))
            return std::nullopt;
        if (array)
            *list = floatsOf(*array);
    }
    return result;
}

/// How many of the last elements are normalized together.
std::optional<std::size_t> normalizedCount(const Call &call, const Array &x)
{
    const auto listed = call.isOnnx() ? std::nullopt : call.facts().sizes("normalized_shape");
    if (!call.isOnnx() && (!listed || listed->size() > x.shape.size()))
        return std::nullopt;
    const auto axis =
        call.isOnnx() ? call.axis("", "axis", -1, x.shape.size()) : std::optional(x.shape.size() - listed->size());
    return axis ? std::optional(static_cast<std::size_t>(
                      countOf({x.shape.begin() + static_cast<std::ptrdiff_t>(*axis), x.shape.end()})))
                : std::nullopt;
}

/// The further results of one number per run, in the shapes that are derived.
void addMoments(const Call &call, Values &results, const std::vector<Moments> &moments)
{
    for (std::size_t i = 1; i < call.resultCount() && i < 3; ++i) {
        const auto shape = call.shape(i);
        std::vector<double> list;
        for (const Moments &m : moments)
            list.push_back(i == 1 ? m.mean : m.inverse);
        results.emplace_back();
        if (shape && countOf(*shape) == std::ssize(list))
            results.back() = Array{ir::DType::Float64, *shape, std::move(list)};
    }
}

Answer layerNorm(const Call &call)
{
    const Array *x = call.array(0);
    const auto count = x ? normalizedCount(call, *x) : std::nullopt;
    const auto weights = count ? affine(call, call.isOnnx() ? 1 : 2, call.isOnnx() ? 2 : 3, *count) : std::nullopt;
    const auto epsilon = call.number("eps", "epsilon", 1e-5);
    if (!weights || !epsilon || *count == 0)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    std::vector<Moments> moments;
    for (std::size_t start = 0; start < floats.size(); start += *count) {
        const Moments m = momentsOf(Floats(floats).subspan(start, *count), *epsilon);
        for (std::size_t i = 0; i < *count; ++i)
            floats[start + i] = weights->of((floats[start + i] - m.mean) * m.inverse, i);
        moments.push_back(m);
    }
    Values results{Array{ir::DType::Float64, x->shape, std::move(floats)}};
    addMoments(call, results, moments);
    return results;
}

Answer rmsNorm(const Call &call)
{
    const Array *x = call.array(0);
    const auto count = x ? normalizedCount(call, *x) : std::nullopt;
    const std::size_t scaleAt = call.isOnnx() ? 1 : 2;
    const auto weights = count ? affine(call, scaleAt, 99, *count) : std::nullopt;
    const auto epsilon = call.isOnnx() ? call.number("", "epsilon", 1e-5) : call.facts().floating("eps");
    if (!weights || !epsilon || *count == 0 || call.resultCount() != 1)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t start = 0; start < floats.size(); start += *count) {
        double squares = 0;
        for (std::size_t i = 0; i < *count; ++i)
            squares += floats[start + i] * floats[start + i];
        const double inverse = 1 / std::sqrt(squares / static_cast<double>(*count) + *epsilon);
        for (std::size_t i = 0; i < *count; ++i)
            floats[start + i] = weights->of(floats[start + i] * inverse, i);
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// Channels of one image in groups; each group by its own moments.
Answer normalizedGroups(const Array &x, std::int64_t groups, double epsilon, const Affine &weights)
{
    const std::int64_t channels = x.shape[1];
    if (groups <= 0 || channels % groups != 0 || x.count() == 0)
        return std::nullopt;
    const auto inner = static_cast<std::size_t>(countOf({x.shape.begin() + 2, x.shape.end()}));
    const std::size_t count = static_cast<std::size_t>(channels / groups) * inner;
    std::vector<double> floats = floatsOf(x);
    for (std::size_t start = 0; start < floats.size(); start += count) {
        const Moments m = momentsOf(Floats(floats).subspan(start, count), epsilon);
        for (std::size_t i = start; i < start + count; ++i)
            floats[i] = weights.of((floats[i] - m.mean) * m.inverse, i / inner % static_cast<std::size_t>(channels));
    }
    return answer(Array{ir::DType::Float64, x.shape, std::move(floats)});
}

Answer groupNorm(const Call &call)
{
    const Array *x = call.array(0);
    const auto groups = call.integer("num_groups", "num_groups", 0);
    const auto epsilon = call.number("eps", "epsilon", 1e-5);
    if (!x || x->shape.size() < 2 || !groups || !epsilon || call.resultCount() != 1)
        return std::nullopt;
    const auto channels = static_cast<std::size_t>(x->shape[1]);
    const auto weights = affine(call, call.isOnnx() ? 1 : 2, call.isOnnx() ? 2 : 3, channels);
    return weights ? normalizedGroups(*x, *groups, *epsilon, *weights) : std::nullopt;
}

/// By the moments of each channel of each image; not by those that training found.
Answer instanceNorm(const Call &call)
{
    const Array *x = call.array(0);
    const auto epsilon = call.number("eps", "epsilon", 1e-5);
    if (!x || x->shape.size() < 3 || !epsilon || call.flag("use_input_stats", true) != true)
        return std::nullopt;
    const auto weights = affine(call, 1, 2, static_cast<std::size_t>(x->shape[1]));
    return weights ? normalizedGroups(*x, x->shape[1], *epsilon, *weights) : std::nullopt;
}

/// Out of training: by the moments that training found.
Answer batchNorm(const Call &call)
{
    const Array *x = call.array(0);
    const Array *mean = call.array(3), *variance = call.array(4);
    const auto epsilon = call.number("eps", "epsilon", 1e-5);
    const bool trains =
        call.isOnnx() ? call.integer("", "training_mode", 0) != 0 : call.flag("training", false) != false;
    if (!x || x->shape.size() < 2 || !mean || !variance || !epsilon || trains)
        return std::nullopt;
    const auto channels = static_cast<std::size_t>(x->shape[1]);
    const auto weights = affine(call, 1, 2, channels);
    if (!weights || mean->count() != channels || variance->count() != channels)
        return std::nullopt;
    const auto inner = static_cast<std::size_t>(countOf({x->shape.begin() + 2, x->shape.end()}));
    const std::vector<double> means = floatsOf(*mean), variances = floatsOf(*variance);
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const std::size_t c = i / inner % channels;
        floats[i] = weights->of((floats[i] - means[c]) / std::sqrt(variances[c] + *epsilon), c);
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

constexpr auto normalizationRows = std::to_array<RuleRow>({
    {"softmax logsoftmax", softmax},
    {"layernorm", layerNorm},
    {"rmsnorm", rmsNorm},
    {"groupnorm", groupNorm},
    {"instancenorm", instanceNorm},
    {"batchnorm", batchNorm},
});

} // namespace

std::span<const RuleRow> normalizationRules() { return normalizationRows; }

} // namespace cutaway::evaluate
