// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/network/window.h"

namespace cutaway::ops {

/// The positions of the arguments with the scale and the zero point of a quantized tensor: x = (q - zero point)·scale.
struct QuantizationPositions {
    Position scale, zeroPoint;
};

/// The arguments of a convolution, with the same meaning in all dialects. An argument that is left out has torch's or
/// ONNX's default.
struct ConvolutionArguments {
    Position input;  ///< [N, C, D1, …]; in torch N may be missing; see channelsLast
    Position weight; ///< [out, in / groups, K1, …]; transposed: [in, out / groups, K1, …]
    Position bias;   ///< [out]
    QuantizationPositions inputQuantization, weightQuantization, outputQuantization;

    /// Kernel, stride, dilation and padding, one per spatial dimension; nothing if they are not known. The kernel's
    /// size is that of the weight.
    std::optional<Windows> windows;
    ir::Dim groups = std::int64_t{1};
    std::optional<bool> transposed = false; ///< nothing: not known
    /// For a transposed convolution, per spatial dimension: the additional size at the end of the result. Nothing: not
    /// known.
    std::optional<std::vector<ir::Dim>> outputPadding;
    /// ONNX's output_shape of a transposed convolution: the spatial sizes of the result, which then decide the padding.
    Given<std::vector<ir::Dim>> outputSize;
    bool channelsLast = false; ///< `input` and the result are [N, D1, …, C]; `weight` is not

    /// Returns the axis of the weight that has the output channels (for a transposed convolution, the output channels
    /// of one group). `transposed` has to be known.
    std::size_t outputChannelAxis() const { return *transposed ? 1 : 0; }
    /// outputChannels() returns the number of channels of the result, inputChannels() that of the input, for a weight
    /// of this shape, which has at least two dimensions. `transposed` has to be known.
    ir::Dim outputChannels(const ir::Shape &weight) const;
    ir::Dim inputChannels(const ir::Shape &weight) const;
    /// The size of the result in the i-th spatial dimension, for an input of this size. `windows`, `transposed` and
    /// `outputPadding` have to be known.
    ir::Dim outputSizeOf(std::size_t i, const ir::Dim &inputSize) const;
};

/// Reads the arguments of aten::conv2d, convolution, _convolution and the forms that backends make of them, of ONNX's
/// and ONNX Runtime's Conv, ConvTranspose, ConvInteger and QLinearConv, of deformable convolutions, and of a
/// convolution's gradient. Nothing for operators with packed weights, and for aten::conv_tbc, whose weight has another
/// order of dimensions than `weight`.
std::optional<ConvolutionArguments> convolutionArguments(const Call &call);

} // namespace cutaway::ops
