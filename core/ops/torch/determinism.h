// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// Whether torch's kernels on CUDA may give different results from run to run for the same arguments, because they
/// add in the order in which threads arrive. It follows the two lists of
/// https://docs.pytorch.org/docs/2.6/generated/torch.use_deterministic_algorithms.html, without operators that vary
/// only if an index occurs twice (index_put, index_copy, scatter), and without cuDNN's choice of algorithms. Only
/// known arguments are considered.
bool variesOnCuda(const Call &call);

// The rules that rows name as `Traits::variesOnCuda`.
bool variesAlways(const Call &call);
bool variesIfAccumulating(const Call &call);
bool variesIfReducing(const Call &call); ///< scatter with "add" or "multiply", and scatter_reduce except of extremes
bool variesOfFloats(const Call &call);   ///< only for floats: sums of integers are exact in any order
bool variesWithWeights(const Call &call);
bool variesAlongDim(const Call &call);

} // namespace cutaway::ops
