// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/numbers.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/put.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Operators that put elements to positions by a rule of their own.

namespace cutaway::compute {

namespace {

/// Returns zeros of the dtype of `x` in a shape.
Array zerosLike(const Array &x, Sizes shape)
{
    return x.isWhole() ? filled(x.dtype, std::move(shape), std::int64_t{0}) : filled(x.dtype, std::move(shape), 0.0);
}

/// Puts each element of `x` to its position among zeros.
Answer putInZeros(const Array &x, const Sizes &shape, const Places &places)
{
    Array made = zerosLike(x, shape);
    std::visit(
        [&](auto &list) {
            const auto &from = std::get<std::remove_reference_t<decltype(list)>>(x.elements);
            for (std::size_t i = 0; i < places.size(); ++i)
                list[static_cast<std::size_t>(places[i])] = from[i];
        },
        made.elements);
    return answer(std::move(made));
}

} // namespace

/// Puts the last dimension on a diagonal of two new dimensions, which may have any position.
Answer embeddedDiagonal(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto offset = call.integer("offset", "", 0);
    const auto first = shape ? call.axis("dim1", "", -2, shape->size()) : std::nullopt;
    const auto second = shape ? call.axis("dim2", "", -1, shape->size()) : std::nullopt;
    if (!x || x->shape.empty() || !offset || !first || !second || *first == *second)
        return std::nullopt;
    const Sizes steps = stridesOf(*shape);
    Sizes own;
    for (std::size_t d = 0; d < shape->size(); ++d)
        if (d != *first && d != *second)
            own.push_back(steps[d]);
    own.push_back(steps[*first] + steps[*second]);
    const std::int64_t start = *offset >= 0 ? *offset * steps[*second] : -*offset * steps[*first];
    Places places;
    forEachPlace(x->shape, own, start, [&](std::int64_t place) { places.push_back(place); });
    return putInZeros(*x, *shape, places);
}

/// Returns the diagonal of a matrix, or a matrix with the tensor's elements on its diagonal.
Answer diagonalOrMatrix(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto offset = call.integer(call.facts().has("diagonal") ? "diagonal" : "offset", "", 0);
    if (!x || !shape || !offset)
        return std::nullopt;
    if (call.facts().name() == "diag" && x->shape.size() == 2) {
        const std::int64_t columns = x->shape.back();
        const std::int64_t start = *offset >= 0 ? *offset : -*offset * columns;
        return shape->size() == 1 ? answer(strided(*x, *shape, {columns + 1}, start)) : std::nullopt;
    }
    if (shape->size() != 2 || (call.facts().name() == "diag" && x->shape.size() != 1))
        return std::nullopt;
    const std::int64_t columns = shape->back();
    Places places;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(x->count()); ++i)
        places.push_back(i * (columns + 1) + (*offset >= 0 ? *offset : -*offset * columns));
    return putInZeros(*x, *shape, places);
}

/// The sum of the diagonal.
Answer traceOf(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || x->shape.size() != 2)
        return std::nullopt;
    const std::int64_t count = std::min(x->shape[0], x->shape[1]);
    const Array diagonal = strided(*x, {count}, {x->shape[1] + 1});
    return x->isWhole() ? answer(filled(ir::DType::Int64, {}, sum.whole(diagonal.as<Whole>())))
                        : answer(filled(ir::DType::Float64, {}, sum.real(diagonal.as<double>())));
}

/// Puts elements at positions in the flattened tensor.
Answer put(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(1), *source = call.array(2);
    const auto reduction = ops::scatterArguments(call.facts()).reduction;
    const auto positions =
        x && indices ? positionsIn(*indices, static_cast<std::int64_t>(x->count()), true) : std::nullopt;
    if (!areKnown(positions, source, reduction) || source->dtype != x->dtype)
        return std::nullopt;
    return putAt(*x, *positions, *source, *reduction);
}

namespace {

/// Returns how index_reduce combines elements at one position; nullptr for a reduction that it lacks.
double (*combinationOf(std::optional<ScatterReduction> reduction))(double, double)
{
    if (reduction == ScatterReduction::Product)
        return multiply.real;
    if (reduction == ScatterReduction::Mean)
        return add.real;
    if (reduction == ScatterReduction::Maximum)
        return maximum.real;
    return reduction == ScatterReduction::Minimum ? minimum.real : nullptr;
}

/// Whether a source has a slice for each position along an axis of `x`, and otherwise the sizes and the dtype of `x`.
bool isSourceFor(const Array *source, const Array &x, std::size_t axis, std::int64_t positions)
{
    if (!hasRank(source, x.shape.size()) || source->dtype != x.dtype)
        return false;
    Sizes expected = x.shape;
    expected[axis] = positions;
    return source->shape == expected;
}

} // namespace

/// Combines slices of a source with those at positions along a dimension, by product, mean or extreme.
Answer indexReduce(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(2), *source = call.array(3);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto [reduction, includesSelf] = ops::scatterArguments(call.facts());
    const auto combine = combinationOf(reduction);
    const auto positions = axis && indices ? positionsIn(*indices, x->shape[*axis], true) : std::nullopt;
    if (!areKnown(positions, includesSelf, combine) || x->isWhole()
        || !isSourceFor(source, *x, *axis, std::ssize(*positions)))
        return std::nullopt;
    const Lanes to = lanesOf(x->shape, *axis), from = lanesOf(source->shape, *axis);
    std::vector<double> results = floatsOf(*x), counts(results.size(), *includesSelf ? 1 : 0);
    for (std::int64_t lane = 0; lane < from.count(); ++lane)
        for (std::int64_t i = 0; i < from.along; ++i) {
            const std::size_t at = to.place(lane, (*positions)[static_cast<std::size_t>(i)]);
            const double next = source->as<double>()[from.place(lane, i)];
            results[at] = counts[at]++ == 0 ? next : combine(results[at], next);
        }
    for (std::size_t i = 0; reduction == ScatterReduction::Mean && i < results.size(); ++i)
        results[i] /= std::max(counts[i], 1.0);
    return answer(Array{ir::DType::Float64, x->shape, std::move(results)});
}

/// Returns all combinations of an element of each vector, as rows.
Answer combinationsOfAll(const Call &call)
{
    const auto vectors = call.arrays(0);
    const auto dtype = call.dtype();
    const auto shape = call.shape();
    if (!vectors || vectors->empty() || !dtype || !shape)
        return std::nullopt;
    std::vector<Array> columns;
    std::int64_t after = 1;
    for (const Array *vector : *vectors) {
        if (vector->shape.size() != 1)
            return std::nullopt;
        after *= vector->shape.front();
    }
    const std::int64_t count = after;
    for (const Array *vector : *vectors) {
        const std::int64_t size = vector->shape.front();
        after /= std::max<std::int64_t>(size, 1);
        Places places;
        for (std::int64_t i = 0; i < count; ++i)
            places.push_back(i / after % size);
        columns.push_back(pickedAt(*vector, {count, 1}, places));
    }
    std::vector<const Array *> pointers;
    for (const Array &column : columns)
        pointers.push_back(&column);
    auto joined = joinedAlong(pointers, 1, *dtype);
    return joined && static_cast<std::int64_t>(joined->count()) == countOf(*shape)
        ? answer(reshaped(std::move(*joined), *shape))
        : std::nullopt;
}

/// Concatenates along the third dimension; a vector becomes a row along the second one.
Answer depthStack(const Call &call)
{
    const auto given = call.arrays(0);
    const auto dtype = call.dtype();
    if (!given || given->empty() || !dtype)
        return std::nullopt;
    std::vector<Array> deep;
    for (const Array *array : *given) {
        deep.push_back(*array);
        Sizes &shape = deep.back().shape;
        while (shape.size() < 2)
            shape.insert(shape.begin(), 1);
        if (shape.size() == 2)
            shape.push_back(1);
    }
    std::vector<const Array *> pointers;
    for (const Array &array : deep)
        pointers.push_back(&array);
    return answer(joinedAlong(pointers, 2, *dtype));
}

/// Arranges the channels as a table with a row per group, and reads it column by column.
Answer shuffledChannels(const Call &call)
{
    const Array *x = call.array(0);
    const auto groups = call.facts().integer("groups");
    if (!x || x->shape.size() < 2 || !groups || *groups < 1 || x->shape[1] % *groups != 0)
        return std::nullopt;
    const std::int64_t inner = countOf({x->shape.begin() + 2, x->shape.end()});
    const Array table = reshaped(*x, {x->shape[0], *groups, x->shape[1] / *groups, inner});
    const std::vector<std::size_t> order{0, 2, 1, 3};
    return answer(reshaped(permuted(table, order), x->shape));
}

// ---- counting and adding up along a dimension

namespace {

/// A range of numbers.
struct Interval {
    double low, high;
};

/// Returns the range of aten::histc: as it is given, or that of the elements if its borders are equal. Nothing if it
/// is not known or not finite.
std::optional<Interval> histogramRange(const Call &call, std::span<const double> elements)
{
    const auto low = call.number("min", "", 0), high = call.number("max", "", 0);
    if (!low || !high)
        return std::nullopt;
    Interval range{*low, *high};
    if (range.low == range.high && !elements.empty())
        range = {std::ranges::min(elements), std::ranges::max(elements)};
    if (range.low == range.high)
        range = {range.low - 1, range.high + 1};
    const bool isRange = std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high;
    return isRange ? std::optional(range) : std::nullopt;
}

} // namespace

/// Counts the elements in equal parts of a range; elements outside are not counted.
Answer histogramCounts(const Call &call)
{
    const Array *x = call.array(0);
    const auto bins = call.integer("bins", "", 100);
    if (!areKnown(x, bins) || x->isWhole() || *bins < 1 || *bins > (1 << 24))
        return std::nullopt;
    const auto floats = x->as<double>();
    const auto range = histogramRange(call, floats);
    const bool isHalf = *ir::bitWidth(x->dtype) < 32; // torch rounds the edges to half precision
    if (!range || isHalf)
        return std::nullopt;
    const auto [low, high] = *range;
    std::vector<double> counts(static_cast<std::size_t>(*bins));
    for (const double element : floats) {
        if (!(element >= low && element <= high))
            continue;
        const double at = (element - low) * static_cast<double>(*bins) / (high - low);
        const float rounded =
            static_cast<float>(element - low) * static_cast<float>(*bins) / static_cast<float>(high - low);
        const auto bin = static_cast<std::int64_t>(at);
        if (bin != static_cast<std::int64_t>(rounded)) // the element is at an edge, where the bin depends on rounding
            return std::nullopt;
        ++counts[static_cast<std::size_t>(std::min(bin, *bins - 1))];
    }
    return answer(Array{ir::DType::Float64, {*bins}, std::move(counts)});
}

Answer cumulativeLogSumExp(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x && !x->shape.empty() ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    if (!axis || x->isWhole())
        return std::nullopt;
    std::vector<double> sums = floatsOf(*x);
    const Lanes lanes = lanesOf(x->shape, *axis);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
        for (std::int64_t i = 1; i < lanes.along; ++i) {
            double &here = sums[lanes.place(lane, i)];
            here = logAddExp.real(sums[lanes.place(lane, i - 1)], here);
        }
    return answer(Array{ir::DType::Float64, x->shape, std::move(sums)});
}

} // namespace cutaway::compute
