// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

// Recurrent networks of a known length become their steps. What each step reads of the input is one product for all, as
// in torch/_decomp's one_layer_lstm() and one_layer_rnn().

namespace cutaway::passes {

namespace {

using D = Decomposition;

constexpr std::int64_t maxSteps = 2048; ///< each is some ten nodes; a larger graph is of no use

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
    const auto size = known && known->rank() > 0 ? ops::number(known->shape.back()) : std::nullopt;
    if (!size) {
        d.fail();
        return gates;
    }
    const std::int64_t part = *size / static_cast<std::int64_t>(count), start = part * static_cast<std::int64_t>(index);
    return d.slice(gates, known->rank() - 1, start, start + part);
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
    const Term cell = forget * state[1] + in * fresh;
    const Term hidden = out * applied("tanh", cell);
    return {w.projection ? d.make("linear", {hidden, *w.projection}) : hidden, cell};
}

std::vector<Term> gruStep(D &d, const Term &input, const std::vector<Term> &state, const CellWeights &w)
{
    const Term hidden = ofHidden(d, state, w);
    const auto opened = [&](std::size_t i) { return applied("sigmoid", gate(d, input, 3, i) + gate(d, hidden, 3, i)); };
    const Term reset = opened(0), update = opened(1);
    const Term fresh = applied("tanh", gate(d, input, 3, 2) + gate(d, hidden, 3, 2) * reset);
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
    Recurrence(D &d, CellStep step) : m_d(d), m_step(step) { }

    /// Over [sequence, batch, size]: what the last layer gives at each step; `states` become the last ones.
    std::optional<Term> run(Term x, const std::vector<Term> &states);
    std::vector<std::vector<Term>> last; ///< by state, one per layer and direction

private:
    bool readWeights(bool hasBiases, std::size_t cells, std::size_t perCell);
    std::optional<Term> direction(const Term &x, const CellWeights &w, std::vector<Term> state, bool isReversed);

    D &m_d;
    CellStep m_step;
    std::vector<CellWeights> m_weights; ///< by layer and direction
};

bool Recurrence::readWeights(bool hasBiases, std::size_t cells, std::size_t perCell)
{
    const auto params = m_d.items("params");
    const std::size_t fullCount = hasBiases ? 4 : 2;
    if (params.size() != cells * perCell || (perCell != fullCount && perCell != fullCount + 1))
        return false;
    for (std::size_t i = 0; i < cells; ++i) {
        const auto own = std::span(params).subspan(i * perCell, perCell);
        const Term none = m_d.term({});
        m_weights.push_back({own[0], own[1], hasBiases ? own[2] : none, hasBiases ? own[3] : none,
                             perCell > fullCount ? std::optional(own.back()) : std::nullopt});
    }
    return true;
}

std::optional<Term> Recurrence::direction(const Term &x, const CellWeights &w, std::vector<Term> state, bool isReversed)
{
    const auto known = m_d.tensor(x);
    const auto steps = known ? ops::number(known->shape.front()) : std::nullopt;
    if (!steps || *steps < 1 || *steps > maxSteps)
        return std::nullopt;
    const Term inputs = m_d.make("linear", {x, w.input, w.inputBias});
    std::vector<Term> outputs(static_cast<std::size_t>(*steps));
    for (std::int64_t i = 0; i < *steps; ++i) {
        const std::int64_t at = isReversed ? *steps - 1 - i : i;
        state = m_step(m_d, m_d.make("select.int", {inputs, 0, at}), state, w);
        outputs[static_cast<std::size_t>(at)] = m_d.unsqueeze(state.front(), 0);
    }
    for (std::size_t i = 0; i < state.size(); ++i)
        last[i].push_back(m_d.unsqueeze(state[i], 0));
    return m_d.make("cat", {D::list(outputs), 0});
}

std::optional<Term> Recurrence::run(Term x, const std::vector<Term> &states)
{
    const auto layers = m_d.integer("num_layers");
    const auto isBoth = m_d.flag("bidirectional"), hasBiases = m_d.flag("has_biases"), trains = m_d.flag("train");
    const auto dropout = m_d.number("dropout");
    if (!layers || *layers < 1 || !isBoth || !hasBiases || !trains || !dropout || (*trains && *dropout != 0))
        return std::nullopt;
    const std::size_t directions = *isBoth ? 2 : 1, cells = static_cast<std::size_t>(*layers) * directions;
    if (!readWeights(*hasBiases, cells, m_d.items("params").size() / cells))
        return std::nullopt;
    last.resize(states.size());
    for (std::size_t cell = 0; cell < cells; cell += directions) {
        std::vector<Term> made;
        for (std::size_t side = 0; side < directions; ++side) {
            std::vector<Term> own;
            for (const Term &state : states)
                own.push_back(m_d.make("select.int", {state, 0, static_cast<std::int64_t>(cell + side)}));
            const auto output = direction(x, m_weights[cell + side], std::move(own), side == 1);
            if (!output)
                return std::nullopt;
            made.push_back(*output);
        }
        x = directions == 1 ? made.front() : m_d.make("cat", {D::list(made), 2});
    }
    return x;
}

Parts recurrence(D &d, CellStep step, const std::vector<Term> &states)
{
    const auto isBatchFirst = d.flag("batch_first");
    const auto known = d.tensor(d["input"]);
    if (!isBatchFirst || !known || known->rank() != 3 || d.has("batch_sizes") || states.size() + 1 != d.resultCount())
        return {};
    Recurrence network(d, step);
    const Term x = *isBatchFirst ? d.permute(d["input"], {1, 0, 2}) : d["input"];
    const auto output = network.run(x, states);
    if (!output)
        return {};
    Parts parts{*isBatchFirst ? d.permute(*output, {1, 0, 2}) : *output};
    for (const std::vector<Term> &state : network.last)
        parts.emplace_back(d.make("cat", {D::list(state), 0}));
    return parts;
}

Parts oneState(D &d, CellStep step) { return recurrence(d, step, {d["hx"]}); }

/// One step of a cell that is given by itself.
Parts cellOf(D &d, CellStep step, const std::vector<Term> &states)
{
    const CellWeights weights{d["w_ih"], d["w_hh"], d["b_ih"], d["b_hh"], {}};
    const auto made = step(d, d.make("linear", {d["input"], weights.input, weights.inputBias}), states, weights);
    return {made.begin(), made.end()};
}

constexpr DecompositionRule recurrentRules[] = {
    {"aten::gru", [](D &d) { return oneState(d, gruStep); }},
    {"aten::gru_cell", [](D &d) { return cellOf(d, gruStep, {d["hx"]}); }},
    {"aten::lstm", [](D &d) { return recurrence(d, lstmStep, d.items("hx")); }},
    {"aten::lstm_cell", [](D &d) { return d.items("hx").size() == 2 ? cellOf(d, lstmStep, d.items("hx")) : Parts{}; }},
    {"aten::rnn_relu", [](D &d) { return oneState(d, reluStep); }},
    {"aten::rnn_relu_cell", [](D &d) { return cellOf(d, reluStep, {d["hx"]}); }},
    {"aten::rnn_tanh", [](D &d) { return oneState(d, tanhStep); }},
    {"aten::rnn_tanh_cell", [](D &d) { return cellOf(d, tanhStep, {d["hx"]}); }},
};

} // namespace

std::span<const DecompositionRule> recurrentDecompositions() { return recurrentRules; }

} // namespace cutaway::passes
