// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The arguments of a reduction, with the same meaning in all dialects. An argument that is left out has torch's or
/// ONNX's default.
struct ReduceArguments {
    struct AllAxes { };

    Position input;
    /// The dimensions that are reduced: all, or these (negative numbers count from the end; an empty list reduces
    /// none, so that the input is the result). An empty list in the file is already translated: for most operators it
    /// means all dimensions. Nothing: not known.
    std::optional<std::variant<AllAxes, std::vector<ir::Dim>>> axes;
    /// The number of elements of ONNX's input `axes`, if it is known; for most operators 0 means all dimensions.
    std::optional<std::int64_t> axisCount;
    std::optional<bool> keepDim = false; ///< reduced dimensions stay as ones; nothing: not known
    /// Torch: the dtype that the input is converted to before it is reduced, or, for a mean, the dtype of the result.
    Given<ir::DType> dtype;
    bool selectLastIndex = false; ///< ONNX's ArgMax and ArgMin: the last of equal elements counts, not the first

    /// Returns for each dimension of an input of this rank whether it is reduced; a doubt if that is not known, or an
    /// axis is out of range.
    OrDoubt<std::vector<bool>> reducedDimensions(std::size_t rank) const;
};

/// Reads the arguments of aten::sum, amax, argmax, var, norm and the like, of the reductions of prims, of ONNX's
/// Reduce… and Arg…, and of cumsum and the like, which have one axis and keep it.
ReduceArguments reduceArguments(const Call &call);

} // namespace cutaway::ops
