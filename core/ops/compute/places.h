// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

namespace cutaway::compute {

/// Row-major positions of elements.
using Places = std::vector<std::int64_t>;

/// Elements before an axis, along it and behind it: a place is (outer * along + position) * inner + rest.
struct Lanes {
    std::int64_t outer, along, inner;

    std::int64_t count() const { return outer * inner; }
    /// Of a position in the i-th lane.
    std::size_t place(std::int64_t lane, std::int64_t position) const
    {
        return static_cast<std::size_t>((lane / inner * along + position) * inner + lane % inner);
    }
};
Lanes lanesOf(const Sizes &shape, std::size_t axis);

/// A tensor of this shape, the elements taken from these places.
Array pickedAt(const Array &from, Sizes shape, const Places &places);

/// The positions that a tensor of whole numbers gives along an axis of this size; nothing if one is outside. Negative
/// ones may be counted from the end.
std::optional<Places> positionsIn(const Array &indices, std::int64_t size, bool countsFromEnd);

/// For each element of `indices` the place along the axis, in a tensor of this shape, that it names, all other
/// dimensions being its own. Nothing if one is outside.
std::optional<Places> placesAlong(const Sizes &shape, std::size_t axis, const Array &indices, bool countsFromEnd);

/// The row-major positions in a tensor of shape `around` of the elements of a part at its beginning.
Places placesOfPart(const Sizes &around, const Sizes &part);

/// Tensors one behind the other along an axis, in one dtype; nothing if their other dimensions differ.
std::optional<Array> joinedAlong(const std::vector<const Array *> &parts, std::size_t axis, ir::DType dtype);

/// The shape that these have together by broadcasting; nothing if they do not fit.
std::optional<Sizes> broadcastShape(std::span<const Sizes> shapes);

} // namespace cutaway::compute
