// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

// torch's weights have the gates below each other: i, f, g, o of an LSTM, r, z, n of a GRU. ONNX wants them as i, o, f,
// g and z, r, n; both directions of a layer are one node, layers follow each other.

namespace cutaway::convert {

namespace {

using L = Lowering;

struct RecurrentKind {
    std::string_view op;
    std::vector<std::size_t> order; ///< where each of ONNX's gates is in torch's
    std::string_view activation = {};
};

RecurrentKind recurrentKind(std::string_view target)
{
    if (target == "LSTM")
        return {"LSTM", {0, 3, 1, 2}};
    if (target == "GRU")
        return {"GRU", {1, 0, 2}};
    return {"RNN", {0}, target};
}

Term reordered(L &l, const Term &weight, const std::vector<std::size_t> &order, std::int64_t hidden)
{
    if (order.size() == 1)
        return weight;
    const std::vector<std::int64_t> sizes(order.size(), hidden);
    const auto gates = l.makeAll("Split", {weight, l.ints(sizes)}, {{"axis", std::int64_t{0}}},
                                 std::vector(order.size(), weight.dtype));
    std::vector<Term> turned;
    for (const std::size_t gate : order)
        turned.push_back(gates[gate]);
    return l.concat(turned, 0);
}

/// What a layer's node gets beside its input: weights of all directions in one tensor each.
struct LayerWeights {
    Term input, hidden, bias;
};

LayerWeights layerWeights(L &l, std::span<const Term> params, std::size_t directions, bool hasBiases,
                          const RecurrentKind &kind, std::int64_t hidden)
{
    std::vector<Term> input, state, bias;
    const std::size_t each = hasBiases ? 4 : 2;
    for (std::size_t i = 0; i < directions; ++i) {
        const auto own = params.subspan(i * each, each);
        input.push_back(l.unsqueeze(reordered(l, own[0], kind.order, hidden), {0}));
        state.push_back(l.unsqueeze(reordered(l, own[1], kind.order, hidden), {0}));
        if (hasBiases)
            bias.push_back(l.unsqueeze(
                l.concat({reordered(l, own[2], kind.order, hidden), reordered(l, own[3], kind.order, hidden)}, 0),
                {0}));
    }
    return {l.concat(input, 0), l.concat(state, 0), hasBiases ? l.concat(bias, 0) : l.none()};
}

Term partOf(L &l, const Term &states, std::int64_t layer, std::int64_t directions)
{
    return l.slice(states, 0, l.scalar(layer * directions), l.scalar((layer + 1) * directions));
}

L::Attributes layerAttributes(L &l, const RecurrentKind &kind, std::int64_t hidden, bool isBidirectional)
{
    const auto word = [&](std::string_view text) { return ir::String{l.graph().context().name(text)}; };
    L::Attributes made{{"hidden_size", hidden}, {"direction", word(isBidirectional ? "bidirectional" : "forward")}};
    if (kind.op == "GRU")
        made.emplace_back("linear_before_reset", std::int64_t{1});
    if (!kind.activation.empty()) {
        ir::List activations;
        activations.items.assign(isBidirectional ? 2 : 1, word(kind.activation));
        made.emplace_back("activations", std::move(activations));
    }
    return made;
}

Results recurrentRule(L &l)
{
    if (!l.call().position({"batch_first"}))
        return l.refuse("of packed sequences");
    if (l.flag("train") && l.number("dropout") != 0)
        return l.refuse("it draws random numbers in training");
    const RecurrentKind kind = recurrentKind(l.rule().target);
    const bool isLstm = kind.op == "LSTM", hasBiases = l.flag("has_biases"), isBidirectional = l.flag("bidirectional");
    const bool isBatchFirst = l.flag("batch_first");
    const std::int64_t layers = l.integer("num_layers"), directions = isBidirectional ? 2 : 1;
    const std::vector<Term> params = l.items("params"), states = isLstm ? l.items("hx") : std::vector{l["hx"]};
    const std::size_t perLayer = static_cast<std::size_t>(directions) * (hasBiases ? 4 : 2);
    if (l.isRefused() || params.size() != perLayer * static_cast<std::size_t>(layers)
        || states.size() != (isLstm ? 2 : 1))
        return l.refuse("a projection, or weights that are not known");
    const auto weights = l.call().tensors("params");
    const auto *recurrent = weights && weights->size() > 1 ? (*weights)[1] : nullptr;
    const auto hidden = recurrent && recurrent->shape && recurrent->shape->size() == 2
        ? ops::number((*recurrent->shape)[1])
        : std::nullopt;
    if (!hidden || l.tensor("input").rank() != 3)
        return l.refuse("the hidden size is not known");
    Term sequence = isBatchFirst ? l.transpose(l["input"], {1, 0, 2}) : l["input"];
    std::vector<Term> lastStates, lastCells;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const LayerWeights w =
            layerWeights(l, std::span(params).subspan(static_cast<std::size_t>(layer) * perLayer, perLayer),
                         static_cast<std::size_t>(directions), hasBiases, kind, *hidden);
        std::vector<Term> inputs{sequence, w.input,  w.hidden,
                                 w.bias,   l.none(), partOf(l, states[0], layer, directions)};
        if (isLstm)
            inputs.push_back(partOf(l, states[1], layer, directions));
        const auto made = l.makeAll(kind.op, inputs, layerAttributes(l, kind, *hidden, isBidirectional),
                                    std::vector(isLstm ? 3 : 2, sequence.dtype));
        sequence = l.reshape(l.transpose(made[0], {0, 2, 1, 3}), std::vector<std::int64_t>{0, 0, directions * *hidden});
        lastStates.push_back(made[1]);
        if (isLstm)
            lastCells.push_back(made[2]);
    }
    Results results{isBatchFirst ? l.transpose(sequence, {1, 0, 2}) : sequence, l.concat(lastStates, 0)};
    if (isLstm)
        results.emplace_back(l.concat(lastCells, 0));
    return results;
}

constexpr LoweringRule recurrentTable[] = {
    {"aten::lstm", recurrentRule, "LSTM"},
    {"aten::gru", recurrentRule, "GRU"},
    {"aten::rnn_tanh", recurrentRule, "Tanh"},
    {"aten::rnn_relu", recurrentRule, "Relu"},
};

} // namespace

std::span<const LoweringRule> recurrentRules() { return recurrentTable; }

} // namespace cutaway::convert
