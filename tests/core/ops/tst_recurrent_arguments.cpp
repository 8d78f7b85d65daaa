// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/recurrent_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

using enum ops::RecurrentCell;

std::string wordOf(std::optional<ops::RecurrentCell> cell)
{
    constexpr std::string_view names[] = {"lstm", "gru", "tanh", "relu"};
    return cell ? std::string(names[static_cast<std::size_t>(*cell)]) : "?";
}

std::string print(const ops::TorchRecurrentArguments &given)
{
    Fields fields;
    fields.add(wordOf(given.cell), "");
    fields.add("layers", given.layers ? std::to_string(*given.layers) : "?");
    fields.flag("biases", given.hasBiases, true);
    fields.flag("bidirectional", given.isBidirectional, false);
    fields.flag("batch first", given.isBatchFirst, false);
    fields.flag("random", given.isRandom, false);
    fields.flag("packed", given.isPacked, false);
    return std::move(fields).text();
}

std::string print(const ops::OnnxRecurrentArguments &given)
{
    Fields fields;
    fields.add(wordOf(given.cell), "");
    fields.flag("bidirectional", given.isBidirectional, false);
    fields.flag("reverse", given.isReverse, false);
    fields.flag("batch first", given.isBatchFirst, false);
    fields.flag("resets before", given.resetsBefore, true);
    fields.flag("couples forget", given.couplesForget, false);
    fields.flag("clipped", given.isClipped, false);
    return std::move(fields).text();
}

// ---- torch

ArgumentsRow torchRow(std::string name, const std::string &operatorName, const std::string &rest, std::string arguments)
{
    const std::string states = operatorName == "lstm" ? "[%h, %h]" : "%h";
    const std::string results = operatorName == "lstm" ? "%r, %s, %c" : "%r, %s";
    return {std::move(name),
            "(%x: float32[3, 2, 4], %h: float32[1, 2, 5], %w: float32[20, 4], %n: int, %p: float) { " + results
                + " = aten::" + operatorName + ".input(%x, " + states + ", [%w, %w], " + rest + ") return %r }",
            std::move(arguments)};
}

class TorchRecurrentArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(TorchRecurrentArguments, areRead)
{
    const auto read = [](const ops::Call &call) { return print(ops::torchRecurrentArguments(call)); };
    EXPECT_EQ(argumentsOf(GetParam(), read), GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, TorchRecurrentArguments,
    testing::Values(
        torchRow("Lstm", "lstm", "true, 1, 0.0, false, false, false", "lstm, layers 1"),
        torchRow("Gru", "gru", "false, 2, 0.0, true, true, true",
                 "gru, layers 2, biases no, bidirectional, batch first"),
        torchRow("Relu", "rnn_relu", "true, 1, 0.0, false, false, false", "relu, layers 1"),
        torchRow("Tanh", "rnn_tanh", "true, 1, 0.0, false, false, false", "tanh, layers 1"),
        torchRow("DropsElementsInTraining", "lstm", "true, 2, 0.5, true, false, false", "lstm, layers 2, random"),
        torchRow("DropsNoneInEvaluation", "lstm", "true, 2, 0.5, false, false, false", "lstm, layers 2"),
        torchRow("DropsNoneWithoutProbability", "lstm", "true, 2, 0.0, true, false, false", "lstm, layers 2"),
        torchRow("DropsNoneBehindTheLastLayer", "lstm", "true, 1, 0.5, true, false, false", "lstm, layers 1"),
        torchRow("MayDropElements", "lstm", "true, 2, %p, true, false, false", "lstm, layers 2, random ?"),
        torchRow("LayersAreNotKnown", "lstm", "true, %n, 0.0, true, false, false", "lstm, layers ?"),
        ArgumentsRow{"Packed",
                     "(%x: float32[6, 4], %b: int64[3], %h: float32[1, 2, 5], %w: float32[20, 4]) { %r, %s, %c = "
                     "aten::lstm.data(%x, %b, [%h, %h], [%w, %w], false, 1, 0.0, false, true) return %r }",
                     "lstm, layers 1, biases no, bidirectional, packed"}),
    rowName);

// ---- ONNX

ArgumentsRow onnxRow(std::string name, const std::string &call, std::string arguments)
{
    return {std::move(name),
            "(%x: float32[3, 2, 4], %w: float32[1, 20, 4], %r: float32[1, 20, 5]) { %y = onnx::" + call
                + " return %y }",
            std::move(arguments)};
}

class OnnxRecurrentArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(OnnxRecurrentArguments, areRead)
{
    const auto read = [](const ops::Call &call) { return print(ops::onnxRecurrentArguments(call)); };
    EXPECT_EQ(argumentsOf(GetParam(), read), GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, OnnxRecurrentArguments,
    testing::Values(
        onnxRow("Lstm", "LSTM(%x, %w, %r)", "lstm"), onnxRow("Gru", "GRU(%x, %w, %r)", "gru"),
        onnxRow("Rnn", "RNN(%x, %w, %r)", "tanh"),
        onnxRow("Reverse", "LSTM(%x, %w, %r, direction=\"reverse\")", "lstm, reverse"),
        onnxRow("Bidirectional", "LSTM(%x, %w, %r, direction=\"bidirectional\", layout=1)",
                "lstm, bidirectional, batch first"),
        onnxRow("DefaultActivations", "LSTM(%x, %w, %r, activations=[\"Sigmoid\", \"Tanh\", \"Tanh\"])", "lstm"),
        onnxRow("NamesInLowerCase", "GRU(%x, %w, %r, activations=[\"sigmoid\", \"tanh\"])", "gru"),
        onnxRow("OtherActivations", "LSTM(%x, %w, %r, activations=[\"Sigmoid\", \"Tanh\", \"Softsign\"])", "?"),
        onnxRow("Relu", "RNN(%x, %w, %r, activations=[\"Relu\"])", "relu"),
        onnxRow("ReluInBothDirections",
                "RNN(%x, %w, %r, activations=[\"Relu\", \"Relu\"], direction=\"bidirectional\")",
                "relu, bidirectional"),
        onnxRow("AnotherFunctionInEachDirection",
                "RNN(%x, %w, %r, activations=[\"Tanh\", \"Relu\"], direction=\"bidirectional\")", "?, bidirectional"),
        onnxRow("ReluIsNoGru", "GRU(%x, %w, %r, activations=[\"Relu\"])", "?"),
        onnxRow("ResetsAfter", "GRU(%x, %w, %r, linear_before_reset=1)", "gru, resets before no"),
        onnxRow("CouplesForget", "LSTM(%x, %w, %r, input_forget=1)", "lstm, couples forget"),
        onnxRow("Clipped", "LSTM(%x, %w, %r, clip=1.0)", "lstm, clipped")),
    rowName);

// ---- gates

class Gates : public testing::TestWithParam<ops::RecurrentCell> { };
TEST_P(Gates, ofTorchAreTheInverseOfThoseOfOnnx)
{
    const auto onnx = ops::onnxGates(GetParam()), torch = ops::torchGates(GetParam());
    ASSERT_EQ(onnx.size(), torch.size());
    for (std::size_t i = 0; i < onnx.size(); ++i)
        EXPECT_EQ(torch[onnx[i]], i);
}

INSTANTIATE_TEST_SUITE_P(Cells, Gates, testing::Values(Lstm, Gru, Tanh, Relu),
                         [](const auto &row) { return wordOf(row.param); });

} // namespace
} // namespace cutaway::test
