// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/rules.h"

#include <algorithm>

namespace cutaway::compute {

namespace {

using Arrays = std::vector<const Array *>;

/// Elements before an axis, along it and behind it: a place is (outer * along + position) * inner + rest.
struct Lanes {
    std::int64_t outer, along, inner;
};

Lanes lanesOf(const Sizes &shape, std::size_t axis)
{
    const auto middle = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    return {countOf({shape.begin(), middle}), *middle, countOf({middle + 1, shape.end()})};
}

/// A tensor of this shape whose elements `place` tells by their own place.
template <class Place>
Array picked(const Array &from, Sizes shape, const Place &place)
{
    const std::int64_t count = countOf(shape);
    auto elements = std::visit(
        [&](const auto &list) -> ir::Numbers {
            std::remove_cvref_t<decltype(list)> result;
            for (std::int64_t i = 0; i < count; ++i)
                result.push_back(list[static_cast<std::size_t>(place(i))]);
            return result;
        },
        from.elements);
    return {from.dtype, std::move(shape), std::move(elements)};
}

std::optional<Array> joined(const Arrays &parts, std::size_t axis, ir::DType dtype)
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

} // namespace

/// torch lets empty vectors stand among tensors of any rank.
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
    const auto axis = call.axis("dim", "axis", 0, parts->front()->shape.size());
    return axis ? answer(joined(*parts, *axis, *dtype)) : std::nullopt;
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
    return answer(joined(pointers, *axis, *dtype));
}

namespace {

/// Positions along an axis; nothing if one is outside. ONNX counts negative ones from the end.
std::optional<std::vector<std::int64_t>> positions(const Array &indices, std::int64_t size, bool countsFromEnd)
{
    if (!indices.isWhole())
        return std::nullopt;
    std::vector<std::int64_t> result(indices.as<std::int64_t>().begin(), indices.as<std::int64_t>().end());
    for (std::int64_t &position : result) {
        position += countsFromEnd && position < 0 ? size : 0;
        if (position < 0 || position >= size)
            return std::nullopt;
    }
    return result;
}

/// Whole slices at the positions that a tensor of any rank tells.
Answer taken(const Array &x, std::size_t axis, const Array &indices, bool countsFromEnd)
{
    const auto where = positions(indices, x.shape[axis], countsFromEnd);
    if (!where)
        return std::nullopt;
    const auto [outer, along, inner] = lanesOf(x.shape, axis);
    Sizes shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
    const std::int64_t count = std::ssize(*where);
    return answer(picked(x, std::move(shape), [&, size = along, run = inner](std::int64_t i) {
        const std::int64_t position = (*where)[static_cast<std::size_t>(i / run % count)];
        return (i / run / count * size + position) * run + i % run;
    }));
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

/// At each place the element that the index there names along the axis.
Answer gather(const Call &call)
{
    const Array *x = call.array(0);
    const Array *indices = call.array(call.isOnnx() ? 1 : 2);
    const auto axis = x ? call.axis("dim", "axis", 0, x->shape.size()) : std::nullopt;
    if (!axis || !indices || indices->shape.size() != x->shape.size())
        return std::nullopt;
    const auto where = positions(*indices, x->shape[*axis], call.isOnnx());
    for (std::size_t d = 0; d < x->shape.size(); ++d)
        if (!where || (d != *axis && indices->shape[d] > x->shape[d]))
            return std::nullopt;
    Sizes steps = stridesOf(x->shape);
    const std::int64_t step = std::exchange(steps[*axis], 0);
    std::vector<std::int64_t> places;
    forEachPlace(indices->shape, steps, 0,
                 [&](std::int64_t place) { places.push_back(place + (*where)[places.size()] * step); });
    return answer(picked(*x, indices->shape, [&](std::int64_t i) { return places[static_cast<std::size_t>(i)]; }));
}

namespace {

/// How many elements are added before each dimension; the shape of the result tells the rest.
std::optional<Sizes> paddingBefore(const Call &call, std::size_t rank)
{
    const auto pads = call.isOnnx() ? (call.facts().has("pads") ? call.facts().sizes("pads") : call.facts().sizes(1))
                                    : call.facts().sizes("pad");
    if (!pads || pads->size() > 2 * rank || (call.isOnnx() && (pads->size() != 2 * rank || call.facts().has(3))))
        return std::nullopt;
    Sizes before(rank, 0);
    for (std::size_t i = 0; i < pads->size() / 2; ++i) {
        const auto number = ops::number((*pads)[call.isOnnx() ? i : 2 * i]);
        if (!number)
            return std::nullopt;
        before[call.isOnnx() ? i : rank - 1 - i] = *number;
    }
    return before;
}

std::optional<double> paddingValue(const Call &call)
{
    if (!call.isOnnx())
        return call.number("value", "", 0);
    const Array *value = call.array(2);
    return value && value->count() == 1 ? floatsOf(*value).front() : value ? std::nullopt : call.number("", "value", 0);
}

} // namespace

/// Constant padding; negative numbers cut off.
Answer pad(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const std::string_view mode = call.facts().text("mode");
    const auto before = x ? paddingBefore(call, x->shape.size()) : std::nullopt;
    const auto value = paddingValue(call);
    if (!before || !shape || !value || (!mode.empty() && mode != "constant"))
        return std::nullopt;
    auto all = converted(filled(ir::DType::Float64, *shape, *value), x->dtype);
    if (!all)
        return std::nullopt;
    const Sizes strides = stridesOf(x->shape);
    const Sizes unit = stridesOf(*shape);
    for (std::int64_t i = 0; i < countOf(*shape); ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const std::int64_t at = i / unit[d] % (*shape)[d] - (*before)[d];
            isInside = isInside && at >= 0 && at < x->shape[d];
            place += at * strides[d];
        }
        if (isInside)
            std::visit(
                [&](auto &list) {
                    list[static_cast<std::size_t>(i)] =
                        std::get<std::remove_reference_t<decltype(list)>>(x->elements)[static_cast<std::size_t>(place)];
                },
                all->elements);
    }
    return answer(std::move(all));
}

namespace {

/// Elements of one side of a diagonal of the last two dimensions; the others are zero.
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

} // namespace cutaway::compute
