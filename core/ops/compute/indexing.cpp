// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/put.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

namespace {

// ---- elements put at places

template <class T>
T combined(ScatterReduction reduction, T held, T put)
{
    const auto wrapping = [](auto &&operation, T a, T b) {
        if constexpr (std::is_same_v<T, Whole>)
            return static_cast<Whole>(operation(bits(a), bits(b)));
        else
            return operation(a, b);
    };
    const auto isNan = [](T x) {
        if constexpr (std::is_floating_point_v<T>)
            return std::isnan(x);
        else
            return false;
    };
    switch (reduction) {
    case ScatterReduction::None:
        return put;
    case ScatterReduction::Sum:
    case ScatterReduction::Mean:
        return wrapping(std::plus(), held, put);
    case ScatterReduction::Product:
        return wrapping(std::multiplies(), held, put);
    case ScatterReduction::Maximum:
        return isNan(put) || put > held ? put : held;
    case ScatterReduction::Minimum:
        return isNan(put) || put < held ? put : held;
    }
    return put;
}

} // namespace

Answer putAt(Array x, const Places &places, const Array &source, ScatterReduction reduction)
{
    if (places.size() != source.count() || x.elements.index() != source.elements.index())
        return std::nullopt;
    std::visit(
        [&](auto &list) {
            const auto &put = std::get<std::remove_reference_t<decltype(list)>>(source.elements);
            for (std::size_t i = 0; i < places.size(); ++i) {
                auto &held = list[static_cast<std::size_t>(places[i])];
                held = combined(reduction, held, put[i]);
                if constexpr (std::is_same_v<std::remove_reference_t<decltype(held)>, double>)
                    // The result is rounded at each step, as by kernels that put one element after the other.
                    held = ir::rounded(x.dtype, held);
            }
        },
        x.elements);
    x.lies = nullptr;
    return answer(std::move(x));
}

namespace {

/// Returns the elements to put to the places of `shape`: those of a tensor, or one number for all places.
std::optional<Array> sourceOf(const Call &call, std::size_t position, ir::DType dtype, const Sizes &shape)
{
    const Array *given = call.array(position);
    auto typed = given ? converted(*given, dtype) : std::nullopt;
    if (!typed)
        return std::nullopt;
    return typed->count() == 1 && typed->shape != shape ? broadcast(reshaped(*typed, {}), shape) : typed;
}

} // namespace

// ---- scatter along an axis

namespace {

/// Sets the elements at `places` to the neutral element of the reduction, for operators that ignore the earlier values.
void forget(Array &x, const Places &places, ScatterReduction reduction)
{
    const double identity = reduction == ScatterReduction::Product ? 1
        : reduction == ScatterReduction::Maximum                   ? -std::numeric_limits<double>::infinity()
        : reduction == ScatterReduction::Minimum                   ? std::numeric_limits<double>::infinity()
                                                                   : 0;
    for (const std::int64_t place : places)
        std::get<std::vector<double>>(x.elements)[static_cast<std::size_t>(place)] = identity;
}

Answer averaged(const Answer &sums, const Places &places, bool includesSelf)
{
    Array result = *sums->front().as<Array>();
    std::vector<double> counts(result.count(), includesSelf ? 1 : 0);
    for (const std::int64_t place : places)
        ++counts[static_cast<std::size_t>(place)];
    auto &floats = std::get<std::vector<double>>(result.elements);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] /= std::max(counts[i], 1.0);
    return answer(std::move(result));
}

/// Returns the part of `source`, converted to `dtype`, for positions of the shape `where`; a single number is used for
/// all of them.
std::optional<Array> scatteredPart(const Array &source, ir::DType dtype, const Sizes &where)
{
    auto put = converted(source, dtype);
    if (put && put->shape.empty())
        put = broadcast(*put, where);
    if (!put || put->shape.size() != where.size()
        || !std::ranges::equal(put->shape, where, [](std::int64_t own, std::int64_t needed) { return own >= needed; }))
        return std::nullopt;
    return pickedAt(*put, where, placesOfPart(put->shape, where));
}

} // namespace

Answer scatter(const Call &call)
{
    const std::size_t indexAt = call.isOnnx() ? 1 : 2;
    const Array *x = call.array(0), *indices = call.array(indexAt), *source = call.array(indexAt + 1);
    const auto axis = x ? call.axis("dim", "axis", 0, std::max(x->shape.size(), std::size_t{1})) : std::nullopt;
    const auto [reduction, includesSelf] = ops::scatterArguments(call.facts());
    if (!areKnown(axis, indices, source, reduction, includesSelf))
        return std::nullopt;
    const Sizes shape = x->shape.empty() ? Sizes{1} : x->shape;
    const Array typedIndices = indices->shape.empty() ? reshaped(*indices, {1}) : *indices;
    const auto places = placesAlong(shape, *axis, typedIndices, call.isOnnx());
    const auto part = scatteredPart(*source, x->dtype, typedIndices.shape);
    if (!places || !part)
        return std::nullopt;
    if ((reduction == ScatterReduction::Mean || !*includesSelf) && x->isWhole())
        return std::nullopt;
    Array start = *x;
    if (!*includesSelf)
        forget(start, *places, *reduction);
    const Answer result = putAt(std::move(start), *places, *part, *reduction);
    return reduction == ScatterReduction::Mean && result ? averaged(result, *places, *includesSelf) : result;
}

// ---- whole slices along an axis

Answer putSlices(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(2);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto positions = axis && indices ? positionsIn(*indices, x->shape[*axis], true) : std::nullopt;
    const auto factor = call.number("alpha", "", 1);
    const auto reduction = ops::scatterArguments(call.facts()).reduction;
    if (!areKnown(positions, factor, reduction))
        return std::nullopt;
    Sizes shape = x->shape;
    shape[*axis] = std::ssize(*positions);
    auto source = sourceOf(call, 3, x->dtype, shape);
    if (!source || source->shape != shape)
        return std::nullopt;
    const double alpha = *factor;
    if (alpha != 1)
        std::visit(
            [&](auto &list) {
                using T = std::remove_reference_t<decltype(list[0])>;
                for (T &element : list)
                    element = std::is_same_v<T, double>
                        ? static_cast<T>(ir::rounded(x->dtype, static_cast<double>(element) * alpha))
                        : static_cast<T>(static_cast<double>(element) * alpha);
            },
            source->elements);
    const Lanes lanes = lanesOf(x->shape, *axis);
    Places places;
    for (std::int64_t i = 0; i < countOf(shape); ++i)
        places.push_back((i / lanes.inner / std::ssize(*positions) * lanes.along
                          + (*positions)[static_cast<std::size_t>(i / lanes.inner) % positions->size()])
                             * lanes.inner
                         + i % lanes.inner);
    return putAt(*x, places, *source, *reduction);
}

// ---- positions of several numbers

namespace {

struct Positions {
    Places places; ///< the position of each slice's first element
    std::int64_t slice = 1;
    Sizes outer; ///< the shape of the indices without their last dimension
    Sizes inner; ///< the shape of a slice
};

/// Reads indices whose last dimension is a position in a tensor, or the beginning of one, after `batch` dimensions.
std::optional<Positions> positionsOf(const Array &x, const Array &indices, std::size_t batch)
{
    if (!indices.isWhole() || indices.shape.empty())
        return std::nullopt;
    const auto depth = static_cast<std::size_t>(indices.shape.back());
    if (batch + depth > x.shape.size() || batch >= indices.shape.size())
        return std::nullopt;
    const Sizes strides = stridesOf(x.shape);
    Positions result;
    result.inner.assign(x.shape.begin() + static_cast<std::ptrdiff_t>(batch + depth), x.shape.end());
    result.slice = countOf(result.inner);
    result.outer.assign(indices.shape.begin(), indices.shape.end() - 1);
    const std::int64_t perBatch =
        countOf({result.outer.begin() + static_cast<std::ptrdiff_t>(batch), result.outer.end()});
    const std::int64_t batchSize = countOf({x.shape.begin() + static_cast<std::ptrdiff_t>(batch), x.shape.end()});
    for (std::int64_t row = 0; row < countOf(result.outer); ++row) {
        std::int64_t place = batch == 0 ? 0 : row / perBatch * batchSize;
        for (std::size_t k = 0; k < depth; ++k) {
            const std::int64_t size = x.shape[batch + k];
            std::int64_t at = indices.as<Whole>()[static_cast<std::size_t>(row) * depth + k];
            at += at < 0 ? size : 0;
            if (at < 0 || at >= size)
                return std::nullopt;
            place += at * strides[batch + k];
        }
        result.places.push_back(place);
    }
    return result;
}

Places elementPlaces(const Positions &positions)
{
    Places places;
    for (const std::int64_t start : positions.places)
        for (std::int64_t i = 0; i < positions.slice; ++i)
            places.push_back(start + i);
    return places;
}

} // namespace

Answer gatherPositions(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(1);
    const auto batch = call.integer("", "batch_dims", 0);
    const auto positions = x && indices && batch && *batch >= 0
        ? positionsOf(*x, *indices, static_cast<std::size_t>(*batch))
        : std::nullopt;
    if (!positions)
        return std::nullopt;
    Sizes shape = positions->outer;
    shape.insert(shape.end(), positions->inner.begin(), positions->inner.end());
    return answer(pickedAt(*x, std::move(shape), elementPlaces(*positions)));
}

Answer scatterPositions(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(1), *updates = call.array(2);
    const auto reduction = ops::scatterArguments(call.facts()).reduction;
    const auto positions = x && indices ? positionsOf(*x, *indices, 0) : std::nullopt;
    return positions && updates && reduction ? putAt(*x, elementPlaces(*positions), *updates, *reduction)
                                             : std::nullopt;
}

// ---- others

namespace {

/// Returns the number of classes of onnx::OneHot or aten::one_hot; for torch's -1 the largest class + 1. Nothing if
/// it is negative, or more than a result can have.
std::optional<Whole> depthOf(const Call &call, std::span<const Whole> classes)
{
    const Array *given = call.isOnnx() ? call.array(1) : call.array("num_classes");
    const auto depth = given ? converted(*given, ir::DType::Int64) : std::nullopt;
    if (!depth || depth->count() != 1)
        return std::nullopt;
    constexpr Whole most = 1 << 24; // the largest number of classes that is supported
    Whole number = depth->as<Whole>().front();
    if (!call.isOnnx() && number == -1)
        number = classes.empty() ? 0 : std::min(std::ranges::max(classes), most) + 1;
    const bool hasRoom = number >= 0 && number <= most / std::max<Whole>(std::ssize(classes), 1);
    return hasRoom ? std::optional(number) : std::nullopt;
}

} // namespace

Answer oneHot(const Call &call)
{
    const Array *indices = call.array(0);
    const auto at = indices ? call.axis("", "axis", -1, indices->shape.size() + 1) : std::nullopt;
    const auto classes = indices ? converted(*indices, ir::DType::Int64) : std::nullopt;
    const auto depth = classes ? depthOf(call, classes->as<Whole>()) : std::nullopt;
    const Array zeroAndOne{ir::DType::Int64, {2}, std::vector<Whole>{0, 1}};
    const Array *values = call.isOnnx() ? call.array(2) : &zeroAndOne;
    if (!areKnown(at, depth, values) || values->count() != 2)
        return std::nullopt;
    Sizes shape = classes->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), *depth);
    const Lanes lanes = lanesOf(shape, *at);
    Places which(static_cast<std::size_t>(countOf(shape)), 0); // by element: which of the two values it is, 0 or 1
    for (std::int64_t i = 0; i < std::ssize(classes->as<Whole>()); ++i) {
        Whole position = classes->as<Whole>()[static_cast<std::size_t>(i)];
        position += call.isOnnx() && position < 0 ? *depth : 0;
        if (position >= 0 && position < *depth)
            which[lanes.place(i, position)] = 1;
        else if (!call.isOnnx())
            return std::nullopt;
    }
    return answer(pickedAt(*values, std::move(shape), which));
}

Answer take(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(1);
    const auto places =
        x && indices ? positionsIn(*indices, static_cast<std::int64_t>(x->count()), true) : std::nullopt;
    return places ? answer(pickedAt(*x, indices->shape, *places)) : std::nullopt;
}

Answer takeAlongDimension(const Call &call)
{
    const Array *x = call.array(0), *indices = call.array(1);
    if (!x || !indices)
        return std::nullopt;
    if (!call.facts().has("dim")) {
        const auto places = positionsIn(*indices, static_cast<std::int64_t>(x->count()), true);
        return places ? answer(pickedAt(*x, {static_cast<std::int64_t>(indices->count())}, *places)) : std::nullopt;
    }
    const auto axis = call.axis("dim", "", 0, x->shape.size());
    if (!axis || indices->shape.size() != x->shape.size())
        return std::nullopt;
    Sizes from = x->shape, which = indices->shape;
    from[*axis] = which[*axis] = 1;
    auto together = broadcastShape(std::array{from, which});
    if (!together)
        return std::nullopt;
    (*together)[*axis] = indices->shape[*axis];
    const auto full = broadcast(*indices, *together);
    (*together)[*axis] = x->shape[*axis];
    const auto all = broadcast(*x, *together);
    const auto places = full && all ? placesAlong(all->shape, *axis, *full, true) : std::nullopt;
    return places ? answer(pickedAt(*all, full->shape, *places)) : std::nullopt;
}

} // namespace cutaway::compute
