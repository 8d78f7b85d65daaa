// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"

namespace cutaway::diff {

/// A convolution's weight and bias as numbers.
struct ConvolutionWeights {
    ir::TensorId tensor; ///< the tensor that is the weight
    std::vector<double> weight, bias;
};

/// Returns the weight and bias of a convolution as they are; zeros for a missing bias. Errors: they are not in the
/// file, or cannot be read.
Result<ConvolutionWeights> weightsOf(Operands &side, const ir::NodeRef &convolution);
/// Returns the weights with the batch normalization after the convolution folded in, as exporters do. Errors: those of
/// weightsOf(), also for the normalization's weights; the normalization is in training mode.
Result<ConvolutionWeights> foldedWeights(Operands &side, const ir::NodeRef &convolution,
                                         const ir::NodeRef &normalization);

/// Returns how many numbers of weights and biases are further apart than rounding of the dtype explains: folding
/// multiplies in another order, or in another precision.
std::uint64_t countDiffering(const ConvolutionWeights &a, const ConvolutionWeights &b, ir::DType dtype);
/// Whether both may be the results of two programs that folded the same batch normalization, each rounding in its own
/// order: all weights and biases are float32, and at most a few roundings apart.
bool areFoldedAlike(const ConvolutionWeights &a, const ConvolutionWeights &b);

} // namespace cutaway::diff
