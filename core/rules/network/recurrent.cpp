// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/recurrent_arguments.h"
#include "core/rules/rules.h"

#include <algorithm>

// Recurrent networks of a known length become their steps. The part of all steps that depends on the input alone is one
// product, as in torch/_decomp's one_layer_lstm() and one_layer_rnn().

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

constexpr std::int64_t maxSteps = 2048; ///< limit of steps: each is some ten nodes, and larger graphs are of no use

/// The weights of one layer in one direction.
struct CellWeights {
    Term input, hidden, inputBias, hiddenBias;
    std::optional<Term> projection;
};

/// Computes the state after a step from the state before it: the hidden state first, then the cell's.
using CellStep = std::vector<Term> (*)(D &d, const Term &input, const std::vector<Term> &state, const CellWeights &w);

Term gate(D &d, const Term &gates, std::size_t count, std::size_t index)
{
    const auto known = d.tensor(gates);
    if (known.rank() == 0)
        return gates;
    const std::int64_t size = d.known(ops::number(known.shape.back()), "the size of its gates is");
    const std::int64_t part = size / static_cast<std::int64_t>(count), start = part * static_cast<std::int64_t>(index);
    return slice(gates, known.rank() - 1, start, start + part);
}

Term ofHidden(D &d, const std::vector<Term> &state, const CellWeights &w)
{
    return d.make("linear", {state[0], w.hidden, w.hiddenBias});
}

std::vector<Term> lstmStep(D &d, const Term &input, const std::vector<Term> &state, const CellWeights &w)
{
    const Term gates = ofHidden(d, state, w) + input;
    const Term in = applied("sigmoid", gate(d, gates, 4, 0)), forget = applied("sigmoid", gate(d, gates, 4, 1));
    const Term fresh = applied("tanh", gate(d, gates, 4, 2)), out = applied("sigmoid", gate(d, gates, 4, 3));
    const Term kept = forget * state[1], cell = kept + in * fresh;
    const Term hidden = out * applied("tanh", cell);
    return {w.projection ? d.make("linear", {hidden, *w.projection}) : hidden, cell};
}

std::vector<Term> gruStep(D &d, const Term &input, const std::vector<Term> &state, const CellWeights &w)
{
    const Term hidden = ofHidden(d, state, w);
    const auto opened = [&](std::size_t i) {
        const Term ofInput = gate(d, input, 3, i), ofState = gate(d, hidden, 3, i);
        return applied("sigmoid", ofInput + ofState);
    };
    const Term reset = opened(0), update = opened(1);
    const Term ofInput = gate(d, input, 3, 2), ofState = gate(d, hidden, 3, 2);
    const Term fresh = applied("tanh", ofInput + ofState * reset);
    return {(state[0] - fresh) * update + fresh};
}

std::vector<Term> tanhStep(D &d, const Term &input, const std::vector<Term> &state, const CellWeights &w)
{
    return {applied("tanh", ofHidden(d, state, w) + input)};
}

std::vector<Term> reluStep(D &d, const Term &input, const std::vector<Term> &state, const CellWeights &w)
{
    return {applied("relu", ofHidden(d, state, w) + input)};
}

class Recurrence {
public:
    Recurrence(D &d, CellStep step, const ops::TorchRecurrentArguments &given, std::int64_t steps)
        : m_d(d),
          m_step(step),
          m_given(given),
          m_steps(steps)
    {
    }

    /// Runs the layers over [sequence, batch, size], and returns the last layer's output at each step. `states` are the
    /// initial states; `last` gets the final ones.
    Term run(Term x, const std::vector<Term> &states);
    std::vector<std::vector<Term>> last; ///< by state: one term per layer and direction

private:
    void readWeights(std::size_t directions);
    Term direction(const Term &x, const CellWeights &w, std::vector<Term> state, bool isReversed);

    D &m_d;
    CellStep m_step;
    const ops::TorchRecurrentArguments &m_given;
    std::int64_t m_steps;
    std::vector<CellWeights> m_weights; ///< by layer and direction
};

void Recurrence::readWeights(std::size_t directions)
{
    const auto params = m_d.items("params");
    const bool hasBiases = m_d.known(m_given.hasBiases, "'has_biases' is");
    const std::int64_t layers = m_d.known(m_given.layers, "'num_layers' is");
    const std::size_t cells = directions * static_cast<std::size_t>(std::max<std::int64_t>(layers, 0));
    const std::size_t fullCount = hasBiases ? 4 : 2, perCell = cells == 0 ? 0 : params.size() / cells;
    if (params.size() != cells * perCell || (perCell != fullCount && perCell != fullCount + 1)) {
        m_d.refuse("its weights are not known");
        return;
    }
    for (std::size_t i = 0; i < cells; ++i) {
        const auto own = std::span(params).subspan(i * perCell, perCell);
        const Term none = m_d.term({});
        m_weights.push_back({own[0], own[1], hasBiases ? own[2] : none, hasBiases ? own[3] : none,
                             perCell > fullCount ? std::optional(own.back()) : std::nullopt});
    }
}

Term Recurrence::direction(const Term &x, const CellWeights &w, std::vector<Term> state, bool isReversed)
{
    const Term inputs = m_d.make("linear", {x, w.input, w.inputBias});
    std::vector<Term> outputs(static_cast<std::size_t>(m_steps));
    for (std::int64_t i = 0; i < m_steps; ++i) {
        const std::int64_t at = isReversed ? m_steps - 1 - i : i;
        state = m_step(m_d, m_d.make("select.int", {inputs, 0, at}), state, w);
        outputs[static_cast<std::size_t>(at)] = unsqueeze(state.front(), 0);
    }
    for (std::size_t i = 0; i < state.size(); ++i)
        last[i].push_back(unsqueeze(state[i], 0));
    return concat(outputs, 0);
}

Term Recurrence::run(Term x, const std::vector<Term> &states)
{
    const std::size_t directions = m_d.known(m_given.isBidirectional, "'bidirectional' is") ? 2 : 1;
    readWeights(directions);
    last.resize(states.size());
    for (std::size_t cell = 0; cell < m_weights.size() && !m_d.isRefused(); cell += directions) {
        std::vector<Term> made;
        for (std::size_t side = 0; side < directions; ++side) {
            std::vector<Term> own;
            for (const Term &state : states)
                own.push_back(m_d.make("select.int", {state, 0, static_cast<std::int64_t>(cell + side)}));
            made.push_back(direction(x, m_weights[cell + side], std::move(own), side == 1));
        }
        x = directions == 1 ? made.front() : concat(made, 2);
    }
    return x;
}

Parts recurrence(D &d, CellStep step, const std::vector<Term> &states)
{
    const auto known = d.tensor("input");
    const ops::TorchRecurrentArguments given = ops::torchRecurrentArguments(d.call());
    if (known.rank() != 3 || given.isPacked || states.size() + 1 != d.resultCount())
        return d.refuse("its sequences are packed, or its states not known");
    const bool isBatchFirst = d.known(given.isBatchFirst, "'batch_first' is");
    const auto steps = ops::number(known.shape[isBatchFirst ? 1 : 0]);
    if (!steps || *steps < 1 || *steps > maxSteps)
        return d.refuse("how many steps it has is not known, or they are too many");
    if (d.known(given.isRandom, "whether it drops random elements is"))
        return d.refuse("it draws random numbers in training");
    Recurrence network(d, step, given, *steps);
    const Term output = network.run(isBatchFirst ? permute(d["input"], {1, 0, 2}) : d["input"], states);
    if (d.isRefused())
        return {};
    Parts parts{isBatchFirst ? permute(output, {1, 0, 2}) : output};
    for (const std::vector<Term> &state : network.last)
        parts.emplace_back(concat(state, 0));
    return parts;
}

Parts oneState(D &d, CellStep step) { return recurrence(d, step, {d["hx"]}); }

/// Computes a single step of a cell.
Parts cellOf(D &d, CellStep step, const std::vector<Term> &states)
{
    const CellWeights weights{d["w_ih"], d["w_hh"], d["b_ih"], d["b_hh"], {}};
    const auto made = step(d, d.make("linear", {d["input"], weights.input, weights.inputBias}), states, weights);
    return {made.begin(), made.end()};
}

/// Makes an LSTM by `make`. It has two states: the hidden one and the cell's.
Parts ofLstm(D &d, Parts (*make)(D &d, CellStep step, const std::vector<Term> &states))
{
    const std::vector<Term> states = d.items("hx");
    return states.size() == 2 ? make(d, lstmStep, states) : d.refuse("its states are not known");
}

constexpr DecompositionRule recurrentDecompositions[] = {
    {"aten::gru", [](D &d) { return oneState(d, gruStep); }},
    {"aten::gru_cell", [](D &d) { return cellOf(d, gruStep, {d["hx"]}); }},
    {"aten::lstm", [](D &d) { return ofLstm(d, recurrence); }},
    {"aten::lstm_cell", [](D &d) { return ofLstm(d, cellOf); }},
    {"aten::rnn_relu", [](D &d) { return oneState(d, reluStep); }},
    {"aten::rnn_relu_cell", [](D &d) { return cellOf(d, reluStep, {d["hx"]}); }},
    {"aten::rnn_tanh", [](D &d) { return oneState(d, tanhStep); }},
    {"aten::rnn_tanh_cell", [](D &d) { return cellOf(d, tanhStep, {d["hx"]}); }},
};

// ---- from ONNX
//
// ONNX keeps the weights of all directions in one tensor.

using N = OnnxNode;

/// A network that torch can compute.
struct Network {
    ops::RecurrentCell cell;
    std::int64_t directions, hidden;
    bool isReverse, isBatchFirst;
    ir::Dim steps, batch;
};

/// Returns why torch's networks cannot compute the node, "" if they can. They need whole sequences and the default
/// functions, have neither limits nor peepholes, and apply the reset gate only after the product.
std::string_view whyNotTorchs(N &n, const ops::OnnxRecurrentArguments &given)
{
    if (n.has(4))
        return "its sequences have lengths of their own";
    if (n.has(7))
        return "it has peepholes";
    if (given.isClipped)
        return "it limits what the activations get";
    if (given.couplesForget != false)
        return "its input and forget gates are one";
    if (!given.cell)
        return "its activations are not torch's";
    const bool isGru = given.cell == ops::RecurrentCell::Gru;
    return isGru && given.resetsBefore != false ? "it resets the state before the product, and torch behind it" : "";
}

std::optional<Network> networkOf(N &n)
{
    const ops::OnnxRecurrentArguments given = ops::onnxRecurrentArguments(n.call());
    const auto x = n.knownTensor(0), r = n.knownTensor(2);
    const auto hidden = r && r->rank() == 3 ? ops::number(r->shape[2]) : std::nullopt;
    if (const std::string_view reason = whyNotTorchs(n, given); !reason.empty()) {
        n.refuse(std::string(reason));
        return std::nullopt;
    }
    if (!x || x->rank() != 3 || !hidden)
        return std::nullopt;
    const bool isBatchFirst = n.known(given.isBatchFirst, "its layout is");
    const std::size_t steps = isBatchFirst ? 1 : 0;
    return Network{*given.cell,     given.directions(), *hidden, given.isReverse, isBatchFirst,
                   x->shape[steps], x->shape[1 - steps]};
}

/// Returns the part of one direction in a tensor, with gates in torch's order. `first`: the number of gates to pass
/// over.
Term ordered(N &n, const Term &all, std::int64_t direction, const Network &network, std::size_t first = 0)
{
    const Term one = n.make("select.int", {all, 0, direction});
    std::vector<Term> parts;
    for (const std::size_t gate : ops::onnxGates(network.cell)) {
        const auto start = static_cast<std::int64_t>(first + gate) * network.hidden;
        parts.push_back(slice(one, 0, start, start + network.hidden));
    }
    return parts.size() == 1 ? parts.front() : n.make("cat", {N::list(parts), 0});
}

std::vector<Term> weightsOf(N &n, const Network &network)
{
    std::vector<Term> all;
    for (std::int64_t direction = 0; direction < network.directions; ++direction) {
        all.push_back(ordered(n, n[1], direction, network));
        all.push_back(ordered(n, n[2], direction, network));
        if (!n.has(3))
            continue;
        all.push_back(ordered(n, n[3], direction, network));
        all.push_back(ordered(n, n[3], direction, network, ops::onnxGates(network.cell).size()));
    }
    return all;
}

/// Exchanges the first two dimensions if the batch is the first one.
Term stepsFirst(const Term &x, const Network &network) { return network.isBatchFirst ? transposed(x, 0, 1) : x; }

Term stateOf(N &n, std::size_t position, const Network &network)
{
    if (n.has(position))
        return stepsFirst(n[position], network);
    const ir::Shape shape{network.directions, network.batch, network.hidden};
    return n.full(shape, ir::Operand(0.0), n.dtype(n[0]));
}

/// [steps, batch, directions * hidden] as [steps, directions, batch, hidden], or [batch, steps, directions, hidden].
Term byDirection(const Term &y, const Network &network)
{
    const Term apart = reshape(y, {network.steps, network.batch, network.directions, network.hidden});
    return network.isBatchFirst ? permute(apart, {1, 0, 2, 3}) : permute(apart, {0, 2, 1, 3});
}

AtenName operatorOf(ops::RecurrentCell cell)
{
    switch (cell) {
    case ops::RecurrentCell::Lstm:
        return "lstm.input";
    case ops::RecurrentCell::Gru:
        return "gru.input";
    case ops::RecurrentCell::Tanh:
        return "rnn_tanh.input";
    case ops::RecurrentCell::Relu:
        break;
    }
    return "rnn_relu.input";
}

Parts recurrent(N &n)
{
    const auto network = networkOf(n);
    if (!network)
        return {};
    const bool hasCellState = network->cell == ops::RecurrentCell::Lstm;
    const auto turned = [&](const Term &x) { return network->isReverse ? n.make("flip", {x, N::list({0})}) : x; };
    const Term hidden = stateOf(n, 5, *network);
    const ir::Operand states = hasCellState ? N::list(std::vector{hidden, stateOf(n, 6, *network)}) : hidden.operand;
    const std::vector<Term> made =
        n.makeAll(operatorOf(network->cell),
                  {turned(stepsFirst(n[0], *network)), states, N::list(weightsOf(n, *network)), n.has(3), 1,
                   ir::Operand(0.0), false, network->directions == 2, false},
                  hasCellState ? 3 : 2);
    Parts parts{byDirection(turned(made[0]), *network)};
    for (std::size_t i = 1; i < n.resultCount() && i < made.size(); ++i)
        parts.push_back(stepsFirst(made[i], *network));
    return parts;
}

constexpr OnnxLowering recurrentLowerings[] = {
    {"onnx::GRU onnx::LSTM onnx::RNN", recurrent},
};

} // namespace

} // namespace cutaway::rules::to_aten

// Each layer is one node for both directions. ONNX has no packed sequences: a node gets all sequences padded to the
// longest, with the length of each.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

/// Returns a weight with its gates in ONNX's order.
Term reordered(L &l, const Term &weight, ops::RecurrentCell cell, std::int64_t hidden)
{
    const auto order = ops::torchGates(cell);
    if (order.size() == 1)
        return weight;
    const std::vector<std::int64_t> sizes(order.size(), hidden);
    const auto gates = l.makeAll("Split", {weight, l.ints(sizes)}, {{"axis", std::int64_t{0}}},
                                 std::vector(order.size(), weight.dtype));
    std::vector<Term> turned;
    for (const std::size_t gate : order)
        turned.push_back(gates[gate]);
    return concat(turned, 0);
}

/// The weights for a layer's node; each tensor has those of all directions.
struct LayerWeights {
    Term input, hidden, bias;
};

LayerWeights layerWeights(L &l, std::span<const Term> params, std::size_t directions, bool hasBiases,
                          ops::RecurrentCell cell, std::int64_t hidden)
{
    std::vector<Term> input, state, bias;
    const std::size_t each = hasBiases ? 4 : 2;
    for (std::size_t i = 0; i < directions; ++i) {
        const auto own = params.subspan(i * each, each);
        input.push_back(unsqueeze(reordered(l, own[0], cell, hidden), {0}));
        state.push_back(unsqueeze(reordered(l, own[1], cell, hidden), {0}));
        if (hasBiases)
            bias.push_back(
                unsqueeze(concat({reordered(l, own[2], cell, hidden), reordered(l, own[3], cell, hidden)}, 0), {0}));
    }
    return {concat(input, 0), concat(state, 0), hasBiases ? concat(bias, 0) : l.none()};
}

Term partOf(const Term &states, std::int64_t layer, std::int64_t directions)
{
    return slice(states, 0, layer * directions, (layer + 1) * directions);
}

L::Attributes layerAttributes(L &l, ops::RecurrentCell cell, std::int64_t hidden, bool isBidirectional)
{
    const auto word = [&](std::string_view text) { return ir::String{l.graph().context().name(text)}; };
    L::Attributes made{{"hidden_size", hidden}, {"direction", word(isBidirectional ? "bidirectional" : "forward")}};
    if (cell == ops::RecurrentCell::Gru)
        made.emplace_back("linear_before_reset", std::int64_t{1});
    if (cell == ops::RecurrentCell::Tanh || cell == ops::RecurrentCell::Relu) {
        const ir::Operand activation = word(cell == ops::RecurrentCell::Relu ? "Relu" : "Tanh");
        made.emplace_back("activations", ir::List{std::vector(isBidirectional ? 2 : 1, activation)});
    }
    return made;
}

/// The positions in [step, sequence] at which packed sequences have rows; the longest sequence is the first one.
struct PackedRows {
    Term isThere; ///< [step, sequence]: whether the sequence has that step
    Term lengths;

    /// Returns packed rows as [step, sequence, …], with some other row for each step that a sequence does not have.
    Term spread(L &l, const Term &data) const
    {
        const Term counts =
            l.make("CumSum", {cast(reshape(isThere, {-1}), ir::DType::Int64), l.scalar(std::int64_t{0})});
        const Term places = l.make("Max", {counts - l.scalar(std::int64_t{1}), l.scalar(std::int64_t{0})});
        return l.make("Gather", {data, reshape(places, shapeOf(isThere))}, {{"axis", std::int64_t{0}}});
    }

    /// Returns the rows of [step, sequence, …] that a sequence has, one after the other.
    Term packed(L &l, const Term &x) const
    {
        const Term rank = sizeOf(shapeOf(x), 0);
        const Term two = l.scalar(std::int64_t{2});
        const Term rest = slice(shapeOf(x), 0, two, rank);
        return l.make("Compress", {reshape(x, concat({l.ints({-1}), rest}, 0)), reshape(isThere, {-1})},
                      {{"axis", std::int64_t{0}}});
    }
};

Term from0To(L &l, const Term &end)
{
    return l.make("Range", {l.scalar(std::int64_t{0}), end, l.scalar(std::int64_t{1})}, {}, ir::DType::Int64);
}

/// Returns which sequence has which step, from the number of sequences at each step.
PackedRows rowsOfSteps(L &l, const Term &batchSizes)
{
    const Term first = l.make("Gather", {batchSizes, l.scalar(std::int64_t{0})}, {{"axis", std::int64_t{0}}});
    const Term sequences = from0To(l, first);
    const Term isThere = compared("Less", sequences, unsqueeze(batchSizes, {1}));
    return {isThere, reduce("ReduceSum", cast(isThere, ir::DType::Int64), {0}, false)};
}

Results packRule(L &l)
{
    const std::size_t rank = l.tensor("input").rank();
    if (rank < 2)
        return l.refuse("of what has no steps");
    const Term all = l.flag("batch_first") ? transposed(l["input"], rank, 0, 1) : l["input"];
    const Term lengths = l.as("lengths", ir::DType::Int64);
    const Term longest = reduce("ReduceMax", lengths, {0}, false);
    const Term isThere = compared("Less", unsqueeze(from0To(l, longest), {1}), lengths);
    const PackedRows rows{isThere, lengths};
    const Term steps = slice(all, 0, l.scalar(std::int64_t{0}), longest);
    return {rows.packed(l, steps), reduce("ReduceSum", cast(isThere, ir::DType::Int64), {1}, false)};
}

Results padPackedRule(L &l)
{
    const PackedRows rows = rowsOfSteps(l, l["batch_sizes"]);
    const Term data = l["data"];
    if (l.tensor("data").rank() == 0)
        return l.refuse("of what has no steps");
    const std::size_t rank = l.tensor("data").rank() + 1;
    const auto behind = consecutive(2, rank);
    const Term isThere = behind.empty() ? rows.isThere : unsqueeze(rows.isThere, behind);
    const Term padding = l.scalar(l.number("padding_value"), data.dtype);
    Term made = where(isThere, rows.spread(l, data), padding);
    if (const auto total = l.call().integer("total_length"); !total || *total > 0) {
        const Term wanted = l.as("total_length", ir::DType::Int64);
        const Term more = l.make("Max", {wanted - sizeOf(made, 0), l.scalar(std::int64_t{0})});
        const Term none = l.ints(std::vector<std::int64_t>(rank - 1, 0));
        made = l.make("Pad",
                      {made, concat({l.ints(std::vector<std::int64_t>(rank, 0)), vectorOf(more), none}, 0), padding});
    }
    return {l.flag("batch_first") ? transposed(made, rank, 0, 1) : made, rows.lengths};
}

OnnxName operatorOf(ops::RecurrentCell cell)
{
    if (cell == ops::RecurrentCell::Lstm)
        return "LSTM";
    return cell == ops::RecurrentCell::Gru ? OnnxName("GRU") : OnnxName("RNN");
}

Results recurrence(L &l)
{
    const ops::TorchRecurrentArguments given = ops::torchRecurrentArguments(l.call());
    if (l.known(given.isRandom, "whether it drops random elements is"))
        return l.refuse("it draws random numbers in training");
    const bool isLstm = given.cell == ops::RecurrentCell::Lstm, hasBiases = l.known(given.hasBiases, "'has_biases' is"),
               isBidirectional = l.known(given.isBidirectional, "'bidirectional' is"),
               isBatchFirst = l.known(given.isBatchFirst, "'batch_first' is");
    const std::int64_t layers = l.known(given.layers, "'num_layers' is"), directions = isBidirectional ? 2 : 1;
    const std::vector<Term> params = l.items("params"), states = isLstm ? l.items("hx") : std::vector{l["hx"]};
    const std::size_t perLayer = static_cast<std::size_t>(directions) * (hasBiases ? 4 : 2);
    if (l.isRefused() || layers < 1 || params.size() != perLayer * static_cast<std::size_t>(layers)
        || states.size() != (isLstm ? 2 : 1))
        return l.refuse("a projection, or weights that are not known");
    const auto weights = l.call().tensors("params");
    const auto *recurrent = weights && weights->size() > 1 ? (*weights)[1] : nullptr;
    const auto hidden = recurrent && recurrent->shape && recurrent->shape->size() == 2
        ? ops::number((*recurrent->shape)[1])
        : std::nullopt;
    if (!hidden || l.tensor(0).rank() != (given.isPacked ? 2 : 3))
        return l.refuse("the hidden size is not known");
    const std::optional<PackedRows> rows =
        given.isPacked ? std::optional(rowsOfSteps(l, l["batch_sizes"])) : std::nullopt;
    Term sequence = rows ? rows->spread(l, l[0]) : isBatchFirst ? transpose(l[0], {1, 0, 2}) : l[0];
    const Term lengths = rows ? cast(rows->lengths, ir::DType::Int32) : l.none();
    std::vector<Term> lastStates, lastCells;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const LayerWeights w =
            layerWeights(l, std::span(params).subspan(static_cast<std::size_t>(layer) * perLayer, perLayer),
                         static_cast<std::size_t>(directions), hasBiases, given.cell, *hidden);
        std::vector<Term> inputs{sequence, w.input, w.hidden, w.bias, lengths, partOf(states[0], layer, directions)};
        if (isLstm)
            inputs.push_back(partOf(states[1], layer, directions));
        const auto made =
            l.makeAll(operatorOf(given.cell), inputs, layerAttributes(l, given.cell, *hidden, isBidirectional),
                      std::vector(isLstm ? 3 : 2, sequence.dtype));
        sequence = reshape(transpose(made[0], {0, 2, 1, 3}), std::vector<std::int64_t>{0, 0, directions * *hidden});
        lastStates.push_back(made[1]);
        if (isLstm)
            lastCells.push_back(made[2]);
    }
    if (rows)
        sequence = rows->packed(l, sequence);
    Results results{isBatchFirst ? transpose(sequence, {1, 0, 2}) : sequence, concat(lastStates, 0)};
    if (isLstm)
        results.emplace_back(concat(lastCells, 0));
    return results;
}

constexpr LoweringRule recurrentRules[] = {
    {"aten::lstm aten::gru aten::rnn_tanh aten::rnn_relu", recurrence},
    {"aten::_pack_padded_sequence", packRule},
    {"aten::_pad_packed_sequence", padPackedRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family recurrent()
{
    return {.decompositions = to_aten::recurrentDecompositions,
            .fromOnnx = to_aten::recurrentLowerings,
            .toOnnx = to_onnx::recurrentRules};
}

} // namespace cutaway::rules
