// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The arguments of a normalization, with the same meaning in all dialects: (x - mean) / √(variance + epsilon)·weight +
/// bias; RMS normalization subtracts no mean. An argument that is left out has torch's or ONNX's default.
struct NormalizationArguments {
    Position input; ///< [N, C, D1, …] or, for layer and RMS normalization, any shape; see channelsLast
    /// [C], or [groups] for group normalization before ONNX's operator set 21; for layer and RMS normalization the
    /// dimensions from axisOf() on.
    Position weight, bias;
    Position mean, variance; ///< [C]: the running statistics
    /// Whether mean and variance are computed from the input, and not given as arguments: `training` of batch
    /// normalization, `use_input_stats` of instance normalization. Nothing: not known.
    std::optional<bool> useInputStats = true;
    // Layer and RMS normalization normalize the last dimensions together: torch gives the sizes of these, ONNX the
    // first of them (negative numbers count from the end). Nothing: not known, or given the other way.
    std::optional<std::vector<ir::Dim>> normalizedShape;
    std::optional<std::int64_t> axis;
    ir::Dim groups = ir::UnknownDim{}; ///< for group normalization: C / groups channels are normalized together
    Given<double> epsilon;             ///< if it is left out, torch's rms_norm takes the machine epsilon of the dtype
    bool channelsLast = false;         ///< the input is [N, D1, …, C]
    bool isOfEachPlace = false;        ///< weight, bias, mean and variance are [C, D1, …]: ONNX before operator set 9

    /// Returns the first of the dimensions that are normalized together in a tensor of this rank; `rank` if no
    /// dimension is. Nothing if that dimension is not known, or the tensor has fewer dimensions.
    std::optional<std::size_t> axisOf(std::size_t rank) const;
};

/// Reads the arguments of batch, layer, group, instance and RMS normalization in all dialects, and of ONNX Runtime's
/// operators that add a skip connection to the input first. Does not read those of gradients and of operators that only
/// update statistics.
NormalizationArguments normalizationArguments(const Call &call);

} // namespace cutaway::ops
