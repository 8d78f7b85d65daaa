// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/network/window.h"

namespace cutaway::ops {

/// What a pool is given, with the same meaning in all dialects. An argument that is left out has torch's or ONNX's
/// default.
struct PoolArguments {
    Position input;       ///< [N, C, D1, …]; in torch N may be missing; see channelsLast
    Position outputSizes; ///< ONNX's MaxUnpool: the whole shape of the result
    /// Dimensions that are pooled; nothing: not known, as the input's rank is not.
    std::optional<std::size_t> spatialRank;
    /// Kernel, stride, dilation and padding, one per spatial dimension. Nothing: not known, or the pool has no window
    /// but a result of `outputSize`.
    std::optional<Windows> windows;
    /// Of adaptive, global, fractional pools and torch's unpooling: the size of the result per spatial dimension
    /// (unknown where an adaptive one keeps the input's).
    Given<std::vector<ir::Dim>> outputSize;
    std::optional<bool> ceilMode = false; ///< whether the last window may reach over the end; nothing: not known
    // Of average pools: whether padding counts in the divisor, and a divisor in its place; nothing: not known.
    std::optional<bool> countIncludePad = true;
    Given<std::int64_t> divisorOverride;
    std::optional<std::int64_t> p = 2; ///< of Lp pools: the norm's exponent; nothing: not known
    bool channelsLast = false;         ///< input and result are [N, D1, …, C]

    /// Where the spatial dimensions begin in an input of this rank, which has `spatialRank` of them at least.
    std::size_t firstSpatial(std::size_t rank) const { return rank - *spatialRank - (channelsLast ? 1 : 0); }
    Rounding rounding() const { return *ceilMode ? Rounding::Ceil : Rounding::Floor; }
};

/// Of max, average and Lp pools, adaptive, global and fractional ones and unpooling in all dialects. Not of gradients.
PoolArguments poolArguments(const Call &call);

} // namespace cutaway::ops
