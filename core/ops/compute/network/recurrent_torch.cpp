// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/recurrent.h"

#include <algorithm>

namespace cutaway::compute {

namespace {

Vector floatsOrNone(const Array *array) { return array ? floatsOf(*array) : Vector(); }

/// Returns a direction with these weights: input and recurrent weights, their biases, the projection; all but the
/// first two may be missing. Nothing if the weights are no matrices.
std::optional<Direction> torchDirection(Cell cell, const Array *w, const Array *r, const Array *wBias,
                                        const Array *rBias, const Array *projection)
{
    if (!hasRank(w, 2) || !hasRank(r, 2))
        return std::nullopt;
    Direction d;
    d.cell = cell;
    d.inputs = static_cast<std::size_t>(w->shape.back());
    d.output = static_cast<std::size_t>(r->shape.back());
    d.hidden = static_cast<std::size_t>(w->shape.front() / gatesOf(cell));
    d.input = floatsOf(*w);
    d.recurrent = floatsOf(*r);
    d.inputBias = floatsOrNone(wBias);
    d.recurrentBias = floatsOrNone(rBias);
    d.projection = floatsOrNone(projection);
    return d;
}

/// The state of a cell. An LSTM has two tensors, in a list; for other cells `cell` is nullptr.
struct StateArrays {
    const Array *hidden = nullptr, *cell = nullptr;
};

StateArrays statesAt(const Call &call, std::size_t position, Cell cell)
{
    if (cell != Cell::Lstm)
        return {call.array(position), nullptr};
    const auto states = call.arrays(position);
    return states && states->size() == 2 ? StateArrays{(*states)[0], (*states)[1]} : StateArrays{};
}

/// Stacked layers, as aten::lstm and similar operators have them.
struct Stack {
    Cell cell;
    std::size_t layers, directions;
    bool hasBiases, isBatchFirst;
    std::vector<const Array *> weights;
    StateArrays states;

    std::size_t directionCount() const { return layers * directions; }
    std::size_t perDirection() const { return weights.size() / directionCount(); }
    /// Returns the number of weights of a direction without a projection.
    std::size_t plain() const { return hasBiases ? 4 : 2; }
    /// Whether each direction has all of its weights, and perhaps a projection.
    bool isComplete() const
    {
        return states.hidden && perDirection() * directionCount() == weights.size()
            && (perDirection() == plain() || perDirection() == plain() + 1);
    }
    std::optional<Direction> direction(std::size_t index) const
    {
        const Array *const *own = &weights[index * perDirection()];
        return torchDirection(cell, own[0], own[1], hasBiases ? own[2] : nullptr, hasBiases ? own[3] : nullptr,
                              perDirection() > plain() ? own[plain()] : nullptr);
    }
};

std::optional<Stack> stackOf(const Call &call)
{
    const ops::TorchRecurrentArguments given = ops::torchRecurrentArguments(call.facts());
    auto weights = call.arrays(2);
    if (!areKnown(given.layers, given.hasBiases, given.isBidirectional, given.isBatchFirst, weights)
        || *given.layers < 1 || weights->empty() || given.isRandom != false || given.isPacked)
        return std::nullopt;
    Stack stack{given.cell,
                static_cast<std::size_t>(*given.layers),
                *given.isBidirectional ? 2U : 1U,
                *given.hasBiases,
                *given.isBatchFirst,
                std::move(*weights),
                statesAt(call, 1, given.cell)};
    return stack.isComplete() ? std::optional(std::move(stack)) : std::nullopt;
}

/// Returns the outputs of a layer, with those of its directions side by side. Its last states are added to `last`.
/// Nothing if weights or states do not fit, or directions differ in size from the `first` one.
std::optional<Sequences> outputsOf(const Stack &stack, std::size_t layer, const Direction &first,
                                   const Sequences &input, LastStates &last)
{
    std::optional<Sequences> outputs;
    for (std::size_t k = 0; k < stack.directions; ++k) {
        const std::size_t index = layer * stack.directions + k, all = stack.directionCount();
        const auto d = stack.direction(index);
        if (!d || !d->fits(input.features) || d->output != first.output || d->hidden != first.hidden)
            return std::nullopt;
        auto states =
            statesFrom(partOf(stack.states.hidden, index, all), partOf(stack.states.cell, index, all), input.batch, *d);
        if (!states)
            return std::nullopt;
        if (!outputs)
            outputs = input.zeros(d->output * stack.directions);
        run(*d, input, k == 1, *states, *outputs, k * d->output);
        last.add(*states);
    }
    return outputs;
}

} // namespace

Answer torchRecurrent(const Call &call)
{
    const Array *given = call.array(0);
    const auto stack = stackOf(call);
    const auto first = stack ? stack->direction(0) : std::nullopt;
    const bool isUnbatched = hasRank(given, 2);
    if (!first || (!isUnbatched && !hasRank(given, 3)))
        return std::nullopt;
    const bool isBatchFirst = stack->isBatchFirst && !isUnbatched;
    Array x = isBatchFirst ? batchFirst(*given) : *given;
    if (isUnbatched)
        x.shape.insert(x.shape.begin() + 1, 1);
    Sequences sequences = Sequences::of(x);
    LastStates last;
    for (std::size_t layer = 0; layer < stack->layers; ++layer) {
        auto outputs = outputsOf(*stack, layer, *first, sequences, last);
        if (!outputs)
            return std::nullopt;
        sequences = std::move(*outputs);
    }
    const std::size_t batch = sequences.batch, count = stack->directionCount();
    Array y = doubles({sequences.steps, batch, sequences.features}, std::move(sequences.elements));
    if (isBatchFirst)
        y = batchFirst(y);
    Array h = doubles({count, batch, first->output}, std::move(last.hidden));
    Array c = doubles({count, batch, first->hidden}, std::move(last.cell));
    if (isUnbatched)
        for (Array *array : {&y, &h, &c})
            array->shape.erase(array->shape.begin() + 1);
    Values results{Value(std::move(y)), Value(std::move(h))};
    if (stack->cell == Cell::Lstm)
        results.emplace_back(std::move(c));
    return results;
}

/// Computes one step of a cell from its input, state, input weights, recurrent weights and biases; the state of an LSTM
/// is two tensors.
Answer recurrentCell(const Call &call)
{
    const Cell cell = ops::torchCell(call.facts().name());
    const Array *x = call.array(0);
    const auto [h, c] = statesAt(call, 1, cell);
    const auto d =
        torchDirection(cell, call.array("w_ih"), call.array("w_hh"), call.array("b_ih"), call.array("b_hh"), nullptr);
    if (!areKnown(h, d) || (!hasRank(x, 1) && !hasRank(x, 2)) || call.isUnknown("b_ih") || call.isUnknown("b_hh"))
        return std::nullopt;
    const std::size_t batch = hasRank(x, 2) ? static_cast<std::size_t>(x->shape[0]) : 1;
    const Vector input = floatsOf(*x);
    if (!d->fits(static_cast<std::size_t>(x->shape.back())))
        return std::nullopt;
    auto states = statesFrom(floatsOf(*h), floatsOrNone(c), batch, *d);
    if (!states)
        return std::nullopt;
    for (std::size_t b = 0; b < batch; ++b)
        step(*d, &input[b * d->inputs], (*states)[b]);
    LastStates last;
    last.add(*states);
    Values results{Array{ir::DType::Float64, h->shape, std::move(last.hidden)}};
    if (cell == Cell::Lstm)
        results.emplace_back(Array{ir::DType::Float64, c->shape, std::move(last.cell)});
    return results;
}

} // namespace cutaway::compute
