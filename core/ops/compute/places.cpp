// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"

#include <algorithm>
#include <set>

namespace cutaway::compute {

Lanes lanesOf(const Sizes &shape, std::size_t axis)
{
    const auto middle = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    return {countOf({shape.begin(), middle}), *middle, countOf({middle + 1, shape.end()})};
}

Array pickedAt(const Array &from, Sizes shape, const Places &places)
{
    auto elements = std::visit(
        [&](const auto &list) -> ir::Numbers {
            std::remove_cvref_t<decltype(list)> result;
            result.reserve(places.size());
            for (const std::int64_t place : places)
                result.push_back(list[static_cast<std::size_t>(place)]);
            return result;
        },
        from.elements);
    return {from.dtype, std::move(shape), std::move(elements)};
}

bool areDistinct(std::span<const std::size_t> axes) { return std::set(axes.begin(), axes.end()).size() == axes.size(); }

Array slicesAt(const Array &x, std::size_t axis, std::span<const std::int64_t> positions)
{
    const Lanes lanes = lanesOf(x.shape, axis);
    Sizes shape = x.shape;
    shape[axis] = std::ssize(positions);
    Places places;
    for (std::int64_t outer = 0; outer < lanes.outer; ++outer)
        for (const std::int64_t position : positions)
            for (std::int64_t inner = 0; inner < lanes.inner; ++inner)
                places.push_back((outer * lanes.along + position) * lanes.inner + inner);
    return pickedAt(x, std::move(shape), places);
}

std::optional<Places> positionsIn(const Array &indices, std::int64_t size, bool countsFromEnd)
{
    if (!indices.isWhole())
        return std::nullopt;
    Places result(indices.as<Whole>().begin(), indices.as<Whole>().end());
    for (std::int64_t &position : result) {
        position += countsFromEnd && position < 0 ? size : 0;
        if (position < 0 || position >= size)
            return std::nullopt;
    }
    return result;
}

std::optional<Places> placesAlong(const Sizes &shape, std::size_t axis, const Array &indices, bool countsFromEnd)
{
    if (indices.shape.size() != shape.size() || axis >= shape.size())
        return std::nullopt;
    const auto where = positionsIn(indices, shape[axis], countsFromEnd);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (!where || (d != axis && indices.shape[d] > shape[d]))
            return std::nullopt;
    Sizes steps = stridesOf(shape);
    const std::int64_t step = std::exchange(steps[axis], 0);
    Places places;
    forEachPlace(indices.shape, steps, 0,
                 [&](std::int64_t place) { places.push_back(place + (*where)[places.size()] * step); });
    return places;
}

Places placesOfPart(const Sizes &around, const Sizes &part)
{
    Places places;
    forEachPlace(part, stridesOf(around), 0, [&](std::int64_t place) { places.push_back(place); });
    return places;
}

std::optional<Sizes> broadcastShape(std::span<const Sizes> shapes)
{
    std::size_t rank = 0;
    for (const Sizes &shape : shapes)
        rank = std::max(rank, shape.size());
    Sizes together(rank, 1);
    for (const Sizes &shape : shapes)
        for (std::size_t d = 0; d < shape.size(); ++d) {
            std::int64_t &size = together[rank - shape.size() + d];
            if (shape[d] != 1 && size != 1 && size != shape[d])
                return std::nullopt;
            size = shape[d] == 1 ? size : shape[d];
        }
    return together;
}

} // namespace cutaway::compute
