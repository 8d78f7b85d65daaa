// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// Whether torch's kernels on CUDA may give other results from run to run for the same arguments: they add up in the
/// order in which threads come. By the two lists of
/// https://docs.pytorch.org/docs/2.6/generated/torch.use_deterministic_algorithms.html, without operators that vary
/// only where indices are given twice (index_put, index_copy, scatter) and without cuDNN's choice of algorithms. Known
/// arguments decide; unknown ones do not count.
bool variesOnCuda(const Call &call);

// The rules of rows, `Traits::variesOnCuda`.
bool variesAlways(const Call &call);
bool variesIfAccumulating(const Call &call);
bool variesIfReducing(const Call &call); ///< scatter with "add" or "multiply", scatter_reduce but for extremes
bool variesOfFloats(const Call &call);   ///< sums of integers are exact in any order
bool variesWithWeights(const Call &call);
bool variesAlongDim(const Call &call);

} // namespace cutaway::ops
