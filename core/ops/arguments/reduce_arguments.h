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
    /// The dimensions that are reduced: all, or these (negative numbers count from the end; an empty list reduces none,
    /// so that the input is the result). If the file has an empty list, its meaning is already here: mostly all.
    /// Nothing: not known.
    std::optional<std::variant<AllAxes, std::vector<ir::Dim>>> axes;
    /// The number of elements of ONNX's input of axes, if it is known; 0 mostly means that all dimensions are reduced.
    std::optional<std::int64_t> axisCount;
    std::optional<bool> keepDim = false; ///< reduced dimensions stay as ones; nothing: not known
    /// Torch: the dtype that the input is converted to before, or, for a mean, the dtype of the result.
    Given<ir::DType> dtype;
    bool selectLastIndex = false; ///< ONNX's ArgMax and ArgMin: the last of equal elements counts, not the first

    /// For an input of this rank, whether each dimension is reduced; a doubt if that is not known, or an axis is none
    /// of its dimensions.
    OrDoubt<std::vector<bool>> reducedDimensions(std::size_t rank) const;
};

/// Reads the arguments of aten::sum, amax, argmax, var, norm and the like, of the reductions of prims, of ONNX's
/// Reduce… and Arg…, and of cumsum and the like, whose one axis stays.
ReduceArguments reduceArguments(const Call &call);

} // namespace cutaway::ops
