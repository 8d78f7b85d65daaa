// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Which dimensions of an array of this rank are reduced.
std::optional<std::vector<bool>> reducedAxes(const Call &call, std::size_t rank)
{
    return ops::reduceArguments(call.facts()).reducedDimensions(call.facts(), rank);
}

/// The tensor with what is reduced behind the rest, so that what becomes one element lies together.
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

/// Each run of `length` elements becomes one.
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

/// Positions and means of whole numbers go through doubles, which hold less.
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

/// Squared distances from the mean, divided by their number less the correction; `function` of that.
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

} // namespace

Answer reductionOf(const Call &call, const Reduction &function)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    const ops::ReduceArguments given = ops::reduceArguments(call.facts());
    const auto axes = x ? given.reducedDimensions(call.facts(), x->shape.size()) : std::nullopt;
    if (!axes || given.selectLastIndex || !shape || !dtype || !isExact(*x, function))
        return std::nullopt;
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
    if (!x || !dtype || !named || call.integer("", "reverse", 0) != 0 || call.integer("", "exclusive", 0) != 0)
        return std::nullopt;
    auto sums = converted(*x, *dtype);
    const auto axis = ops::dimension(*named, x->shape.size());
    if (!sums || !axis)
        return x->shape.empty() ? answer(sums) : std::nullopt;
    const auto step = static_cast<std::size_t>(stridesOf(x->shape)[*axis]);
    const auto along = static_cast<std::size_t>(x->shape[*axis]);
    std::visit(
        [&](auto &list) {
            for (std::size_t i = 0; i < list.size(); ++i)
                if (i / step % along != 0) {
                    if constexpr (std::is_same_v<std::remove_reference_t<decltype(list[0])>, Whole>)
                        list[i] = static_cast<Whole>(bits(list[i]) + bits(list[i - step]));
                    else
                        list[i] += list[i - step];
                }
        },
        sums->elements);
    return answer(sums);
}

} // namespace cutaway::compute
