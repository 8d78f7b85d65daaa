// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// What a reduction is given, with the same meaning in all dialects. An argument that is left out has torch's or ONNX's
/// default.
struct ReduceArguments {
    struct AllAxes { };

    Position input;
    /// The dimensions that are reduced: all, or these (negative ones count from the end; an empty list reduces none, so
    /// that the input is the result). What an empty list in the file means is already in it: mostly all. Nothing: not
    /// known.
    std::optional<std::variant<AllAxes, std::vector<ir::Dim>>> axes;
    /// How many there are, where ONNX's input of them is of a known size; nothing otherwise, and where that is all.
    std::optional<std::int64_t> axisCount;
    std::optional<bool> keepDim = false; ///< reduced dimensions stay as ones; nothing: not known
    /// Torch: what the input is converted to before, or, of a mean, the result's.
    Given<ir::DType> dtype;
    bool selectLastIndex = false; ///< of ONNX's ArgMax and ArgMin: of equals the last one counts, not the first

    /// For an input of this rank: whether each dimension is reduced. Nothing if that is not known, or an axis is not
    /// one of its dimensions; `call` then has the reason.
    std::optional<std::vector<bool>> reducedDimensions(const Call &call, std::size_t rank) const;
};

/// Of aten::sum, amax, argmax, var, norm and their kind, of prims' and of ONNX's Reduce… and Arg…; and of cumsum and
/// its kind, whose one axis stays.
ReduceArguments reduceArguments(const Call &call);

} // namespace cutaway::ops
