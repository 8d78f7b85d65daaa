// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/put.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace cutaway::compute {

// ---- x[a, None, mask]

namespace {

bool isMaskArray(const Array &array) { return array.dtype == ir::DType::Bool || array.dtype == ir::DType::UInt8; }

/// Returns the positions where a mask is true, one list per dimension.
std::vector<Places> trueAt(const Array &mask)
{
    std::vector<Places> positions(mask.shape.size());
    const Sizes strides = stridesOf(mask.shape);
    const std::vector<double> floats = floatsOf(mask);
    for (std::size_t i = 0; i < floats.size(); ++i)
        for (std::size_t d = 0; d < strides.size() && floats[i] != 0; ++d)
            positions[d].push_back(static_cast<std::int64_t>(i) / strides[d] % mask.shape[d]);
    return positions;
}

struct Indexed {
    Sizes shape;
    Places places;
};

/// The tensors of indices, by the dimension that they index.
using Indices = std::vector<std::optional<Array>>;

std::optional<Indices> indicesOf(const Call &call, const Array &x)
{
    const Value *list = call.value(1);
    const auto *items = list ? list->as<Values>() : nullptr;
    if (!items)
        return std::nullopt;
    Indices indices;
    for (const Value &item : *items) {
        const auto *array = item.as<Array>();
        if (!array && !(item.as<ops::Fact>() && item.as<ops::Fact>()->as<ops::NoneFact>()))
            return std::nullopt;
        if (!array) {
            indices.emplace_back(std::nullopt);
        } else if (!isMaskArray(*array)) {
            indices.emplace_back(*array);
        } else {
            for (std::size_t d = 0; d < array->shape.size(); ++d)
                if (indices.size() + d >= x.shape.size() || x.shape[indices.size() + d] != array->shape[d])
                    return std::nullopt;
            if (array->shape.empty())
                return std::nullopt;
            for (Places &positions : trueAt(*array)) {
                const auto count = std::ssize(positions);
                indices.emplace_back(Array{ir::DType::Int64, {count}, std::move(positions)});
            }
        }
    }
    if (indices.size() > x.shape.size())
        return std::nullopt;
    indices.resize(x.shape.size());
    return indices;
}

/// Returns for each element of the broadcast indices the offset in `x`; nothing if an index is out of range.
std::optional<Places> offsetsOf(const Indices &indices, const Sizes &together, const Array &x)
{
    const Sizes strides = stridesOf(x.shape);
    Places offsets(static_cast<std::size_t>(countOf(together)), 0);
    for (std::size_t d = 0; d < indices.size(); ++d) {
        if (!indices[d])
            continue;
        const auto full = broadcast(*indices[d], together);
        const auto positions = full ? positionsIn(*full, x.shape[d], true) : std::nullopt;
        if (!positions)
            return std::nullopt;
        for (std::size_t i = 0; i < offsets.size(); ++i)
            offsets[i] += (*positions)[i] * strides[d];
    }
    return offsets;
}

/// Reads the subscript. The dimensions of the indices take the place of the dimensions that they index, or come first
/// if these are not neighbours.
std::optional<Indexed> indexed(const Call &call, const Array &x)
{
    const auto indices = indicesOf(call, x);
    if (!indices)
        return std::nullopt;
    std::vector<std::size_t> dims;
    std::vector<Sizes> shapes;
    for (std::size_t d = 0; d < indices->size(); ++d)
        if ((*indices)[d]) {
            dims.push_back(d);
            shapes.push_back((*indices)[d]->shape);
        }
    const auto together = broadcastShape(shapes);
    const auto offsets = together ? offsetsOf(*indices, *together, x) : std::nullopt;
    if (!offsets || dims.empty())
        return std::nullopt;
    const bool isTogether = dims.back() - dims.front() + 1 == dims.size();
    const Sizes strides = stridesOf(x.shape);
    Sizes before, beforeSteps, after, afterSteps;
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        if ((*indices)[d])
            continue;
        const bool isBefore = isTogether && d < dims.front();
        (isBefore ? before : after).push_back(x.shape[d]);
        (isBefore ? beforeSteps : afterSteps).push_back(strides[d]);
    }
    Indexed result{before, {}};
    result.shape.insert(result.shape.end(), together->begin(), together->end());
    result.shape.insert(result.shape.end(), after.begin(), after.end());
    forEachPlace(before, beforeSteps, 0, [&](std::int64_t a) {
        for (const std::int64_t offset : *offsets)
            forEachPlace(after, afterSteps, a + offset, [&](std::int64_t place) { result.places.push_back(place); });
    });
    return result;
}

} // namespace

Answer index(const Call &call)
{
    const Array *x = call.array(0);
    const auto where = x ? indexed(call, *x) : std::nullopt;
    return where ? answer(pickedAt(*x, where->shape, where->places)) : std::nullopt;
}

Answer indexPut(const Call &call)
{
    const Array *x = call.array(0), *values = call.array(2);
    const auto reduction = ops::scatterArguments(call.facts()).reduction;
    const auto where = x && values ? indexed(call, *x) : std::nullopt;
    auto typed = where ? converted(*values, x->dtype) : std::nullopt;
    const auto put = typed ? broadcast(*typed, where->shape) : std::nullopt;
    return put && reduction ? putAt(*x, where->places, *put, *reduction) : std::nullopt;
}

// ---- by a mask

namespace {

/// Returns the positions where a mask, broadcast to the shape, is true.
std::optional<Places> trueIn(const Array &mask, const Sizes &shape)
{
    const auto full = broadcast(mask, shape);
    if (!full)
        return std::nullopt;
    Places places;
    const std::vector<double> floats = floatsOf(*full);
    for (std::size_t i = 0; i < floats.size(); ++i)
        if (floats[i] != 0)
            places.push_back(static_cast<std::int64_t>(i));
    return places;
}

} // namespace

Answer maskedSelect(const Call &call)
{
    const Array *x = call.array(0), *mask = call.array(1);
    const auto shape = x && mask ? broadcastShape(std::array{x->shape, mask->shape}) : std::nullopt;
    const auto full = shape ? broadcast(*x, *shape) : std::nullopt;
    const auto places = full ? trueIn(*mask, *shape) : std::nullopt;
    return places ? answer(pickedAt(*full, {std::ssize(*places)}, *places)) : std::nullopt;
}

/// Replaces the elements where the mask is true by those of the source, in their order.
Answer maskedScatter(const Call &call)
{
    const Array *x = call.array(0), *mask = call.array(1), *source = call.array(2);
    const auto shape = x && mask && source ? broadcastShape(std::array{x->shape, mask->shape}) : std::nullopt;
    const auto full = shape ? broadcast(*x, *shape) : std::nullopt;
    const auto places = full ? trueIn(*mask, *shape) : std::nullopt;
    const auto typed = places ? converted(*source, x->dtype) : std::nullopt;
    if (!typed || typed->count() < places->size())
        return std::nullopt;
    Places first(places->size());
    std::iota(first.begin(), first.end(), 0);
    return putAt(*full, *places, pickedAt(*typed, {std::ssize(first)}, first), ScatterReduction::None);
}

/// onnx::Compress: selects slices along an axis, or elements if there is no axis.
Answer compress(const Call &call)
{
    const Array *x = call.array(0), *condition = call.array(1);
    if (!x || !condition || condition->shape.size() != 1)
        return std::nullopt;
    const bool isFlat = !call.facts().has("axis");
    const Array from = isFlat ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : *x;
    const auto axis = call.axis("", "axis", 0, from.shape.size());
    if (!axis || condition->shape[0] > from.shape[*axis])
        return std::nullopt;
    return answer(slicesAt(from, *axis, trueAt(*condition).front()));
}

/// Returns the positions of non-zero elements, one column per element in ONNX, one row in ATen.
Answer nonzero(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || (call.isOnnx() && x->shape.empty()))
        return std::nullopt;
    const std::vector<Places> where = trueAt(*x);
    const auto rank = std::ssize(where);
    std::int64_t count = rank == 0 ? static_cast<std::int64_t>(floatsOf(*x).front() != 0) : std::ssize(where[0]);
    std::vector<Whole> columns;
    for (const Places &positions : where)
        columns.insert(columns.end(), positions.begin(), positions.end());
    Array result{ir::DType::Int64, {rank, count}, std::move(columns)};
    return answer(call.isOnnx() ? result : permuted(result, std::array<std::size_t, 2>{1, 0}));
}

} // namespace cutaway::compute
