// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/arguments/recurrent_arguments.h"
#include "core/ops/compute/call.h"

/// Recurrent layers, computed step by step, for one sequence of the batch after the other. Gates are in PyTorch's order
/// (LSTM: input, forget, cell, output; GRU: reset, update, new).
namespace cutaway::compute {

using Vector = std::vector<double>;

using Cell = ops::RecurrentCell;

/// The number of gates of a cell.
std::int64_t gatesOf(Cell cell);

/// The weights of one direction of one layer; the rows of a matrix are grouped by gate.
struct Direction {
    Cell cell = Cell::Tanh;
    std::size_t inputs = 0, hidden = 0, output = 0;
    Vector input, recurrent, inputBias, recurrentBias; ///< biases may be empty
    Vector projection;          ///< the matrix that projects an LSTM's hidden state; empty: there is none
    Vector peephole;            ///< for the input, output and forget gate; empty: none
    bool resetsBefore = false;  ///< GRU: whether the state is reset before the product, and not after it
    bool couplesForget = false; ///< LSTM: whether the forget gate is 1 - input gate

    /// Whether the weights and biases are as large as the direction needs, for inputs of so many features.
    bool fits(std::size_t features) const;
};

/// The state of one sequence.
struct State {
    Vector hidden, cell;
};

/// Returns the states of all sequences before the first step; an empty vector stands for zeros. Nothing if a vector
/// has another size than the batch and the direction need.
std::optional<std::vector<State>> statesFrom(const Vector &hidden, const Vector &cell, std::size_t batch,
                                             const Direction &direction);

/// Computes one step for the features at x.
void step(const Direction &direction, const double *x, State &state);

/// Sequences [steps, batch, features].
struct Sequences {
    std::size_t steps, batch, features;
    Vector elements;
    /// The number of steps of each sequence of the batch; empty: all have `steps` steps. Later steps are not
    /// computed.
    std::vector<std::size_t> lengths = {};

    /// The sequences of a tensor of three dimensions.
    static Sequences of(const Array &x, std::vector<std::size_t> lengths = {});
    /// Makes as many sequences with as many steps, each step of `width` zeros.
    Sequences zeros(std::size_t width) const;
    std::size_t lengthOf(std::size_t b) const { return lengths.empty() ? steps : lengths[b]; }
};

/// Computes all steps, in reverse if `isBackward`. Results are written to the features of `outputs` from index `at` on.
void run(const Direction &direction, const Sequences &input, bool isBackward, std::vector<State> &states,
         Sequences &outputs, std::size_t at);

/// The states after the last steps, one direction after the other.
struct LastStates {
    Vector hidden, cell;

    void add(const std::vector<State> &states);
};

/// The elements of the `index`-th of `parts` equal parts of a tensor's first dimension; none for nullptr.
Vector partOf(const Array *array, std::size_t index, std::size_t parts);

/// A tensor of these sizes in double precision.
Array doubles(std::initializer_list<std::size_t> shape, Vector elements);

/// The tensor with dimensions 0 and 1 exchanged.
Array batchFirst(const Array &x);

} // namespace cutaway::compute
