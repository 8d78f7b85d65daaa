// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

#include <span>

namespace cutaway::ops {

/// The kinds of recurrent layers, by the function of a step; Tanh and Relu are those of a plain RNN.
enum class RecurrentCell : std::uint8_t { Lstm, Gru, Tanh, Relu };

// The rows of weights are grouped by gate. torch has the gates of an LSTM as input, forget, cell, output, and those of
// a GRU as reset, update, new; ONNX has input, output, forget, cell, and update, reset, new.

/// Returns for each gate, in torch's order, its index in ONNX's order.
std::span<const std::size_t> onnxGates(RecurrentCell cell);
/// Returns for each gate, in ONNX's order, its index in torch's order.
std::span<const std::size_t> torchGates(RecurrentCell cell);

/// The arguments of torch's lstm, gru, rnn_tanh and rnn_relu, without tensors. A member that is nothing is not known.
struct TorchRecurrentArguments {
    RecurrentCell cell;
    std::optional<std::int64_t> layers;
    std::optional<bool> hasBiases, isBidirectional;
    std::optional<bool> isBatchFirst; ///< false for packed sequences
    std::optional<bool> isRandom;     ///< whether it drops random elements between layers, as in training
    bool isPacked;                    ///< whether the input is a packed sequence
};

TorchRecurrentArguments torchRecurrentArguments(const Call &call);
/// Returns the cell of an operator of torch by its name: "gru", "lstm_cell".
RecurrentCell torchCell(std::string_view name);

/// The arguments of ONNX's LSTM, GRU and RNN, and of similar operators of com.microsoft, without tensors. A member that
/// is nothing is not known.
struct OnnxRecurrentArguments {
    std::optional<RecurrentCell> cell; ///< nothing also if torch has no layer with the activations
    bool isBidirectional, isReverse;
    std::optional<bool> isBatchFirst;
    std::optional<bool> resetsBefore;  ///< whether a GRU applies the reset gate before the product, not after it
    std::optional<bool> couplesForget; ///< whether the forget gate of an LSTM is 1 - the input gate
    bool isClipped;                    ///< whether the arguments of activations are limited

    std::int64_t directions() const { return isBidirectional ? 2 : 1; }
};

OnnxRecurrentArguments onnxRecurrentArguments(const Call &call);

} // namespace cutaway::ops
