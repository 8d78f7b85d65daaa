// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/recurrent.h"

#include "core/ops/compute/numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

std::int64_t gatesOf(Cell cell) { return cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1; }

namespace {

/// Adds weight · x + bias to `sums`.
void addProduct(Vector &sums, const Vector &weight, const double *x, std::size_t size, const Vector &bias)
{
    for (std::size_t row = 0; row < sums.size(); ++row) {
        double sum = bias.empty() ? 0 : bias[row];
        for (std::size_t k = 0; k < size; ++k)
            sum += weight[row * size + k] * x[k];
        sums[row] += sum;
    }
}

void stepLstm(const Direction &d, const Vector &sums, State &state)
{
    const std::size_t n = d.hidden;
    Vector hidden(n);
    const auto peep = [&](std::size_t which, std::size_t i) {
        return d.peephole.empty() ? 0 : d.peephole[which * n + i];
    };
    for (std::size_t i = 0; i < n; ++i) {
        const double held = state.cell[i];
        const double in = sigmoid(sums[i] + peep(0, i) * held);
        const double forget = d.couplesForget ? 1 - in : sigmoid(sums[n + i] + peep(2, i) * held);
        state.cell[i] = forget * held + in * std::tanh(sums[2 * n + i]);
        hidden[i] = sigmoid(sums[3 * n + i] + peep(1, i) * state.cell[i]) * std::tanh(state.cell[i]);
    }
    if (d.projection.empty()) {
        state.hidden = std::move(hidden);
        return;
    }
    state.hidden.assign(d.output, 0);
    addProduct(state.hidden, d.projection, hidden.data(), n, {});
}

void stepGru(const Direction &d, const Vector &fromInput, State &state)
{
    const std::size_t n = d.hidden;
    Vector fromState(3 * n, 0);
    addProduct(fromState, d.recurrent, state.hidden.data(), n, d.recurrentBias);
    Vector reset(n), update(n), resetState(n);
    for (std::size_t i = 0; i < n; ++i) {
        reset[i] = sigmoid(fromInput[i] + fromState[i]);
        update[i] = sigmoid(fromInput[n + i] + fromState[n + i]);
        resetState[i] = reset[i] * state.hidden[i];
    }
    Vector candidates(fromInput.begin() + static_cast<std::ptrdiff_t>(2 * n), fromInput.end());
    if (d.resetsBefore) {
        const auto rows = d.recurrent.begin() + static_cast<std::ptrdiff_t>(2 * n * n);
        const Vector bias = d.recurrentBias.empty()
            ? Vector()
            : Vector(d.recurrentBias.begin() + static_cast<std::ptrdiff_t>(2 * n), d.recurrentBias.end());
        addProduct(candidates, Vector(rows, d.recurrent.end()), resetState.data(), n, bias);
    } else {
        for (std::size_t i = 0; i < n; ++i)
            candidates[i] += reset[i] * fromState[2 * n + i];
    }
    for (std::size_t i = 0; i < n; ++i)
        state.hidden[i] = (1 - update[i]) * std::tanh(candidates[i]) + update[i] * state.hidden[i];
}

} // namespace

void step(const Direction &d, const double *x, State &state)
{
    Vector sums(static_cast<std::size_t>(gatesOf(d.cell)) * d.hidden, 0);
    addProduct(sums, d.input, x, d.inputs, d.inputBias);
    if (d.cell == Cell::Gru)
        return stepGru(d, sums, state);
    addProduct(sums, d.recurrent, state.hidden.data(), d.output, d.recurrentBias);
    if (d.cell == Cell::Lstm)
        return stepLstm(d, sums, state);
    for (std::size_t i = 0; i < sums.size(); ++i)
        state.hidden[i] = d.cell == Cell::Tanh ? std::tanh(sums[i]) : std::max(sums[i], 0.0);
}

bool Direction::fits(std::size_t features) const
{
    const std::size_t rows = static_cast<std::size_t>(gatesOf(cell)) * hidden;
    const auto isBias = [&](const Vector &bias) { return bias.empty() || bias.size() == rows; };
    return inputs == features && input.size() == rows * inputs && recurrent.size() == rows * output && isBias(inputBias)
        && isBias(recurrentBias) && (peephole.empty() || peephole.size() == 3 * hidden)
        && (projection.empty() ? output == hidden : projection.size() == output * hidden);
}

void run(const Direction &d, const Sequences &input, bool isBackward, std::vector<State> &states, Sequences &outputs,
         std::size_t at)
{
    for (std::size_t b = 0; b < input.batch; ++b)
        for (std::size_t k = 0; k < input.lengthOf(b); ++k) {
            const std::size_t t = isBackward ? input.lengthOf(b) - 1 - k : k;
            step(d, &input.elements[(t * input.batch + b) * input.features], states[b]);
            std::ranges::copy(states[b].hidden,
                              outputs.elements.begin()
                                  + static_cast<std::ptrdiff_t>((t * input.batch + b) * outputs.features + at));
        }
}

Sequences Sequences::of(const Array &x, std::vector<std::size_t> lengths)
{
    return {static_cast<std::size_t>(x.shape[0]), static_cast<std::size_t>(x.shape[1]),
            static_cast<std::size_t>(x.shape[2]), floatsOf(x), std::move(lengths)};
}

Sequences Sequences::zeros(std::size_t width) const { return {steps, batch, width, Vector(steps * batch * width, 0)}; }

Vector partOf(const Array *array, std::size_t index, std::size_t parts)
{
    if (!array)
        return {};
    const Vector all = floatsOf(*array);
    const auto size = static_cast<std::ptrdiff_t>(all.size() / parts);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(index) * size;
    return {begin, begin + size};
}

std::optional<std::vector<State>> statesFrom(const Vector &hidden, const Vector &cell, std::size_t batch,
                                             const Direction &d)
{
    if ((!hidden.empty() && hidden.size() != batch * d.output) || (!cell.empty() && cell.size() != batch * d.hidden))
        return std::nullopt;
    std::vector<State> states(batch, State{Vector(d.output, 0), Vector(d.hidden, 0)});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t i = 0; i < d.output && !hidden.empty(); ++i)
            states[b].hidden[i] = hidden[b * d.output + i];
        for (std::size_t i = 0; i < d.hidden && !cell.empty(); ++i)
            states[b].cell[i] = cell[b * d.hidden + i];
    }
    return states;
}

void LastStates::add(const std::vector<State> &states)
{
    for (const State &state : states) {
        hidden.insert(hidden.end(), state.hidden.begin(), state.hidden.end());
        cell.insert(cell.end(), state.cell.begin(), state.cell.end());
    }
}

Array doubles(std::initializer_list<std::size_t> shape, Vector elements)
{
    return {ir::DType::Float64, Sizes(shape.begin(), shape.end()), std::move(elements)};
}

Array batchFirst(const Array &x)
{
    std::vector<std::size_t> order(x.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() > 1)
        std::swap(order[0], order[1]);
    return permuted(x, order);
}

} // namespace cutaway::compute
