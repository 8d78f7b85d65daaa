// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/compute/memory.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cutaway::compute {

// ---- normalization over runs of elements

namespace {

using Floats = std::span<double>;

struct Moments {
    double mean, inverse; ///< `inverse` is 1 / √(variance + epsilon)
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

/// A scale and a shift per element that is normalized together, or per channel; 1 and 0 where a list is empty.
struct Affine {
    std::vector<double> scale, shift;
    double of(double x, std::size_t i) const
    {
        return x * (scale.empty() ? 1 : scale[i]) + (shift.empty() ? 0 : shift[i]);
    }
};

/// Reads scale and shift, which must have `count` elements. ONNX broadcasts them to `shape`, if it is given.
std::optional<Affine> affine(const Call &call, const ops::NormalizationArguments &given, std::size_t count,
                             const Sizes &shape = {})
{
    Affine result;
    for (const auto &[position, list] :
         {std::pair(given.weight, &result.scale), std::pair(given.bias, &result.shift)}) {
        const Array *array = call.array(position);
        if (!array && !call.facts().has(position))
            continue;
        const auto whole = array && array->count() != count && !shape.empty() ? broadcast(*array, shape)
            : array                                                           ? std::optional(*array)
                                                                              : std::nullopt;
        if (!whole || whole->count() != count)
            return std::nullopt;
        *list = floatsOf(*whole);
    }
    return result;
}

/// Returns the number of trailing elements that are normalized together.
std::optional<std::size_t> normalizedCount(const ops::NormalizationArguments &given, const Array &x)
{
    const auto axis = given.axisOf(x.shape.size());
    return axis ? std::optional(static_cast<std::size_t>(
                      countOf({x.shape.begin() + static_cast<std::ptrdiff_t>(*axis), x.shape.end()})))
                : std::nullopt;
}

/// Returns the sizes of the dimensions that are normalized together, if weights are broadcast to them as in ONNX; else
/// none.
Sizes normalizedShape(const ops::NormalizationArguments &given, const Array &x)
{
    const auto axis = given.axisOf(x.shape.size());
    return axis && !given.normalizedShape ? Sizes(x.shape.begin() + static_cast<std::ptrdiff_t>(*axis), x.shape.end())
                                          : Sizes();
}

/// Returns the epsilon; nothing if it is not given or not known.
std::optional<double> epsilonOf(const ops::NormalizationArguments &given)
{
    return given.epsilon ? *given.epsilon : std::nullopt;
}

/// Adds the second and third result, if the node has them: the mean and the inverse deviation of each run.
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

/// Normalizes groups of channels of each image by their own moments.
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

} // namespace

Answer layerNorm(const Call &call)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(call.facts());
    const Array *x = call.array(given.input);
    const auto count = x ? normalizedCount(given, *x) : std::nullopt;
    const auto weights = count ? affine(call, given, *count, normalizedShape(given, *x)) : std::nullopt;
    const auto epsilon = epsilonOf(given);
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

namespace {

/// Returns the machine epsilon of a dtype, PyTorch's default of epsilon; nothing unless the dtype is float32 or
/// float64.
std::optional<double> smallestChangeOf(ir::DType dtype)
{
    return dtype == ir::DType::Float64 ? std::optional(0x1p-52)
        : dtype == ir::DType::Float32  ? std::optional(0x1p-23)
                                       : std::nullopt;
}

} // namespace

Answer rmsNorm(const Call &call)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(call.facts());
    const Array *x = call.array(given.input);
    const auto count = x ? normalizedCount(given, *x) : std::nullopt;
    const auto weights = count ? affine(call, given, *count) : std::nullopt;
    const auto epsilon = given.epsilon ? *given.epsilon : x ? smallestChangeOf(x->dtype) : std::nullopt;
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

Answer groupNorm(const Call &call)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(call.facts());
    const Array *x = call.array(given.input);
    const auto groups = ops::number(given.groups);
    const auto epsilon = epsilonOf(given);
    if (!x || x->shape.size() < 2 || !groups || *groups <= 0 || !epsilon || call.resultCount() != 1)
        return std::nullopt;
    const auto channels = static_cast<std::size_t>(x->shape[1]);
    const Array *weight = call.array(given.weight);
    if (!call.isOnnx() || !weight || std::cmp_not_equal(weight->count(), *groups) || channels % weight->count() != 0) {
        const auto weights = affine(call, given, channels);
        return weights ? normalizedGroups(*x, *groups, *epsilon, *weights) : std::nullopt;
    }
    const auto ofGroups = affine(call, given, weight->count()); // ONNX before operator set 21 has a weight per group
    if (!ofGroups)
        return std::nullopt;
    Affine weights;
    for (std::size_t channel = 0; channel < channels; ++channel) {
        const std::size_t group = channel / (channels / weight->count());
        weights.scale.push_back(ofGroups->scale[group]);
        weights.shift.push_back(ofGroups->shift.empty() ? 0 : ofGroups->shift[group]);
    }
    return normalizedGroups(*x, *groups, *epsilon, weights);
}

/// Normalizes by the moments of each channel of each image, or by the running statistics if use_input_stats is false.
Answer instanceNorm(const Call &call)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(call.facts());
    const Array *x = call.array(given.input);
    const auto epsilon = epsilonOf(given);
    if (given.useInputStats == false)
        return batchNorm(call);
    if (!x || x->shape.size() < 3 || !epsilon || given.useInputStats != true)
        return std::nullopt;
    const auto weights = affine(call, given, static_cast<std::size_t>(x->shape[1]));
    return weights ? normalizedGroups(*x, x->shape[1], *epsilon, *weights) : std::nullopt;
}

namespace {

/// Moves running statistics towards those of this batch. False: the sizes do not fit, or it is not known which other
/// values share the running statistics.
bool moveTowards(const Array *running, const std::vector<double> &found, double momentum)
{
    if (!running)
        return true;
    std::vector<double> moved = floatsOf(*running);
    if (moved.size() != found.size() || running->isWhole())
        return false;
    for (std::size_t c = 0; c < moved.size(); ++c)
        moved[c] = (1 - momentum) * moved[c] + momentum * found[c];
    const auto typed = converted(Array{ir::DType::Float64, running->shape, std::move(moved)}, running->dtype);
    return write(*running, typed->elements);
}

/// Normalizes by the moments of each channel of the batch, and updates the running ones.
Answer trainedBatchNorm(const Call &call, const ops::NormalizationArguments &given, double epsilon)
{
    const Array *x = call.array(given.input), *mean = call.array(given.mean), *variance = call.array(given.variance);
    const auto momentum = call.number("momentum", "", 0.1);
    if (!areKnown(x, momentum) || x->shape.size() < 2 || call.isOnnx() || call.resultCount() != 1
        || call.isUnknown(given.mean) || call.isUnknown(given.variance))
        return std::nullopt;
    const Lanes lanes = lanesOf(x->shape, 1);
    const auto weights = affine(call, given, static_cast<std::size_t>(lanes.along));
    const std::int64_t count = lanes.count();
    if (!weights || count < 2)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x), means, variances;
    for (std::int64_t c = 0; c < lanes.along; ++c) {
        std::vector<double> channel;
        for (std::int64_t i = 0; i < count; ++i)
            channel.push_back(floats[lanes.place(i, c)]);
        const Moments m = momentsOf(channel, epsilon);
        for (std::int64_t i = 0; i < count; ++i)
            floats[lanes.place(i, c)] =
                weights->of((channel[static_cast<std::size_t>(i)] - m.mean) * m.inverse, static_cast<std::size_t>(c));
        means.push_back(m.mean);
        variances.push_back((1 / (m.inverse * m.inverse) - epsilon) * static_cast<double>(count)
                            / static_cast<double>(count - 1));
    }
    const bool isNoted = moveTowards(mean, means, *momentum) && moveTowards(variance, variances, *momentum);
    return isNoted ? answer(Array{ir::DType::Float64, x->shape, std::move(floats)}) : std::nullopt;
}

} // namespace

/// Normalizes by the running statistics, unless the node trains.
Answer batchNorm(const Call &call)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(call.facts());
    const Array *x = call.array(given.input), *mean = call.array(given.mean), *variance = call.array(given.variance);
    const auto epsilon = epsilonOf(given);
    if (given.useInputStats == true && epsilon)
        return trainedBatchNorm(call, given, *epsilon);
    if (!x || x->shape.size() < 2 || !mean || !variance || !epsilon || given.useInputStats != false)
        return std::nullopt;
    const auto behind = x->shape.begin() + (given.isOfEachPlace ? static_cast<std::ptrdiff_t>(x->shape.size()) : 2);
    const auto channels = static_cast<std::size_t>(countOf({x->shape.begin() + 1, behind}));
    const auto weights = affine(call, given, channels);
    if (!weights || mean->count() != channels || variance->count() != channels)
        return std::nullopt;
    const auto inner = static_cast<std::size_t>(countOf({behind, x->shape.end()}));
    const std::vector<double> means = floatsOf(*mean), variances = floatsOf(*variance);
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const std::size_t c = i / inner % channels;
        floats[i] = weights->of((floats[i] - means[c]) / std::sqrt(variances[c] + *epsilon), c);
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// x / (bias + alpha / size · Σ of squares of neighbouring channels)^beta
Answer localResponse(const Call &call)
{
    const Array *x = call.array(0);
    const auto size = call.facts().integer("size");
    const auto alpha = call.number("", "alpha", 0.0001), beta = call.number("", "beta", 0.75),
               bias = call.number("", "bias", 1);
    if (!x || x->shape.size() < 2 || !size || *size < 1 || !alpha || !beta || !bias)
        return std::nullopt;
    const Lanes lanes = lanesOf(x->shape, 1);
    const std::vector<double> floats = floatsOf(*x);
    std::vector<double> result(floats.size());
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
        for (std::int64_t c = 0; c < lanes.along; ++c) {
            const std::int64_t first = std::max<std::int64_t>(0, c - (*size - 1) / 2);
            const std::int64_t last = std::min(lanes.along - 1, c + *size / 2);
            double squares = 0;
            for (std::int64_t k = first; k <= last; ++k)
                squares += floats[lanes.place(lane, k)] * floats[lanes.place(lane, k)];
            const std::size_t place = lanes.place(lane, c);
            result[place] = floats[place] / std::pow(*bias + *alpha / static_cast<double>(*size) * squares, *beta);
        }
    return answer(Array{ir::DType::Float64, x->shape, std::move(result)});
}

Answer lpNormalization(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("", "axis", -1, x->shape.size()) : std::nullopt;
    const auto p = call.integer("", "p", 2);
    if (!axis || !p || (*p != 1 && *p != 2))
        return std::nullopt;
    const Lanes lanes = lanesOf(x->shape, *axis);
    std::vector<double> floats = floatsOf(*x);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
        double sum = 0;
        for (std::int64_t i = 0; i < lanes.along; ++i)
            sum += std::pow(std::abs(floats[lanes.place(lane, i)]), static_cast<double>(*p));
        const double norm = *p == 2 ? std::sqrt(sum) : sum;
        if (norm == 0)
            return std::nullopt; // ONNX does not define the result of a division by 0
        for (std::int64_t i = 0; i < lanes.along; ++i)
            floats[lanes.place(lane, i)] /= norm;
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

namespace {

/// Replaces the elements of a run by (x - mean) / (standard deviation + 1e-9).
void standardize(std::span<double> run)
{
    const auto count = static_cast<double>(run.size());
    double sum = 0, squares = 0;
    for (const double x : run)
        sum += x;
    const double mean = sum / count;
    for (const double x : run)
        squares += (x - mean) * (x - mean);
    const double deviation = std::sqrt(squares / count) + 1e-9;
    for (double &x : run)
        x = (x - mean) / deviation;
}

/// The axes of onnx::MeanVarianceNormalization, [0, 2, 3] if none are given.
std::optional<std::vector<std::size_t>> normalizedAxes(const Call &call, std::size_t rank)
{
    const std::vector<ir::Dim> ofImages{std::int64_t{0}, std::int64_t{2}, std::int64_t{3}};
    const auto given = call.facts().has("axes") ? call.facts().sizes("axes") : std::optional(ofImages);
    return given ? ops::dimensions(*given, rank) : std::nullopt;
}

} // namespace

Answer meanVarianceNormalization(const Call &call)
{
    const Array *x = call.array(0);
    const auto axes = x ? normalizedAxes(call, x->shape.size()) : std::nullopt;
    if (!axes)
        return std::nullopt;
    std::vector<std::size_t> order;
    std::int64_t length = 1;
    for (const bool last : {false, true})
        for (std::size_t d = 0; d < x->shape.size(); ++d)
            if (std::ranges::contains(*axes, d) == last) {
                order.push_back(d);
                length *= last ? x->shape[d] : 1;
            }
    const Array ordered = permuted(*x, order);
    std::vector<double> floats = floatsOf(ordered);
    const auto run = static_cast<std::size_t>(length);
    for (std::size_t start = 0; run > 0 && start < floats.size(); start += run)
        standardize(std::span(floats).subspan(start, run));
    std::vector<std::size_t> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        back[order[i]] = i;
    return answer(permuted(Array{ir::DType::Float64, ordered.shape, std::move(floats)}, back));
}

/// Returns v · g / |v|, with the norm over all dimensions but one.
Answer weightNorm(const Call &call)
{
    const Array *v = call.array("v"), *g = call.array("g");
    const auto axis = v ? call.axis("dim", "", 0, v->shape.size()) : std::nullopt;
    if (!axis || !g || static_cast<std::int64_t>(g->count()) != v->shape[*axis])
        return std::nullopt;
    const Lanes lanes = lanesOf(v->shape, *axis);
    std::vector<double> floats = floatsOf(*v);
    const std::vector<double> size = floatsOf(*g);
    for (std::int64_t i = 0; i < lanes.along; ++i) {
        double squares = 0;
        for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
            squares += floats[lanes.place(lane, i)] * floats[lanes.place(lane, i)];
        for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
            floats[lanes.place(lane, i)] *= size[static_cast<std::size_t>(i)] / std::sqrt(squares);
    }
    return answer(Array{ir::DType::Float64, v->shape, std::move(floats)});
}

} // namespace cutaway::compute
