// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/memory.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

namespace {

/// Returns a tensor of this shape whose element at an index is that of `x` at the row-major position place(index).
template <class Place>
Array placed(const Array &x, const Sizes &shape, const Place &place)
{
    Places places;
    Sizes index(shape.size(), 0);
    for (std::int64_t left = countOf(shape); left > 0; --left) {
        places.push_back(place(index));
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++index[d] < shape[d])
                break;
            index[d] = 0;
        }
    }
    return pickedAt(x, shape, places);
}

std::int64_t placeAt(const Sizes &index, const Sizes &strides)
{
    return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}

std::int64_t modulo(std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; }

} // namespace

Answer roll(const Call &call)
{
    const Array *x = call.array(0);
    const auto shifts = call.integers("shifts");
    auto axes = x ? call.axes("dims", x->shape.size()) : std::nullopt;
    if (!axes || !shifts || x->count() == 0)
        return std::nullopt;
    const bool isFlat = axes->empty();
    const Array own = isFlat ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : *x;
    if (isFlat)
        axes->push_back(0);
    if (axes->size() != shifts->size())
        return std::nullopt;
    const Sizes strides = stridesOf(own.shape);
    Array result = placed(own, own.shape, [&](Sizes index) {
        for (std::size_t i = 0; i < axes->size(); ++i)
            index[(*axes)[i]] = modulo(index[(*axes)[i]] - (*shifts)[i], own.shape[(*axes)[i]]);
        return placeAt(index, strides);
    });
    return answer(reshaped(std::move(result), x->shape));
}

Answer triangleOf(const Call &call)
{
    const Array *x = call.array(0);
    const auto isUpper = call.integer("", "upper", 1);
    const Array *k = call.array(1);
    if (!x || x->shape.size() < 2 || !isUpper || (call.facts().has(1) && (!k || k->count() != 1 || !k->isWhole())))
        return std::nullopt;
    const std::int64_t diagonal = k ? k->as<Whole>().front() : 0;
    const std::int64_t columns = x->shape.back(), rows = x->shape[x->shape.size() - 2];
    Array result = *x;
    std::visit(
        [&](auto &list) {
            for (std::int64_t i = 0; i < std::ssize(list); ++i) {
                const std::int64_t above = i % columns - i / columns % rows - diagonal;
                if (*isUpper != 0 ? above < 0 : above > 0)
                    list[static_cast<std::size_t>(i)] = 0;
            }
        },
        result.elements);
    return answer(std::move(result));
}

/// A diagonal of two dimensions, as the last dimension.
Answer diagonal(const Call &call)
{
    const Array *x = call.array(0);
    const auto a = x ? call.axis("dim1", "", 0, x->shape.size()) : std::nullopt;
    const auto b = x ? call.axis("dim2", "", 1, x->shape.size()) : std::nullopt;
    const auto offset = call.integer("offset", "", 0);
    const auto shape = call.shape();
    if (!a || !b || *a == *b || !offset || !shape)
        return std::nullopt;
    const Sizes all = stridesOf(x->shape);
    Sizes steps;
    for (std::size_t d = 0; d < x->shape.size(); ++d)
        if (d != *a && d != *b)
            steps.push_back(all[d]);
    steps.push_back(all[*a] + all[*b]);
    const std::int64_t start = *offset >= 0 ? *offset * all[*b] : -*offset * all[*a];
    return steps.size() == shape->size() ? answer(strided(*x, *shape, steps, start)) : std::nullopt;
}

namespace {

bool liesAlone(const Array &x) { return x.lies && !x.lies->places && !x.lies->strides; }

} // namespace

/// Computes as_strided of a tensor that is certainly row-major and has a memory of its own.
Answer asStrided(const Call &call)
{
    const Array *x = call.array(0);
    const auto size = call.integers("size"), stride = call.integers("stride");
    const auto offset = call.integer("storage_offset", "", 0);
    if (!x || !liesAlone(*x) || !size || !stride || size->size() != stride->size() || !offset)
        return std::nullopt;
    std::int64_t last = *offset;
    for (std::size_t d = 0; d < size->size(); ++d) {
        if ((*size)[d] < 1 || (*stride)[d] < 0 || (*stride)[d] > static_cast<std::int64_t>(x->count()))
            return std::nullopt;
        last += ((*size)[d] - 1) * (*stride)[d];
    }
    return *offset >= 0 && last < static_cast<std::int64_t>(x->count()) ? answer(strided(*x, *size, *stride, *offset))
                                                                        : std::nullopt;
}

/// Returns overlapping windows along a dimension; their elements are a new last dimension.
Answer unfold(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axis = x && !x->shape.empty() ? call.axis("dimension", "", 0, x->shape.size()) : std::nullopt;
    const auto step = call.facts().integer("step");
    if (call.isOnnx() || !axis || !shape || !step || *step < 1 || shape->size() != x->shape.size() + 1)
        return std::nullopt;
    Sizes steps = stridesOf(x->shape);
    steps.push_back(steps[*axis]);
    steps[*axis] *= *step;
    return answer(strided(*x, *shape, steps));
}

// ---- others

/// onnx::ReverseSequence: reverses the first elements of each sequence, as many as its length.
Answer reverseSequence(const Call &call)
{
    const Array *x = call.array(0), *lengths = call.array(1);
    const auto batch = x ? call.axis("", "batch_axis", 1, x->shape.size()) : std::nullopt;
    const auto time = x ? call.axis("", "time_axis", 0, x->shape.size()) : std::nullopt;
    if (!batch || !time || *batch == *time || !lengths || !lengths->isWhole()
        || static_cast<std::int64_t>(lengths->count()) != x->shape[*batch])
        return std::nullopt;
    for (const Whole length : lengths->as<Whole>())
        if (length < 0 || length > x->shape[*time])
            return std::nullopt;
    const Sizes strides = stridesOf(x->shape);
    return answer(placed(*x, x->shape, [&](Sizes index) {
        const Whole length = lengths->as<Whole>()[static_cast<std::size_t>(index[*batch])];
        if (index[*time] < length)
            index[*time] = length - 1 - index[*time];
        return placeAt(index, strides);
    }));
}

/// aten::movedim
Answer movedAxes(const Call &call)
{
    const Array *x = call.array(0);
    const std::size_t rank = x ? x->shape.size() : 0;
    const auto from = x ? call.axes("source", rank) : std::nullopt,
               to = x ? call.axes("destination", rank) : std::nullopt;
    if (!from || !to || from->size() != to->size())
        return std::nullopt;
    std::vector<std::optional<std::size_t>> order(rank);
    for (std::size_t i = 0; i < from->size(); ++i)
        order[(*to)[i]] = (*from)[i];
    std::vector<std::size_t> rest;
    for (std::size_t d = 0; d < rank; ++d)
        if (!std::ranges::contains(*from, d))
            rest.push_back(d);
    std::vector<std::size_t> complete;
    std::size_t next = 0;
    for (const auto &axis : order)
        complete.push_back(axis ? *axis : rest[next++]);
    return answer(permuted(*x, complete));
}

/// onnx::CenterCropPad
Answer centerCropPad(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || shape->size() != x->shape.size())
        return std::nullopt;
    const Sizes strides = stridesOf(x->shape);
    Array source = *x; // the elements, followed by a zero for padding
    std::visit([](auto &list) { list.push_back(0); }, source.elements);
    const auto zero = static_cast<std::int64_t>(x->count());
    return answer(placed(source, *shape, [&](const Sizes &index) {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const std::int64_t own = x->shape[d], wanted = (*shape)[d];
            const std::int64_t at = wanted <= own ? index[d] + (own - wanted) / 2 : index[d] - (wanted - own) / 2;
            if (at < 0 || at >= own)
                return zero;
            place += at * strides[d];
        }
        return place;
    }));
}

/// aten::rot90
Answer rotated(const Call &call)
{
    const Array *x = call.array(0);
    const auto k = call.integer("k", "", 1);
    const auto axes = x ? call.axes("dims", x->shape.size()) : std::nullopt;
    if (!axes || axes->size() != 2 || (*axes)[0] == (*axes)[1] || !k)
        return std::nullopt;
    const std::size_t a = (*axes)[0], b = (*axes)[1];
    const std::int64_t quarters = modulo(*k, 4);
    Sizes shape = x->shape;
    if (quarters % 2 == 1)
        std::swap(shape[a], shape[b]);
    const Sizes strides = stridesOf(x->shape);
    return answer(placed(*x, shape, [&](Sizes index) {
        const std::int64_t i = index[a], j = index[b];
        if (quarters == 1) {
            index[a] = j;
            index[b] = shape[a] - 1 - i;
        } else if (quarters == 2) {
            index[a] = shape[a] - 1 - i;
            index[b] = shape[b] - 1 - j;
        } else if (quarters == 3) {
            index[a] = shape[b] - 1 - j;
            index[b] = i;
        }
        return placeAt(index, strides);
    }));
}

Answer meshgrid(const Call &call)
{
    const auto tensors = call.arrays(0);
    const bool isXy = call.facts().text("indexing") == "xy";
    if (!tensors || tensors->empty() || call.isOnnx())
        return std::nullopt;
    Sizes shape;
    for (const Array *tensor : *tensors) {
        if (tensor->shape.size() > 1)
            return std::nullopt;
        shape.push_back(static_cast<std::int64_t>(tensor->count()));
    }
    if (isXy && shape.size() > 1)
        std::swap(shape[0], shape[1]);
    Values grids;
    for (std::size_t i = 0; i < tensors->size(); ++i) {
        Sizes steps(shape.size(), 0);
        steps[isXy && i < 2 && shape.size() > 1 ? 1 - i : i] = 1;
        grids.emplace_back(strided(*(*tensors)[i], shape, steps));
    }
    return call.resultCount() > 1 ? Answer(std::move(grids)) : Answer(Values{Value(std::move(grids))});
}

} // namespace cutaway::compute
