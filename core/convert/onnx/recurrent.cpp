// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include <numeric>

// torch's weights have the gates below each other: i, f, g, o of an LSTM, r, z, n of a GRU. ONNX wants them as i, o, f,
// g and z, r, n; both directions of a layer are one node, layers follow each other. ONNX has no packed sequences: a
// node gets them with the steps that each lacks, and how long each is.

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

/// The weights that a layer's node gets beside its input: those of all directions in one tensor each.
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
        made.emplace_back("activations",
                          ir::List{std::vector<ir::Operand>(isBidirectional ? 2 : 1, word(kind.activation))});
    }
    return made;
}

/// Where the rows of packed sequences are among [step, sequence], of which the longest sequence is the first.
struct PackedRows {
    Term isThere; ///< [step, sequence]
    Term lengths;

    /// All steps of all sequences one after the other; what is not there is some other row.
    Term spread(L &l, const Term &data) const
    {
        const Term counts =
            l.make("CumSum", {l.cast(l.reshape(isThere, {-1}), ir::DType::Int64), l.scalar(std::int64_t{0})});
        const Term places = l.make("Max", {counts - l.scalar(std::int64_t{1}), l.scalar(std::int64_t{0})});
        return l.make("Gather", {data, l.reshape(places, l.shapeOf(isThere))}, {{"axis", std::int64_t{0}}});
    }

    /// The rows of [step, sequence, …] that are there.
    Term packed(L &l, const Term &x) const
    {
        const Term rest = l.slice(l.shapeOf(x), 0, l.scalar(std::int64_t{2}), l.sizeOf(l.shapeOf(x), 0));
        return l.make("Compress", {l.reshape(x, l.concat({l.ints({-1}), rest}, 0)), l.reshape(isThere, {-1})},
                      {{"axis", std::int64_t{0}}});
    }
};

Term from0To(L &l, const Term &end)
{
    return l.make("Range", {l.scalar(std::int64_t{0}), end, l.scalar(std::int64_t{1})}, {}, ir::DType::Int64);
}

/// Finds the rows that are there from the number of sequences that have each step.
PackedRows rowsOfSteps(L &l, const Term &batchSizes)
{
    const Term first = l.make("Gather", {batchSizes, l.scalar(std::int64_t{0})}, {{"axis", std::int64_t{0}}});
    const Term isThere = l.make("Less", {from0To(l, first), l.unsqueeze(batchSizes, {1})}, {}, ir::DType::Bool);
    return {isThere, l.reduce("ReduceSum", l.cast(isThere, ir::DType::Int64), {0}, false)};
}

Results packRule(L &l)
{
    if (l.tensor("input").rank() < 2)
        return l.refuse("of what has no steps");
    std::vector<std::int64_t> order(l.tensor("input").rank());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[0], order[1]);
    const Term all = l.flag("batch_first") ? l.transpose(l["input"], order) : l["input"];
    const Term lengths = l.as("lengths", ir::DType::Int64);
    const Term longest = l.reduce("ReduceMax", lengths, {0}, false);
    const Term isThere = l.make("Less", {l.unsqueeze(from0To(l, longest), {1}), lengths}, {}, ir::DType::Bool);
    const PackedRows rows{isThere, lengths};
    const Term steps = l.slice(all, 0, l.scalar(std::int64_t{0}), longest);
    return {rows.packed(l, steps), l.reduce("ReduceSum", l.cast(isThere, ir::DType::Int64), {1}, false)};
}

Results padPackedRule(L &l)
{
    const PackedRows rows = rowsOfSteps(l, l["batch_sizes"]);
    const Term data = l["data"];
    const std::size_t rank = l.tensor("data").rank() + 1;
    std::vector<std::int64_t> behind(rank - 2);
    std::iota(behind.begin(), behind.end(), 2);
    const Term isThere = behind.empty() ? rows.isThere : l.unsqueeze(rows.isThere, behind);
    const Term padding = l.scalar(l.number("padding_value"), data.dtype);
    Term made = l.make("Where", {isThere, rows.spread(l, data), padding}, {}, data.dtype);
    if (const auto total = l.call().integer("total_length"); !total || *total > 0) {
        const Term more =
            l.make("Max", {l.as("total_length", ir::DType::Int64) - l.sizeOf(made, 0), l.scalar(std::int64_t{0})});
        const Term none = l.ints(std::vector<std::int64_t>(rank - 1, 0));
        made = l.make(
            "Pad", {made, l.concat({l.ints(std::vector<std::int64_t>(rank, 0)), l.vectorOf(more), none}, 0), padding});
    }
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[0], order[1]);
    return {l.flag("batch_first") ? l.transpose(made, order) : made, rows.lengths};
}

Results recurrentRule(L &l)
{
    const bool isPacked = !l.call().position({"batch_first"});
    if (l.flag("train") && l.number("dropout") != 0)
        return l.refuse("it draws random numbers in training");
    const RecurrentKind kind = recurrentKind(l.rule().target);
    const bool isLstm = kind.op == "LSTM", hasBiases = l.flag("has_biases"), isBidirectional = l.flag("bidirectional");
    const bool isBatchFirst = !isPacked && l.flag("batch_first");
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
    if (!hidden || l.tensor(0).rank() != (isPacked ? 2 : 3))
        return l.refuse("the hidden size is not known");
    const std::optional<PackedRows> rows = isPacked ? std::optional(rowsOfSteps(l, l["batch_sizes"])) : std::nullopt;
    Term sequence = rows ? rows->spread(l, l[0]) : isBatchFirst ? l.transpose(l[0], {1, 0, 2}) : l[0];
    const Term lengths = rows ? l.cast(rows->lengths, ir::DType::Int32) : l.none();
    std::vector<Term> lastStates, lastCells;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const LayerWeights w =
            layerWeights(l, std::span(params).subspan(static_cast<std::size_t>(layer) * perLayer, perLayer),
                         static_cast<std::size_t>(directions), hasBiases, kind, *hidden);
        std::vector<Term> inputs{sequence, w.input, w.hidden, w.bias, lengths, partOf(l, states[0], layer, directions)};
        if (isLstm)
            inputs.push_back(partOf(l, states[1], layer, directions));
        const auto made = l.makeAll(kind.op, inputs, layerAttributes(l, kind, *hidden, isBidirectional),
                                    std::vector(isLstm ? 3 : 2, sequence.dtype));
        sequence = l.reshape(l.transpose(made[0], {0, 2, 1, 3}), std::vector<std::int64_t>{0, 0, directions * *hidden});
        lastStates.push_back(made[1]);
        if (isLstm)
            lastCells.push_back(made[2]);
    }
    if (rows)
        sequence = rows->packed(l, sequence);
    Results results{isBatchFirst ? l.transpose(sequence, {1, 0, 2}) : sequence, l.concat(lastStates, 0)};
    if (isLstm)
        results.emplace_back(l.concat(lastCells, 0));
    return results;
}

constexpr LoweringRule recurrentTable[] = {
    {"aten::lstm", recurrentRule, "LSTM"},     {"aten::gru", recurrentRule, "GRU"},
    {"aten::rnn_tanh", recurrentRule, "Tanh"}, {"aten::rnn_relu", recurrentRule, "Relu"},
    {"aten::_pack_padded_sequence", packRule}, {"aten::_pad_packed_sequence", padPackedRule},
};

} // namespace

std::span<const LoweringRule> recurrentRules() { return recurrentTable; }

} // namespace cutaway::convert
