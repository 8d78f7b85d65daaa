// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

namespace {

/// The dimensions that ONNX's paddings are of: all, or the ones that its last input names.
std::optional<std::vector<std::size_t>> paddedAxes(const Call &call, std::size_t rank)
{
    if (call.isOnnx() && call.facts().has(3)) {
        const auto named = call.facts().sizes(3);
        return named ? ops::dimensions(*named, rank) : std::nullopt;
    }
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
}

/// How many elements are added before each dimension; the shape of the result tells the rest.
std::optional<Sizes> paddingBefore(const Call &call, std::size_t rank)
{
    const auto axes = paddedAxes(call, rank);
    const ops::Fact &given = call.facts().any({"pad", "padding", "pads"});
    const auto pads = given.as<ops::NoneFact>() ? call.facts().sizes(1) : ops::asInts(given);
    if (!axes || !pads || pads->size() > 2 * rank || pads->size() % 2 != 0
        || (call.isOnnx() && pads->size() != 2 * axes->size()))
        return std::nullopt;
    Sizes before(rank, 0);
    for (std::size_t i = 0; i < pads->size() / 2; ++i) {
        const auto number = ops::number((*pads)[call.isOnnx() ? i : 2 * i]);
        if (!number)
            return std::nullopt;
        before[call.isOnnx() ? (*axes)[i] : rank - 1 - i] = *number;
    }
    return before;
}

std::optional<double> paddingValue(const Call &call)
{
    if (!call.isOnnx())
        return call.facts().position({"value"}) ? call.number("value", "", 0) : std::optional(0.0);
    const Array *value = call.array(2);
    return value && value->count() == 1 ? floatsOf(*value).front() : value ? std::nullopt : call.number("", "value", 0);
}

enum class Padding : std::uint8_t { Constant, Edge, Reflect, Wrap };

std::optional<Padding> paddingOf(const Call &call)
{
    const std::string_view given = call.facts().text("mode"), name = call.facts().name();
    const std::string_view mode = !given.empty() ? given : name;
    if (mode.contains("reflect"))
        return Padding::Reflect;
    if (mode.contains("replicat") || mode == "edge")
        return Padding::Edge;
    if (mode == "wrap" || mode == "circular" || mode == "_pad_circular")
        return Padding::Wrap;
    return given.empty() || given == "constant" ? std::optional(Padding::Constant) : std::nullopt;
}

/// Where a position outside of a dimension is taken from; nothing if from nowhere.
std::optional<std::int64_t> paddedFrom(Padding padding, std::int64_t at, std::int64_t size)
{
    if (at >= 0 && at < size)
        return at;
    if (padding == Padding::Constant || size == 0)
        return std::nullopt;
    if (padding == Padding::Edge)
        return std::clamp<std::int64_t>(at, 0, size - 1);
    const std::int64_t period = padding == Padding::Wrap ? size : std::max<std::int64_t>(2 * (size - 1), 1);
    const std::int64_t rest = ((at % period) + period) % period;
    return rest < size ? rest : period - rest;
}

} // namespace

/// Negative numbers cut off.
Answer pad(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto padding = paddingOf(call);
    const auto before = x ? paddingBefore(call, x->shape.size()) : std::nullopt;
    const auto value = paddingValue(call);
    const auto fill = x && value ? converted(filled(ir::DType::Float64, {}, *value), x->dtype) : std::nullopt;
    if (!before || !shape || !padding || !fill || shape->size() != x->shape.size())
        return std::nullopt;
    Array source = *x; // with the value after the last element
    std::visit(
        [&](auto &list) { list.push_back(std::get<std::remove_reference_t<decltype(list)>>(fill->elements).front()); },
        source.elements);
    const Sizes strides = stridesOf(x->shape), unit = stridesOf(*shape);
    Places places;
    for (std::int64_t i = 0; i < countOf(*shape); ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const auto at = paddedFrom(*padding, i / unit[d] % (*shape)[d] - (*before)[d], x->shape[d]);
            isInside = isInside && at;
            place += at.value_or(0) * strides[d];
        }
        if (!isInside && *padding != Padding::Constant)
            return std::nullopt;
        places.push_back(isInside ? place : static_cast<std::int64_t>(x->count()));
    }
    return answer(pickedAt(source, *shape, places));
}

} // namespace cutaway::compute
