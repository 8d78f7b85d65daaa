// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// How the elements that padding adds to a dimension get their values.
enum class PadMode : std::uint8_t {
    Constant, ///< a number that the node gives
    Edge,     ///< the first and the last element, repeated
    Reflect,  ///< mirrored at the first and the last element, which are not repeated
    Wrap,     ///< the elements from the other end of the dimension
};

/// How many elements are added before and after each dimension; a number below 0 says how many are cut off.
struct Padding {
    std::vector<ir::Dim> before, after;
};

// The arguments of aten::pad, constant_pad_nd, reflection_pad2d and the like, and of ONNX's Pad.

/// Returns the mode; nothing if its name is unknown.
std::optional<PadMode> padMode(const Call &call);
/// Returns the padding of a first argument that has `rank` dimensions.
OrDoubt<Padding> paddingOf(const Call &call, std::size_t rank);
/// Returns the index of the element that padding copies to `position` in a dimension of `size` elements. A position
/// counts from the first element, so that the padding before it has negative positions. Nothing if no element is copied
/// there.
std::optional<std::int64_t> paddedFrom(PadMode mode, std::int64_t position, std::int64_t size);

} // namespace cutaway::ops
