// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX keeps the weights of all directions in one tensor, and of an LSTM and a GRU the gates in an order of its own.
#include "core/passes/lowerings/onnx_node.h"

#include <algorithm>
#include <array>

namespace cutaway::passes {

namespace {

using N = OnnxNode;

/// The operator that torch has for a network, and ONNX's numbers of the gates in the order of torch's weights.
struct Network {
    std::string_view target;
    std::vector<std::int64_t> gates;
    std::vector<std::string_view> activations; ///< of one direction, as they are by default
    bool hasCell = false;
};

struct Recurrence {
    std::int64_t directions = 1, hidden = 0;
    bool isReverse = false, isBatchFirst = false;
    ir::Dim steps, batch;
};

/// Why torch's networks do not compute it: they take whole sequences, functions as they are by default, no limits, no
/// peepholes.
std::string_view whyNotTorchs(const N &n, const std::vector<std::string_view> &activations)
{
    if (n.has(4))
        return "its sequences have lengths of their own";
    if (n.has(7))
        return "it has peepholes";
    if (n.hasAttribute("clip"))
        return "it limits what the activations get";
    if (n.integer("input_forget", 0) != 0)
        return "its input and forget gates are one";
    const auto functions = n.texts("activations");
    const bool isPlain = !n.hasAttribute("activation_alpha") && !n.hasAttribute("activation_beta")
        && (!n.hasAttribute("activations") || functions == activations);
    return isPlain ? "" : "its activations are not torch's";
}

std::optional<Recurrence> recurrenceOf(N &n, const Network &network)
{
    const auto x = n.tensor(0), r = n.tensor(2);
    const std::string_view direction = n.text("direction", "forward");
    const std::int64_t directions = direction == "bidirectional" ? 2 : 1;
    const auto hidden = r && r->rank() == 3 ? ops::number(r->shape[2]) : std::nullopt;
    std::vector<std::string_view> expected;
    for (std::int64_t i = 0; i < directions; ++i)
        std::ranges::copy(network.activations, std::back_inserter(expected));
    if (const std::string_view reason = whyNotTorchs(n, expected); !reason.empty()) {
        n.refuse(std::string(reason));
        return std::nullopt;
    }
    if (!x || x->rank() != 3 || !hidden)
        return std::nullopt;
    const bool isBatchFirst = n.integer("layout", 0) != 0;
    const std::size_t steps = isBatchFirst ? 1 : 0;
    return Recurrence{directions, *hidden, direction == "reverse", isBatchFirst, x->shape[steps], x->shape[1 - steps]};
}

/// One direction's part of a tensor, its gates in torch's order.
Term ordered(N &n, const Term &all, std::int64_t direction, const Network &network, std::int64_t hidden,
             std::int64_t first = 0)
{
    const Term one = n.d.make("select.int", {all, 0, direction});
    std::vector<Term> parts;
    for (const std::int64_t gate : network.gates)
        parts.push_back(n.d.slice(one, 0, (first + gate) * hidden, (first + gate + 1) * hidden));
    return parts.size() == 1 ? parts.front() : n.d.make("cat", {Decomposition::list(parts), 0});
}

std::vector<Term> weightsOf(N &n, const Network &network, const Recurrence &how)
{
    const auto gates = static_cast<std::int64_t>(network.gates.size());
    std::vector<Term> all;
    for (std::int64_t direction = 0; direction < how.directions; ++direction) {
        all.push_back(ordered(n, n.input(1), direction, network, how.hidden));
        all.push_back(ordered(n, n.input(2), direction, network, how.hidden));
        if (!n.has(3))
            continue;
        all.push_back(ordered(n, n.input(3), direction, network, how.hidden));
        all.push_back(ordered(n, n.input(3), direction, network, how.hidden, gates));
    }
    return all;
}

/// The first two dimensions exchanged, where the batch comes first.
Term stepsFirst(N &n, const Term &x, const Recurrence &how) { return how.isBatchFirst ? n.d.transposed(x, 0, 1) : x; }

Term stateOf(N &n, std::size_t position, const Recurrence &how)
{
    if (n.has(position))
        return stepsFirst(n, n.input(position), how);
    const ir::Shape shape{how.directions, how.batch, how.hidden};
    return n.d.full(shape, ir::Operand(0.0), n.d.dtype(n.input(0)));
}

/// [steps, batch, directions * hidden] as [steps, directions, batch, hidden], or [batch, steps, directions, hidden].
Term byDirection(N &n, const Term &y, const Recurrence &how)
{
    const Term apart = n.d.reshape(y, {how.steps, how.batch, how.directions, how.hidden});
    return how.isBatchFirst ? n.d.permute(apart, {1, 0, 2, 3}) : n.d.permute(apart, {0, 2, 1, 3});
}

Parts recurrent(N &n, const Network &network)
{
    const auto how = recurrenceOf(n, network);
    if (!how)
        return {};
    const auto turned = [&](const Term &x) {
        return how->isReverse ? n.d.make("flip", {x, Decomposition::list({0})}) : x;
    };
    const Term hidden = stateOf(n, 5, *how);
    const ir::Operand states =
        network.hasCell ? Decomposition::list(std::vector{hidden, stateOf(n, 6, *how)}) : hidden.operand;
    const std::vector<Term> made =
        n.d.makeAll(network.target,
                    {turned(stepsFirst(n, n.input(0), *how)), states, Decomposition::list(weightsOf(n, network, *how)),
                     n.has(3), 1, ir::Operand(0.0), false, how->directions == 2, false},
                    network.hasCell ? 3 : 2);
    Parts parts{byDirection(n, turned(made[0]), *how)};
    for (std::size_t i = 1; i < n.resultCount() && i < made.size(); ++i)
        parts.push_back(stepsFirst(n, made[i], *how));
    return parts;
}

Parts lstm(N &n) { return recurrent(n, {"lstm.input", {0, 2, 3, 1}, {"Sigmoid", "Tanh", "Tanh"}, true}); }

/// torch resets after the product alone.
Parts gru(N &n)
{
    const bool isTorchs = n.integer("linear_before_reset", 0) != 0;
    return isTorchs ? recurrent(n, {"gru.input", {1, 0, 2}, {"Sigmoid", "Tanh"}})
                    : n.refuse("it resets the state before the product, and torch behind it");
}

Parts rnn(N &n)
{
    const auto functions = n.texts("activations");
    const bool isRelu = !functions.empty() && functions.front() == "Relu";
    return isRelu ? recurrent(n, {"rnn_relu.input", {0}, {"Relu"}}) : recurrent(n, {"rnn_tanh.input", {0}, {"Tanh"}});
}

constexpr std::array recurrentRules{
    OnnxLowering{"onnx::GRU", gru},
    OnnxLowering{"onnx::LSTM", lstm},
    OnnxLowering{"onnx::RNN", rnn},
};

} // namespace

std::span<const OnnxLowering> recurrentLowerings() { return recurrentRules; }

} // namespace cutaway::passes
