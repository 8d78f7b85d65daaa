// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

namespace {

using Arrays = std::vector<const Array *>;

} // namespace

std::optional<Array> joinedAlong(const Arrays &parts, std::size_t axis, ir::DType dtype)
{
    std::vector<Array> typed;
    std::int64_t along = 0;
    for (const Array *part : parts) {
        auto next = converted(*part, dtype);
        if (!next || next->shape.size() != parts.front()->shape.size())
            return std::nullopt;
        along += next->shape[axis];
        typed.push_back(std::move(*next));
    }
    Array all = typed.front();
    all.shape[axis] = along;
    std::visit([](auto &list) { list.clear(); }, all.elements);
    const std::int64_t outer = lanesOf(all.shape, axis).outer;
    for (std::int64_t i = 0; i < outer; ++i)
        for (const Array &part : typed)
            std::visit(
                [&](auto &list) {
                    const auto &own = std::get<std::remove_reference_t<decltype(list)>>(part.elements);
                    const std::ptrdiff_t run = std::ssize(own) / outer;
                    list.insert(list.end(), own.begin() + i * run, own.begin() + (i + 1) * run);
                },
                all.elements);
    return std::ssize(std::visit(
               [](const auto &list) {
                   return std::span<const char>(reinterpret_cast<const char *>(list.data()), list.size());
               },
               all.elements))
            == countOf(all.shape)
        ? std::optional(std::move(all))
        : std::nullopt;
}

/// Concatenates tensors. For torch, empty vectors among tensors of any rank are ignored.
Answer concatenate(const Call &call)
{
    auto parts = call.arrays(0);
    const auto dtype = call.dtype();
    if (!parts || parts->empty() || !dtype)
        return std::nullopt;
    if (!call.isOnnx() && parts->size() > 1)
        std::erase_if(*parts, [](const Array *part) { return part->shape == Sizes{0}; });
    if (parts->empty())
        return std::nullopt;
    const std::int64_t byDefault = call.isOnnx() && call.facts().opset() < 4 ? 1 : 0;
    const auto axis = call.axis("dim", "axis", byDefault, parts->front()->shape.size());
    return axis ? answer(joinedAlong(*parts, *axis, *dtype)) : std::nullopt;
}

Answer stack(const Call &call)
{
    const auto parts = call.arrays(0);
    const auto dtype = call.dtype();
    if (call.isOnnx() || !parts || parts->empty() || !dtype)
        return std::nullopt;
    const auto axis = call.axis("dim", "", 0, parts->front()->shape.size() + 1);
    if (!axis)
        return std::nullopt;
    std::vector<Array> widened;
    for (const Array *part : *parts) {
        widened.push_back(*part);
        widened.back().shape.insert(
            widened.back().shape.begin() + static_cast<std::ptrdiff_t>(std::min(*axis, part->shape.size())), 1);
    }
    Arrays pointers;
    for (const Array &part : widened)
        pointers.push_back(&part);
    return answer(joinedAlong(pointers, *axis, *dtype));
}

namespace {

/// Returns the slices of a tensor at `indices` along an axis; the dimensions of the indices replace the axis.
Answer taken(const Array &x, std::size_t axis, const Array &indices, bool countsFromEnd)
{
    const auto where = positionsIn(indices, x.shape[axis], countsFromEnd);
    if (!where)
        return std::nullopt;
    Sizes shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
    return answer(reshaped(slicesAt(x, axis, *where), std::move(shape)));
}

} // namespace

Answer indexSelect(const Call &call)
{
    const Array *x = call.array(0);
    const Array *indices = call.array(call.isOnnx() ? 1 : 2);
    const auto axis = x ? call.axis("dim", "axis", 0, x->shape.size()) : std::nullopt;
    return axis && indices ? taken(*x, *axis, *indices, call.isOnnx()) : std::nullopt;
}

Answer embedding(const Call &call)
{
    const Array *weight = call.array(0), *indices = call.array(1);
    return weight && indices && weight->shape.size() == 2 ? taken(*weight, 0, *indices, false) : std::nullopt;
}

/// Returns for each position the element at the given index along the axis.
Answer gather(const Call &call)
{
    const Array *x = call.array(0);
    const Array *indices = call.array(call.isOnnx() ? 1 : 2);
    const auto axis = x ? call.axis("dim", "axis", 0, x->shape.size()) : std::nullopt;
    const auto places = axis && indices ? placesAlong(x->shape, *axis, *indices, call.isOnnx()) : std::nullopt;
    return places ? answer(pickedAt(*x, indices->shape, *places)) : std::nullopt;
}

namespace {

/// Returns the tensor with the elements of one side of a diagonal of the last two dimensions; the others are zero.
Answer triangle(const Call &call, bool isLower)
{
    const Array *x = call.array(0);
    const auto diagonal = call.facts().integer("diagonal");
    if (!x || !diagonal || call.isOnnx() || x->shape.size() < 2)
        return std::nullopt;
    const std::int64_t columns = x->shape.back(), tall = x->shape[x->shape.size() - 2];
    Array result = *x;
    std::visit(
        [&](auto &list) {
            for (std::int64_t i = 0; i < std::ssize(list); ++i) {
                const std::int64_t above = i % columns - i / columns % tall - *diagonal;
                if (isLower ? above > 0 : above < 0)
                    list[static_cast<std::size_t>(i)] = 0;
            }
        },
        result.elements);
    return answer(result);
}

} // namespace

Answer lowerTriangle(const Call &call) { return triangle(call, true); }

Answer upperTriangle(const Call &call) { return triangle(call, false); }

// ---- tensors beside each other

namespace {

std::optional<std::vector<Array>> tensorsOf(const Call &call)
{
    const auto given = call.arrays(0);
    if (!given || given->empty() || call.isOnnx())
        return std::nullopt;
    std::vector<Array> arrays;
    for (const Array *array : *given)
        arrays.push_back(*array);
    return arrays;
}

Answer joinedOf(const std::vector<Array> &arrays, std::size_t axis, const Call &call)
{
    std::vector<const Array *> pointers;
    for (const Array &array : arrays)
        pointers.push_back(&array);
    const auto dtype = call.dtype();
    return dtype && axis < arrays.front().shape.size() ? answer(joinedAlong(pointers, axis, *dtype)) : std::nullopt;
}

} // namespace

Answer horizontalStack(const Call &call)
{
    auto arrays = tensorsOf(call);
    if (!arrays)
        return std::nullopt;
    for (Array &array : *arrays)
        if (array.shape.empty())
            array.shape.push_back(1);
    return joinedOf(*arrays, arrays->front().shape.size() == 1 ? 0 : 1, call);
}

Answer verticalStack(const Call &call)
{
    auto arrays = tensorsOf(call);
    if (!arrays)
        return std::nullopt;
    for (Array &array : *arrays)
        while (array.shape.size() < 2)
            array.shape.insert(array.shape.begin(), 1);
    return joinedOf(*arrays, 0, call);
}

Answer broadcastTogether(const Call &call)
{
    const auto arrays = tensorsOf(call);
    std::vector<Sizes> shapes;
    for (const Array &array : arrays ? *arrays : std::vector<Array>())
        shapes.push_back(array.shape);
    const auto together = arrays ? broadcastShape(shapes) : std::nullopt;
    if (!together)
        return std::nullopt;
    Values results;
    for (const Array &array : *arrays)
        results.emplace_back(*broadcast(array, *together));
    return call.resultCount() > 1 ? Answer(std::move(results)) : Answer(Values{Value(std::move(results))});
}

// ---- parts

/// aten::repeat_interleave: repeats each element or slice before the next one.
Answer repeatEach(const Call &call)
{
    const Array *x = call.array("self"), *repeats = call.array("repeats");
    if (!x || !repeats || !repeats->isWhole())
        return std::nullopt;
    const bool isFlat = !call.facts().has("dim");
    const Array own = isFlat ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : *x;
    const auto axis = call.axis("dim", "", 0, own.shape.size());
    if (!axis || (repeats->count() != 1 && static_cast<std::int64_t>(repeats->count()) != own.shape[*axis]))
        return std::nullopt;
    Places positions;
    for (std::int64_t i = 0; i < own.shape[*axis]; ++i) {
        const Whole times = repeats->as<Whole>()[repeats->count() == 1 ? 0 : static_cast<std::size_t>(i)];
        if (times < 0 || std::ssize(positions) + times > (1 << 24))
            return std::nullopt;
        positions.insert(positions.end(), static_cast<std::size_t>(times), i);
    }
    return answer(slicesAt(own, *axis, positions));
}

/// aten::tensor_split with a number of parts
Answer evenParts(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto parts = call.facts().integer("sections");
    if (!axis || !parts || *parts < 1)
        return std::nullopt;
    const std::int64_t whole = x->shape[*axis];
    const Sizes strides = stridesOf(x->shape);
    Values results;
    std::int64_t start = 0;
    for (std::int64_t i = 0; i < *parts; ++i) {
        Sizes shape = x->shape;
        shape[*axis] = whole / *parts + (i < whole % *parts ? 1 : 0);
        results.emplace_back(strided(*x, shape, strides, shape[*axis] == 0 ? 0 : start * strides[*axis]));
        start += shape[*axis];
    }
    return call.resultCount() > 1 ? Answer(std::move(results)) : Answer(Values{Value(std::move(results))});
}

} // namespace cutaway::compute
