// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"

namespace cutaway::diff {

/// A convolution's weight and bias as numbers.
struct ConvolutionWeights {
    ir::TensorId tensor; ///< the weight
    std::vector<double> weight, bias;
};

/// Returns the weights of a convolution as they are; without a bias, zeros. Errors: they are not in the file, or cannot
/// be read.
Result<ConvolutionWeights> weightsOf(Operands &side, const ir::NodeRef &convolution);
/// Returns the weights with the batch normalization after the convolution folded in, as exporters do. Errors: as
/// weightsOf(), also of the normalization's weights; it is not that of an inference.
Result<ConvolutionWeights> foldedWeights(Operands &side, const ir::NodeRef &convolution,
                                         const ir::NodeRef &normalization);

/// Returns how many numbers of weights and biases are further apart than rounding of the dtype explains: folding
/// multiplies in another order, or in another precision.
std::uint64_t countDiffering(const ConvolutionWeights &a, const ConvolutionWeights &b, ir::DType dtype);
/// Whether both are as if two programs had folded the same batch normalization, each rounding in its own order: all of
/// weights and biases in float32, at most a few roundings apart.
bool areFoldedAlike(const ConvolutionWeights &a, const ConvolutionWeights &b);

} // namespace cutaway::diff
