// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Returns for each dimension of an array of this rank whether it is reduced.
std::optional<std::vector<bool>> reducedAxes(const Call &call, std::size_t rank)
{
    const auto reduced = ops::reduceArguments(call.facts()).reducedDimensions(rank);
    return reduced ? std::optional(*reduced) : std::nullopt;
}

/// Moves the reduced dimensions to the end, so that the elements that are reduced to one lie together.
Array withReducedLast(const Array &x, const std::vector<bool> &reduced)
{
    std::vector<std::size_t> order;
    for (const bool last : {false, true})
        for (std::size_t d = 0; d < x.shape.size(); ++d)
            if (reduced[d] == last)
                order.push_back(d);
    return permuted(x, order);
}

std::size_t lengthOf(const Array &x, const std::vector<bool> &reduced)
{
    std::int64_t length = 1;
    for (std::size_t d = 0; d < x.shape.size(); ++d)
        length *= reduced[d] ? x.shape[d] : 1;
    return static_cast<std::size_t>(length);
}

/// Reduces each run of `length` elements to one.
template <class T, class U>
std::vector<U> perRun(std::span<const T> elements, std::size_t length, std::size_t runs,
                      U (*function)(std::span<const T>))
{
    std::vector<U> results;
    for (std::size_t i = 0; i < runs; ++i)
        results.push_back(function(elements.subspan(i * length, length)));
    return results;
}

std::optional<Array> reduced(const Array &x, const std::vector<bool> &axes, const Reduction &reduction,
                             const Sizes &shape)
{
    const Array ordered = withReducedLast(x, axes);
    const std::size_t length = lengthOf(x, axes);
    const auto runs = static_cast<std::size_t>(countOf(shape));
    if ((length == 0 && !reduction.mayBeEmpty) || runs * length != x.count())
        return std::nullopt;
    if (x.isWhole() && reduction.whole)
        return Array{x.dtype, shape, perRun(ordered.as<Whole>(), length, runs, reduction.whole)};
    const std::vector<double> floats = floatsOf(ordered);
    return Array{ir::DType::Float64, shape, perRun(FloatSpan(floats), length, runs, reduction.real)};
}

/// Whether the reduction is exact although positions and means of integers are computed in doubles, which do not hold
/// all of int64.
bool isExact(const Array &x, const Reduction &reduction)
{
    return !x.isWhole() || reduction.whole || x.dtype != ir::DType::Int64;
}

Answer extremeWithPosition(const Call &call, const Reduction &extreme, const Reduction &position)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || call.facts().overload() == "other" || call.facts().overload() == "out" || call.isOnnx())
        return std::nullopt;
    const auto axes = reducedAxes(call, x->shape.size());
    auto values = axes ? reduced(*x, *axes, extreme, *shape) : std::nullopt;
    if (!values || call.resultCount() == 1)
        return answer(values);
    auto positions = reduced(*x, *axes, position, *shape);
    return positions ? Answer(Values{Value(*values), Value(*positions)}) : std::nullopt;
}

/// Returns `function` of the variance: squared distances from the mean, divided by their number less the correction.
template <class Function>
Answer varianceOf(const Call &call, const Function &function)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axes = x ? reducedAxes(call, x->shape.size()) : std::nullopt;
    const auto unbiased = call.flag("unbiased", true);
    const auto correction = call.number("correction", "", unbiased == true ? 1 : 0);
    if (!axes || !shape || !unbiased || !correction || call.resultCount() != 1)
        return std::nullopt;
    const Array ordered = withReducedLast(*x, *axes);
    const std::vector<double> floats = floatsOf(ordered);
    const std::size_t length = lengthOf(*x, *axes);
    std::vector<double> results;
    for (std::size_t i = 0; i < static_cast<std::size_t>(countOf(*shape)); ++i) {
        const FloatSpan run = FloatSpan(floats).subspan(i * length, length);
        const double middle = mean.real(run);
        double sum = 0;
        for (const double a : run)
            sum += (a - middle) * (a - middle);
        results.push_back(function(sum / std::max(0.0, static_cast<double>(length) - *correction)));
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(results)});
}

/// Returns for each run the position that the reduction `position` finds last: it reads the run backwards, and the
/// result is counted from the run's beginning again.
Answer lastPositions(const Array &x, const std::vector<bool> &axes, const Reduction &position, const Sizes &shape)
{
    const std::vector<double> floats = floatsOf(withReducedLast(x, axes));
    const std::size_t length = lengthOf(x, axes);
    std::vector<double> results;
    for (std::size_t i = 0; length > 0 && i < static_cast<std::size_t>(countOf(shape)); ++i) {
        const auto run = std::span(floats).subspan(i * length, length);
        const std::vector<double> backwards(run.rbegin(), run.rend());
        results.push_back(static_cast<double>(length) - 1 - position.real(backwards));
    }
    return length > 0 ? answer(Array{ir::DType::Float64, shape, std::move(results)}) : std::nullopt;
}

} // namespace

Answer reductionOf(const Call &call, const Reduction &function)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    const ops::ReduceArguments given = ops::reduceArguments(call.facts());
    if (!x)
        return std::nullopt;
    const auto axes = given.reducedDimensions(x->shape.size());
    // Runtimes differ in the mean of no elements.
    const bool isUndefined = call.isOnnx() && &function == &mean && x->count() == 0;
    if (!axes || !shape || !dtype || !isExact(*x, function) || isUndefined)
        return std::nullopt;
    if (given.selectLastIndex)
        return lastPositions(*x, *axes, function, *shape);
    const auto input = function.inResultType ? converted(*x, *dtype) : std::optional(*x);
    return input ? answer(reduced(*input, *axes, function, *shape)) : std::nullopt;
}

Answer largestWithPosition(const Call &call) { return extremeWithPosition(call, largest, positionOfLargest); }

Answer smallestWithPosition(const Call &call) { return extremeWithPosition(call, smallest, positionOfSmallest); }

Answer variance(const Call &call)
{
    return varianceOf(call, [](double x) { return x; });
}

Answer standardDeviation(const Call &call)
{
    return varianceOf(call, [](double x) { return std::sqrt(x); });
}

Answer cumulativeSum(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    const auto named = call.facts().integer(1);
    const auto reverse = call.integer("", "reverse", 0), exclusive = call.integer("", "exclusive", 0);
    if (!x || !dtype || !named || !reverse || !exclusive)
        return std::nullopt;
    auto sums = converted(*x, *dtype);
    const auto axis = ops::dimension(*named, x->shape.size());
    if (!sums || !axis || x->shape.empty())
        return x->shape.empty() ? answer(sums) : std::nullopt;
    const Lanes lanes = lanesOf(x->shape, *axis);
    std::visit(
        [&](auto &list) {
            using T = std::remove_reference_t<decltype(list[0])>;
            for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
                T sum = 0;
                for (std::int64_t i = 0; i < lanes.along; ++i) {
                    T &here = list[lanes.place(lane, *reverse != 0 ? lanes.along - 1 - i : i)];
                    const T before = sum;
                    if constexpr (std::is_same_v<T, Whole>)
                        sum = static_cast<Whole>(bits(sum) + bits(here));
                    else
                        sum += here;
                    here = *exclusive != 0 ? before : sum;
                }
            }
        },
        sums->elements);
    return answer(sums);
}

namespace {

/// Calls step(lane, position, lanes) for all elements, along one lane of the axis after the other.
template <class Step>
Answer accumulatedAlong(const Array &x, std::size_t axis, const Step &step)
{
    const Lanes lanes = lanesOf(x.shape, axis);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
        for (std::int64_t i = 0; i < lanes.along; ++i)
            step(lane, i, lanes);
    return Values();
}

} // namespace

Answer cumulativeProduct(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    const auto named = call.facts().integer(1);
    auto products = x && dtype ? converted(*x, *dtype) : std::nullopt;
    const auto axis = products && named ? ops::dimension(*named, x->shape.size()) : std::nullopt;
    const auto reverse = call.integer("", "reverse", 0), exclusive = call.integer("", "exclusive", 0);
    if (!axis || call.facts().has("reverse") || call.facts().has("exclusive") || !reverse || !exclusive)
        return std::nullopt;
    std::visit(
        [&](auto &list) {
            accumulatedAlong(*products, *axis, [&](std::int64_t lane, std::int64_t i, const Lanes &lanes) {
                if (i == 0)
                    return;
                auto &here = list[lanes.place(lane, i)];
                if constexpr (std::is_same_v<std::remove_reference_t<decltype(here)>, Whole>)
                    here = static_cast<Whole>(bits(here) * bits(list[lanes.place(lane, i - 1)]));
                else
                    here *= list[lanes.place(lane, i - 1)];
            });
        },
        products->elements);
    return answer(std::move(products));
}

/// Returns the extreme element up to each position, and where it is: the last of equal ones. A NaN stays.
Answer cumulativeExtreme(const Call &call)
{
    const Array *x = call.array(0);
    const bool isLargest = call.facts().name() == "cummax";
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    if (!axis || !isExact(*x, positionOfLargest))
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    std::vector<double> values(floats.size());
    std::vector<Whole> positions(floats.size());
    accumulatedAlong(*x, *axis, [&](std::int64_t lane, std::int64_t i, const Lanes &lanes) {
        const std::size_t here = lanes.place(lane, i), before = lanes.place(lane, std::max<std::int64_t>(i - 1, 0));
        const double next = floats[here], held = values[before];
        const bool isNew =
            i == 0 || std::isnan(next) || (!std::isnan(held) && (isLargest ? next >= held : next <= held));
        values[here] = isNew ? next : held;
        positions[here] = isNew ? i : positions[before];
    });
    return Values{Array{ir::DType::Float64, x->shape, std::move(values)},
                  Array{ir::DType::Int64, x->shape, std::move(positions)}};
}

/// Returns 1 at the first largest element along the axis, else 0. Before opset 13 the dimensions after the axis belong
/// to it.
Answer hardmax(const Call &call)
{
    const Array *x = call.array(0);
    const bool flattens = call.facts().opset() < 13;
    const auto named =
        x ? call.axis("", "axis", flattens ? 1 : -1, x->shape.size() + (flattens ? 1 : 0)) : std::nullopt;
    if (!named)
        return std::nullopt;
    Sizes shape = x->shape;
    if (flattens)
        shape = {countOf({shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*named)}),
                 countOf({shape.begin() + static_cast<std::ptrdiff_t>(*named), shape.end()})};
    const Lanes lanes = lanesOf(shape, flattens ? 1 : *named);
    const std::vector<double> floats = floatsOf(*x);
    std::vector<double> result(floats.size(), 0);
    for (std::int64_t lane = 0; lane < lanes.count() && lanes.along > 0; ++lane) {
        std::vector<double> run;
        for (std::int64_t i = 0; i < lanes.along; ++i)
            run.push_back(floats[lanes.place(lane, i)]);
        result[lanes.place(lane, static_cast<std::int64_t>(positionOfLargest.real(run)))] = 1;
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(result)});
}

Answer meanWithVariance(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axes = x ? reducedAxes(call, x->shape.size()) : std::nullopt;
    const auto unbiased = call.flag("unbiased", true);
    const auto correction = call.number("correction", "", unbiased == true ? 1 : 0);
    if (!axes || !shape || !unbiased || !correction)
        return std::nullopt;
    const bool isRoot = call.facts().name() == "std_mean";
    const std::vector<double> floats = floatsOf(withReducedLast(*x, *axes));
    const std::size_t length = lengthOf(*x, *axes);
    std::vector<double> spreads, means;
    for (std::size_t i = 0; i < static_cast<std::size_t>(countOf(*shape)); ++i) {
        const FloatSpan run = FloatSpan(floats).subspan(i * length, length);
        means.push_back(mean.real(run));
        double sum = 0;
        for (const double a : run)
            sum += (a - means.back()) * (a - means.back());
        const double spread = sum / std::max(0.0, static_cast<double>(length) - *correction);
        spreads.push_back(isRoot ? std::sqrt(spread) : spread);
    }
    return Values{Array{ir::DType::Float64, *shape, std::move(spreads)},
                  Array{ir::DType::Float64, *shape, std::move(means)}};
}

namespace {

/// Returns (Σ |x|^p)^(1/p); for infinite p the largest or smallest |x|, for p = 0 how many elements are not 0.
double normOf(FloatSpan elements, double p)
{
    if (std::isinf(p)) {
        double extreme = p > 0 ? 0 : std::numeric_limits<double>::infinity();
        for (const double a : elements) {
            const double size = std::abs(a);
            extreme = std::isnan(size) ? size : p > 0 ? std::max(extreme, size) : std::min(extreme, size);
        }
        return extreme;
    }
    if (p == 0)
        return static_cast<double>(std::ranges::count_if(elements, [](double a) { return a != 0; }));
    double sum = 0;
    for (const double a : elements)
        sum += std::pow(std::abs(a), p);
    return std::pow(sum, 1 / p);
}

} // namespace

Answer norm(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axes = x ? reducedAxes(call, x->shape.size()) : std::nullopt;
    const ops::Fact &order = call.facts().any({"ord", "p"});
    const auto p = order.as<ops::NoneFact>() ? std::optional(2.0) : ops::asFloat(order);
    if (!areKnown(axes, shape, p) || call.resultCount() != 1 || order.as<ops::TextFact>())
        return std::nullopt;
    const std::vector<double> floats = floatsOf(withReducedLast(*x, *axes));
    const std::size_t length = lengthOf(*x, *axes);
    if (length == 0)
        return std::nullopt;
    std::vector<double> results;
    for (std::size_t i = 0; i < static_cast<std::size_t>(countOf(*shape)); ++i)
        results.push_back(normOf(FloatSpan(floats).subspan(i * length, length), *p));
    return answer(*shape, std::move(results));
}

Answer smallestAndLargest(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axes = x ? reducedAxes(call, x->shape.size()) : std::nullopt;
    auto low = axes && shape ? reduced(*x, *axes, smallest, *shape) : std::nullopt;
    auto high = low ? reduced(*x, *axes, largest, *shape) : std::nullopt;
    return high ? Answer(Values{Value(std::move(*low)), Value(std::move(*high))}) : std::nullopt;
}

} // namespace cutaway::compute
