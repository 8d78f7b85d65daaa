// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

namespace cutaway::compute {

/// Row-major positions of elements in a tensor.
using Places = std::vector<std::int64_t>;

/// The lanes of a tensor along an axis: the number of indices before it, of elements along it, and of elements after
/// it. The row-major position of an element is (outer * along + position) * inner + rest.
struct Lanes {
    std::int64_t outer, along, inner;

    std::int64_t count() const { return outer * inner; }
    /// Returns the row-major position of the element at `position` in a lane.
    std::size_t place(std::int64_t lane, std::int64_t position) const
    {
        return static_cast<std::size_t>((lane / inner * along + position) * inner + lane % inner);
    }
};
Lanes lanesOf(const Sizes &shape, std::size_t axis);

/// Returns a tensor of `shape` with the elements of `from` at `places`.
Array pickedAt(const Array &from, Sizes shape, const Places &places);

/// Whether no axis is named twice.
bool areDistinct(std::span<const std::size_t> axes);

/// Returns the slices of a tensor at positions along an axis, joined in that order.
Array slicesAt(const Array &x, std::size_t axis, std::span<const std::int64_t> positions);

/// Returns the elements of `indices` as positions along an axis of `size`; nothing if they are no integers or one is
/// out of range. `countsFromEnd`: negative numbers count from the end.
std::optional<Places> positionsIn(const Array &indices, std::int64_t size, bool countsFromEnd);

/// Returns for each element of `indices` a position in a tensor of `shape`: the element is the index along `axis`, and
/// the other indices are its own. Nothing if one is out of range.
std::optional<Places> placesAlong(const Sizes &shape, std::size_t axis, const Array &indices, bool countsFromEnd);

/// The row-major positions, in a tensor of shape `around`, of the elements of a part of shape `part` at its beginning.
Places placesOfPart(const Sizes &around, const Sizes &part);

/// Joins tensors along an axis in one dtype; nothing if their other dimensions differ.
std::optional<Array> joinedAlong(const std::vector<const Array *> &parts, std::size_t axis, ir::DType dtype);

/// The shape that `shapes` are broadcast to together; nothing if they do not fit.
std::optional<Sizes> broadcastShape(std::span<const Sizes> shapes);

} // namespace cutaway::compute
