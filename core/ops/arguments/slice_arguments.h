// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The elements of one dimension from `start` to before `end`. Both count from the dimension's end if they are
/// negative, and may lie outside of it.
struct SlicedAxis {
    std::size_t axis;
    ir::Dim start, end;
    std::optional<std::int64_t> step; ///< not 0; nothing: not known
};

/// Reads the arguments of ONNX's Slice or of prims::slice for a tensor of this rank. Doubts: the axes are not known
/// (unknown); the lists do not fit together (wrong).
OrDoubt<std::vector<SlicedAxis>> slicedAxes(const Call &call, std::size_t rank);

} // namespace cutaway::ops
