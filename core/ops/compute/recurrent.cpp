// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network_rules.h"
#include "core/ops/compute/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

// One direction of one layer is computed step by step, for one sequence of the batch after the other. Gates are in
// PyTorch's order (LSTM: input, forget, cell, output; GRU: reset, update, new); ONNX's are put into it.

namespace cutaway::compute {

namespace {

using Vector = std::vector<double>;

enum class Cell : std::uint8_t { Lstm, Gru, Tanh, Relu };

std::int64_t gatesOf(Cell cell) { return cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1; }

/// The weights of one direction of one layer, rows by gate.
struct Direction {
    Cell cell = Cell::Tanh;
    std::size_t inputs = 0, hidden = 0, output = 0;
    Vector input, recurrent, inputBias, recurrentBias; ///< biases may be empty
    Vector projection;                                 ///< of an LSTM's hidden state; empty: it has none
    Vector peephole;                                   ///< input, output, forget; empty: it has none
    bool resetsBefore = false;                         ///< GRU: the state is reset before the product, not after it
    bool couplesForget = false;                        ///< LSTM: the forget gate is 1 less the input gate
};

struct State {
    Vector hidden, cell;
};

/// weight · x + bias, added to `sums`
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

/// Whether the weights and biases are as large as their direction needs, for inputs of so many features.
bool fits(const Direction &d, std::size_t features)
{
    const std::size_t rows = static_cast<std::size_t>(gatesOf(d.cell)) * d.hidden;
    const auto isBias = [&](const Vector &bias) { return bias.empty() || bias.size() == rows; };
    return d.inputs == features && d.input.size() == rows * d.inputs && d.recurrent.size() == rows * d.output
        && isBias(d.inputBias) && isBias(d.recurrentBias) && (d.peephole.empty() || d.peephole.size() == 3 * d.hidden)
        && (d.projection.empty() ? d.output == d.hidden : d.projection.size() == d.output * d.hidden);
}

/// Inputs [steps, batch, features]; results are put at `at` of the features of `outputs`, which has `width`.
struct Sequences {
    std::size_t steps, batch, features;
    Vector elements;
    std::vector<std::size_t> lengths = {}; ///< by batch index; empty: all steps. Later elements stay as they are.

    std::size_t lengthOf(std::size_t b) const { return lengths.empty() ? steps : lengths[b]; }
};

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

/// The sequences of a tensor [steps, batch, features].
Sequences sequencesOf(const Array &x, std::vector<std::size_t> lengths = {})
{
    return {static_cast<std::size_t>(x.shape[0]), static_cast<std::size_t>(x.shape[1]),
            static_cast<std::size_t>(x.shape[2]), floatsOf(x), std::move(lengths)};
}

Sequences noOutputs(const Sequences &input, std::size_t width)
{
    return {input.steps, input.batch, width, Vector(input.steps * input.batch * width, 0)};
}

/// The `index`-th part of a tensor's first dimension.
Vector partOf(const Array *array, std::size_t index, std::size_t parts)
{
    if (!array)
        return {};
    const Vector all = floatsOf(*array);
    const auto size = static_cast<std::ptrdiff_t>(all.size() / parts);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(index) * size;
    return {begin, begin + size};
}

/// Zeros where a state is empty; nothing if one is of another size than the batch and the direction need.
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

/// The states behind the last steps, of one direction after the other.
struct LastStates {
    Vector hidden, cell;

    void add(const std::vector<State> &states)
    {
        for (const State &state : states) {
            hidden.insert(hidden.end(), state.hidden.begin(), state.hidden.end());
            cell.insert(cell.end(), state.cell.begin(), state.cell.end());
        }
    }
};

Array doubles(Sizes shape, Vector elements) { return {ir::DType::Float64, std::move(shape), std::move(elements)}; }

std::int64_t whole(std::size_t x) { return static_cast<std::int64_t>(x); }

/// With dimensions 0 and 1 exchanged.
Array batchFirst(const Array &x)
{
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < x.shape.size(); ++d)
        order.push_back(d);
    std::swap(order[0], order[1]);
    return permuted(x, order);
}

} // namespace

// ---- ONNX

namespace {

/// Rows by gate in another order.
Vector inOrder(const Vector &rows, std::span<const std::size_t> order)
{
    Vector result;
    const auto size = static_cast<std::ptrdiff_t>(rows.size() / order.size());
    for (const std::size_t gate : order) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(gate) * size;
        result.insert(result.end(), begin, begin + size);
    }
    return result;
}

/// Where PyTorch's gates stand in ONNX's: input, output, forget, cell; update, reset, new.
std::vector<std::size_t> onnxGates(Cell cell)
{
    if (cell == Cell::Lstm)
        return {0, 2, 3, 1};
    return cell == Cell::Gru ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{0};
}

/// Whether the activations are those that are computed; RNN may have Relu.
std::optional<Cell> cellOf(const Call &call, std::size_t directions)
{
    const std::string_view name = call.facts().name();
    const Cell cell = name == "LSTM" ? Cell::Lstm : name == "GRU" ? Cell::Gru : Cell::Tanh;
    const auto *list = call.facts()["activations"].as<ops::SequenceFact>();
    if (!list)
        return call.facts().has("activations") ? std::nullopt : std::optional(cell);
    std::vector<std::string> own;
    for (const ops::Fact &item : list->each())
        own.push_back(item.as<ops::TextFact>() ? item.as<ops::TextFact>()->text : "");
    const auto isAll = [&](std::vector<std::string> one) {
        std::vector<std::string> expected;
        for (std::size_t i = 0; i < directions; ++i)
            expected.insert(expected.end(), one.begin(), one.end());
        return std::ranges::equal(own, expected, [](std::string a, std::string b) {
            std::ranges::transform(a, a.begin(), [](unsigned char c) { return std::tolower(c); });
            std::ranges::transform(b, b.begin(), [](unsigned char c) { return std::tolower(c); });
            return a == b;
        });
    };
    if (cell == Cell::Lstm)
        return isAll({"Sigmoid", "Tanh", "Tanh"}) ? std::optional(cell) : std::nullopt;
    if (cell == Cell::Gru)
        return isAll({"Sigmoid", "Tanh"}) ? std::optional(cell) : std::nullopt;
    return isAll({"Tanh"}) ? std::optional(Cell::Tanh) : isAll({"Relu"}) ? std::optional(Cell::Relu) : std::nullopt;
}

Direction onnxDirection(const Call &call, Cell cell, std::size_t index, std::size_t count)
{
    Direction d;
    d.cell = cell;
    const Array *w = call.array(1), *r = call.array(2), *b = call.array(3);
    const auto gates = onnxGates(cell);
    d.hidden = d.output = static_cast<std::size_t>(r->shape[2]);
    d.inputs = static_cast<std::size_t>(w->shape[2]);
    d.input = inOrder(partOf(w, index, count), gates);
    d.recurrent = inOrder(partOf(r, index, count), gates);
    const Vector both = partOf(b, index, count);
    const auto half = static_cast<std::ptrdiff_t>(both.size() / 2);
    if (b) {
        d.inputBias = inOrder({both.begin(), both.begin() + half}, gates);
        d.recurrentBias = inOrder({both.begin() + half, both.end()}, gates);
    }
    if (cell == Cell::Lstm)
        d.peephole = partOf(call.array(7), index, count);
    d.resetsBefore = cell == Cell::Gru && call.integer("", "linear_before_reset", 0) == 0;
    d.couplesForget = cell == Cell::Lstm && call.integer("", "input_forget", 0) != 0;
    return d;
}

/// Nothing if they are not known, or not lengths of sequences.
std::optional<std::vector<std::size_t>> lengthsOf(const Call &call, const Array &x)
{
    std::vector<std::size_t> lengths;
    if (!call.facts().has(4))
        return lengths;
    const Array *given = call.array(4);
    if (!given || !given->isWhole() || given->shape != Sizes{x.shape[1]})
        return std::nullopt;
    for (const Whole length : given->as<Whole>()) {
        if (length < 1 || length > x.shape[0])
            return std::nullopt;
        lengths.push_back(static_cast<std::size_t>(length));
    }
    return lengths;
}

/// The arguments of onnx::LSTM, GRU and RNN without their weights.
struct OnnxRecurrent {
    Cell cell;
    bool isBatchFirst;
    bool isReverse; ///< it has one direction, which goes backward
    std::size_t directions, hidden;
    Sequences input;
    std::optional<Array> hiddenState, cellState; ///< [directions, batch, hidden]
};

std::optional<OnnxRecurrent> onnxRecurrentOf(const Call &call)
{
    const Array *given = call.array(0), *w = call.array(1), *r = call.array(2);
    const auto layout = call.integer("", "layout", 0);
    if (!hasRank(given, 3) || !hasRank(w, 3) || !hasRank(r, 3) || !layout || call.facts().has("clip")
        || w->shape[0] != r->shape[0])
        return std::nullopt;
    if (std::ranges::any_of(std::array{3U, 5U, 6U, 7U}, [&](std::size_t position) { return call.isUnknown(position); }))
        return std::nullopt;
    const bool isBatchFirst = *layout != 0;
    const auto directions = static_cast<std::size_t>(w->shape[0]);
    const std::string_view direction = call.facts().text("direction");
    const auto cell = cellOf(call, directions);
    const Array x = isBatchFirst ? batchFirst(*given) : *given;
    auto lengths = lengthsOf(call, x);
    if (!cell || !lengths || (direction == "bidirectional") != (directions == 2))
        return std::nullopt;
    const auto stateAt = [&](std::size_t position) -> std::optional<Array> {
        const Array *state = call.array(position);
        return state ? std::optional(isBatchFirst ? batchFirst(*state) : *state) : std::nullopt;
    };
    return OnnxRecurrent{*cell,
                         isBatchFirst,
                         direction == "reverse",
                         directions,
                         static_cast<std::size_t>(r->shape[2]),
                         sequencesOf(x, std::move(*lengths)),
                         stateAt(5),
                         *cell == Cell::Lstm ? stateAt(6) : std::nullopt};
}

} // namespace

Answer recurrent(const Call &call)
{
    const auto layer = onnxRecurrentOf(call);
    if (!layer)
        return std::nullopt;
    const auto &[cell, isBatchFirst, isReverse, count, hidden, input, h, c] = *layer;
    Vector all(input.steps * count * input.batch * hidden);
    LastStates last;
    for (std::size_t i = 0; i < count; ++i) {
        const Direction d = onnxDirection(call, cell, i, count);
        if (!fits(d, input.features))
            return std::nullopt;
        auto states =
            statesFrom(partOf(h ? &*h : nullptr, i, count), partOf(c ? &*c : nullptr, i, count), input.batch, d);
        if (!states)
            return std::nullopt;
        Sequences own = noOutputs(input, hidden);
        run(d, input, i == 1 || isReverse, *states, own, 0);
        for (std::size_t t = 0; t < input.steps; ++t)
            std::copy_n(own.elements.begin() + static_cast<std::ptrdiff_t>(t * input.batch * hidden),
                        input.batch * hidden,
                        all.begin() + static_cast<std::ptrdiff_t>((t * count + i) * input.batch * hidden));
        last.add(*states);
    }
    const Sizes states{whole(count), whole(input.batch), whole(hidden)};
    Array y = doubles({whole(input.steps), whole(count), whole(input.batch), whole(hidden)}, std::move(all));
    Array yh = doubles(states, std::move(last.hidden)), yc = doubles(states, std::move(last.cell));
    if (isBatchFirst) {
        y = permuted(y, std::array<std::size_t, 4>{2, 0, 1, 3});
        yh = batchFirst(yh);
        yc = batchFirst(yc);
    }
    Values results{Value(std::move(y)), Value(std::move(yh)), Value(std::move(yc))};
    results.resize(std::min<std::size_t>(std::max<std::size_t>(call.resultCount(), 1), cell == Cell::Lstm ? 3 : 2));
    return results;
}

// ---- PyTorch

namespace {

Cell torchCell(std::string_view name)
{
    return name.contains("lstm") ? Cell::Lstm
        : name.contains("gru")   ? Cell::Gru
        : name.contains("relu")  ? Cell::Relu
                                 : Cell::Tanh;
}

Vector floatsOrNone(const Array *array) { return array ? floatsOf(*array) : Vector(); }

/// Input and recurrent weights, their biases, the projection; any but the first two may be missing. Nothing if the
/// weights are no matrices.
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

/// The state of a cell: an LSTM has two, in a list. The second one is nullptr where there is none.
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

/// Layers above each other, as aten::lstm and the like have them.
struct Stack {
    Cell cell;
    std::size_t layers, directions;
    bool hasBiases, isBatchFirst;
    std::vector<const Array *> weights;
    StateArrays states;

    std::size_t directionCount() const { return layers * directions; }
    std::size_t perDirection() const { return weights.size() / directionCount(); }
    /// The weights of a direction but for a projection.
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
    const Cell cell = torchCell(call.facts().name());
    const auto layers = call.facts().integer("num_layers");
    const auto biases = call.facts().flag("has_biases"), twoWays = call.facts().flag("bidirectional"),
               batchIsFirst = call.facts().flag("batch_first"), trains = call.facts().flag("train");
    const auto dropout = call.facts().floating("dropout");
    auto weights = call.arrays(2);
    if (!areKnown(layers, biases, twoWays, batchIsFirst, trains, dropout, weights) || *layers < 1 || weights->empty())
        return std::nullopt;
    const bool dropsSome = *trains && *dropout != 0 && *layers > 1;
    if (dropsSome || call.facts().has("batch_sizes"))
        return std::nullopt;
    Stack stack{cell,
                static_cast<std::size_t>(*layers),
                *twoWays ? 2U : 1U,
                *biases,
                *batchIsFirst,
                std::move(*weights),
                statesAt(call, 1, cell)};
    return stack.isComplete() ? std::optional(std::move(stack)) : std::nullopt;
}

/// The outputs of a layer, those of its directions beside each other. Its last states are added to `last`. Nothing if
/// weights or states do not fit, or directions differ in size from the `first` one.
std::optional<Sequences> outputsOf(const Stack &stack, std::size_t layer, const Direction &first,
                                   const Sequences &input, LastStates &last)
{
    std::optional<Sequences> outputs;
    for (std::size_t k = 0; k < stack.directions; ++k) {
        const std::size_t index = layer * stack.directions + k, all = stack.directionCount();
        const auto d = stack.direction(index);
        if (!d || !fits(*d, input.features) || d->output != first.output || d->hidden != first.hidden)
            return std::nullopt;
        auto states =
            statesFrom(partOf(stack.states.hidden, index, all), partOf(stack.states.cell, index, all), input.batch, *d);
        if (!states)
            return std::nullopt;
        if (!outputs)
            outputs = noOutputs(input, d->output * stack.directions);
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
    Sequences sequences = sequencesOf(x);
    LastStates last;
    for (std::size_t layer = 0; layer < stack->layers; ++layer) {
        auto outputs = outputsOf(*stack, layer, *first, sequences, last);
        if (!outputs)
            return std::nullopt;
        sequences = std::move(*outputs);
    }
    const std::int64_t batch = whole(sequences.batch), count = whole(stack->directionCount());
    Array y = doubles({whole(sequences.steps), batch, whole(sequences.features)}, std::move(sequences.elements));
    if (isBatchFirst)
        y = batchFirst(y);
    Array h = doubles({count, batch, whole(first->output)}, std::move(last.hidden));
    Array c = doubles({count, batch, whole(first->hidden)}, std::move(last.cell));
    if (isUnbatched)
        for (Array *array : {&y, &h, &c})
            array->shape.erase(array->shape.begin() + 1);
    Values results{Value(std::move(y)), Value(std::move(h))};
    if (stack->cell == Cell::Lstm)
        results.emplace_back(std::move(c));
    return results;
}

/// (input, state, input weights, recurrent weights, biases); an LSTM gives and takes two states.
Answer recurrentCell(const Call &call)
{
    const Cell cell = torchCell(call.facts().name());
    const Array *x = call.array(0);
    const auto [h, c] = statesAt(call, 1, cell);
    const auto d =
        torchDirection(cell, call.array("w_ih"), call.array("w_hh"), call.array("b_ih"), call.array("b_hh"), nullptr);
    if (!areKnown(h, d) || (!hasRank(x, 1) && !hasRank(x, 2)) || call.isUnknown("b_ih") || call.isUnknown("b_hh"))
        return std::nullopt;
    const std::size_t batch = hasRank(x, 2) ? static_cast<std::size_t>(x->shape[0]) : 1;
    const Vector input = floatsOf(*x);
    if (!fits(*d, static_cast<std::size_t>(x->shape.back())))
        return std::nullopt;
    auto states = statesFrom(floatsOf(*h), floatsOrNone(c), batch, *d);
    if (!states)
        return std::nullopt;
    for (std::size_t b = 0; b < batch; ++b)
        step(*d, &input[b * d->inputs], (*states)[b]);
    LastStates last;
    last.add(*states);
    Values results{doubles(h->shape, std::move(last.hidden))};
    if (cell == Cell::Lstm)
        results.emplace_back(doubles(c->shape, std::move(last.cell)));
    return results;
}

} // namespace cutaway::compute
