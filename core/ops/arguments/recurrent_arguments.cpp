// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/recurrent_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

namespace cutaway::ops {

namespace {

constexpr std::array<std::size_t, 4> lstmInOnnx{0, 2, 3, 1}, lstmInTorch{0, 3, 1, 2};
constexpr std::array<std::size_t, 3> gruGates{1, 0, 2};
constexpr std::array<std::size_t, 1> onlyGate{0};

/// Returns the cell with the activations that the node gives to each direction; nothing if no cell has them, or they
/// are not known. ONNX does not distinguish upper and lower case in the names of activations.
std::optional<RecurrentCell> onnxCell(const Call &call, bool isBidirectional)
{
    using enum RecurrentCell;
    const std::string_view name = call.name();
    const RecurrentCell byDefault = name.contains("LSTM") ? Lstm : name.contains("GRU") ? Gru : Tanh;
    if (!call.has("activations"))
        return byDefault;
    const auto *list = call["activations"].as<SequenceFact>();
    if (!list || !list->items())
        return std::nullopt;
    std::string given;
    for (const Fact &item : list->each()) {
        const auto *text = item.as<TextFact>();
        given.append(text ? text->text : "?").append(" ");
    }
    std::ranges::transform(given, given.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto each = [&](const std::string &one) { return given == (isBidirectional ? one + one : one); };
    if (given.empty() || each(byDefault == Lstm ? "sigmoid tanh tanh " : byDefault == Gru ? "sigmoid tanh " : "tanh "))
        return byDefault;
    return byDefault == Tanh && each("relu ") ? std::optional(Relu) : std::nullopt;
}

/// Whether random elements are dropped, as far as known arguments decide.
std::optional<bool> dropsElements(const Call &call)
{
    const auto trains = call.flag("train");
    const auto dropout = call.floating("dropout");
    const auto layers = call.integer("num_layers");
    if (trains == false || dropout == 0 || layers == 1)
        return false;
    return trains && dropout && layers ? std::optional(true) : std::nullopt;
}

} // namespace

std::span<const std::size_t> onnxGates(RecurrentCell cell)
{
    using enum RecurrentCell;
    if (cell == Lstm)
        return lstmInOnnx;
    return cell == Gru ? std::span<const std::size_t>(gruGates) : onlyGate;
}

std::span<const std::size_t> torchGates(RecurrentCell cell)
{
    using enum RecurrentCell;
    return cell == Lstm ? std::span<const std::size_t>(lstmInTorch) : onnxGates(cell);
}

RecurrentCell torchCell(std::string_view name)
{
    using enum RecurrentCell;
    return name.contains("lstm") ? Lstm : name.contains("gru") ? Gru : name.contains("relu") ? Relu : Tanh;
}

TorchRecurrentArguments torchRecurrentArguments(const Call &call)
{
    const bool isPacked = call.has("batch_sizes");
    return {torchCell(call.name()),
            call.integer("num_layers"),
            call.flag("has_biases"),
            call.flag("bidirectional"),
            isPacked ? false : call.flag("batch_first"),
            dropsElements(call),
            isPacked};
}

OnnxRecurrentArguments onnxRecurrentArguments(const Call &call)
{
    const auto flag = [&](std::string_view name) { return call.has(name) ? call.flag(name) : false; };
    const std::string_view direction = call.text("direction");
    const bool isBidirectional = direction == "bidirectional";
    return {.cell = onnxCell(call, isBidirectional),
            .isBidirectional = isBidirectional,
            .isReverse = direction == "reverse",
            .isBatchFirst = flag("layout"),
            .resetsBefore = flag("linear_before_reset").transform(std::logical_not()),
            .couplesForget = flag("input_forget"),
            .isClipped = call.has("clip")};
}

} // namespace cutaway::ops
