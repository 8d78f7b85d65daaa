// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/network/window.h"

namespace cutaway::ops {

/// The arguments of a pool, with the same meaning in all dialects. An argument that is left out has torch's or ONNX's
/// default.
struct PoolArguments {
    Position input;       ///< [N, C, D1, …]; in torch N may be missing; see channelsLast
    Position outputSizes; ///< ONNX's MaxUnpool: the result's shape, all dimensions
    /// The number of dimensions that are pooled; nothing: not known, because the input's rank is not known.
    std::optional<std::size_t> spatialRank;
    /// Kernel, stride, dilation and padding, one per spatial dimension. Nothing: not known, or `outputSize` takes the
    /// window's place.
    std::optional<Windows> windows;
    /// The size of the result per spatial dimension, for adaptive, global and fractional pools and torch's unpooling
    /// (unknown where an adaptive pool keeps the input's size).
    Given<std::vector<ir::Dim>> outputSize;
    std::optional<bool> ceilMode = false; ///< whether the last window may extend past the end; nothing: not known
    // For average pools: whether padding counts in the divisor, and a fixed divisor; nothing: not known.
    std::optional<bool> countIncludePad = true;
    Given<std::int64_t> divisorOverride;
    std::optional<std::int64_t> p = 2; ///< the exponent of the norm that Lp pools take; nothing: not known
    bool channelsLast = false;         ///< input and result are [N, D1, …, C]

    /// The first spatial dimension of an input of this rank, which is at least `spatialRank`.
    std::size_t firstSpatial(std::size_t rank) const { return rank - *spatialRank - (channelsLast ? 1 : 0); }
    Rounding rounding() const { return *ceilMode ? Rounding::Ceil : Rounding::Floor; }
};

/// Reads the arguments of max, average and Lp pools, of adaptive, global and fractional pools, and of unpooling, in all
/// dialects, but not those of gradients.
PoolArguments poolArguments(const Call &call);

} // namespace cutaway::ops
