// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/recurrent.h"

#include "core/ops/arguments/recurrent_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/network/matrix_shape.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

/// A recurrent layer, or a stack of layers, of any dialect. Sizes that are not known are UnknownDims.
struct Layers {
    std::optional<ir::DType> dtype;
    /// The sizes of time and batch in the input's order, or the number of rows of a packed sequence.
    std::optional<Shape> steps;
    Dim batch = ir::UnknownDim{};
    Dim states = ir::UnknownDim{}; ///< the number of layers times the number of directions
    Dim directions = ir::UnknownDim{};
    Dim hidden = ir::UnknownDim{};
    Dim output = ir::UnknownDim{};  ///< the hidden state's size: smaller than `hidden` where the state is projected
    Dim weights = ir::UnknownDim{}; ///< the elements of all matrices; each is multiplied once per step
};

Dim sizeAt(const TensorFact *tensor, std::size_t dim)
{
    return tensor && tensor->shape && dim < tensor->shape->size() ? (*tensor->shape)[dim] : Dim(ir::UnknownDim{});
}

const Dim &knownOf(const Dim &first, const Dim &second) { return isKnown(first) ? first : second; }

/// Returns the number of elements of the matrices among `tensors`; vectors are biases, which do not count.
Dim matrixElements(const std::vector<const TensorFact *> &tensors)
{
    Dim total = std::int64_t{0};
    for (const TensorFact *tensor : tensors) {
        if (!tensor || !tensor->shape)
            return ir::UnknownDim{};
        if (tensor->shape->size() > 1)
            total = plus(total, elementsOf(*tensor->shape));
    }
    return total;
}

// ---- PyTorch's layers

/// Returns a tensor of the state `hx`, which is one tensor, or for an LSTM the list of hidden and cell state.
const TensorFact *stateOf(const Fact &hx, std::size_t index)
{
    if (const auto *list = hx.as<SequenceFact>())
        return list->items() && index < list->each().size() ? asTensor(list->each()[index]) : nullptr;
    return index == 0 ? asTensor(hx) : nullptr;
}

/// Returns the weights of the cells of quantized layers, two for each: a cell is an object with packed matrices.
std::vector<const TensorFact *> packedWeights(const Fact &params)
{
    std::vector<const TensorFact *> weights;
    const auto *cells = params.as<SequenceFact>();
    if (!cells || !cells->items())
        return {};
    for (const Fact &each : cells->each()) {
        const Fact *packed = heldBy(each, "packed");
        const auto *matrices = packed ? packed->as<SequenceFact>() : nullptr;
        if (!matrices)
            return {};
        for (const Fact &matrix : matrices->each()) {
            const Fact *weight = heldBy(matrix, "weight");
            weights.push_back(weight ? asTensor(*weight) : nullptr);
        }
    }
    return weights;
}

Layers torchLayers(const Call &call)
{
    const TensorFact *input = call.tensor(0u), *hidden = stateOf(call["hx"], 0), *cell = stateOf(call["hx"], 1);
    auto weights = call.tensors("params").value_or(std::vector<const TensorFact *>{});
    if (std::ranges::all_of(weights, [](const TensorFact *weight) { return !weight; }))
        weights = packedWeights(call["params"]);
    Layers layers;
    layers.dtype = input ? input->dtype : std::nullopt;
    const TorchRecurrentArguments given = torchRecurrentArguments(call);
    if (given.isBidirectional)
        layers.directions = std::int64_t{*given.isBidirectional ? 2 : 1};
    layers.states = times(call.size("num_layers").value_or(ir::UnknownDim{}), layers.directions);
    layers.batch = sizeAt(hidden, 1);
    if (input && input->shape && input->shape->size() > 1)
        layers.steps = Shape(input->shape->begin(), input->shape->end() - 1);
    if (given.isBatchFirst && !given.isPacked)
        layers.batch = knownOf(sizeAt(input, *given.isBatchFirst ? 0 : 1), layers.batch);
    layers.output = knownOf(sizeAt(weights.size() > 1 ? weights[1] : nullptr, 1), sizeAt(hidden, 2));
    layers.hidden = knownOf(sizeAt(cell, 2), layers.output);
    layers.weights = weights.empty() ? Dim(ir::UnknownDim{}) : matrixElements(weights);
    return layers;
}

/// Returns the output, the hidden state and, for an LSTM, the cell state.
Answer torchResults(const Call &call)
{
    const Layers layers = torchLayers(call);
    Shape output = layers.steps.value_or(Shape(torchRecurrentArguments(call).isPacked ? 1 : 2, ir::UnknownDim{}));
    output.push_back(times(layers.directions, layers.output));
    Facts facts{tensorFact(layers.dtype, std::move(output)),
                tensorFact(layers.dtype, Shape{layers.states, layers.batch, layers.output}),
                tensorFact(layers.dtype, Shape{layers.states, layers.batch, layers.hidden})};
    return layers.steps ? Answer(std::move(facts)) : Answer(std::move(facts), unknown("input shape unknown"));
}

Cost torchCost(const Call &call, std::span<const Fact>)
{
    const Layers layers = torchLayers(call);
    if (!layers.steps)
        return {ir::UnknownDim{}};
    return {times({std::int64_t{2}, elementsOf(*layers.steps), layers.weights})};
}

// ---- Cells: one step

/// Returns a matrix: the argument itself, or the matrix in the object that was packed.
const TensorFact *matrixAt(const Call &call, std::string_view name)
{
    const Fact *packed = heldBy(call[name], "weight");
    return asTensor(packed ? *packed : call[name]);
}

Answer cell(const Call &call)
{
    const TensorFact *input = call.tensor(0u), *state = stateOf(call["hx"], 0);
    const auto dtype = input ? input->dtype : std::nullopt;
    if (state && state->shape)
        return {tensorFact(dtype, state->shape), tensorFact(dtype, state->shape)};
    if (!input || !input->shape || input->shape->empty())
        return onlyType(dtype, "input shape unknown");
    Shape shape = *input->shape;
    shape.back() = sizeAt(matrixAt(call, "w_hh"), 1);
    return {tensorFact(dtype, shape), tensorFact(dtype, shape)};
}

Cost cellCost(const Call &call, std::span<const Fact>)
{
    const Shape *input = call.shape(0u);
    if (!input || input->empty())
        return {ir::UnknownDim{}};
    const Dim rows = product(std::span(*input).first(input->size() - 1));
    return {times({std::int64_t{2}, rows, matrixElements({matrixAt(call, "w_ih"), matrixAt(call, "w_hh")})})};
}

/// Returns the new hidden state, the new cell state and a workspace of a fused LSTM cell. Its inputs are gates that
/// were already multiplied with the weights.
Answer fusedLstmCell(const Call &call)
{
    const TensorFact *gates = call.tensor(0u), *state = call.tensor("cx");
    if (!gates || !state)
        return unknown("state unknown");
    return {*state, *state, *gates};
}

Answer fusedGruCell(const Call &call)
{
    const TensorFact *state = call.tensor("hx");
    if (!state || !state->shape || state->shape->size() != 2)
        return unknown("state shape unknown");
    return {*state,
            tensorFact(state->dtype, Shape{state->shape->front(), times(state->shape->back(), std::int64_t{5})})};
}

// ---- Library layers

/// Returns the results of one layer and direction in oneDNN.
Answer onednnLayer(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto dtype = call.dtypeOf(0u);
    const auto hidden = call.size("hidden_size");
    if (!input || input->size() != 3 || !hidden)
        return onlyType(dtype, "input shape unknown");
    const auto state = [&](std::string_view name) {
        const TensorFact *fact = call.tensor(name);
        return fact ? Fact(*fact) : Fact(tensorFact(dtype));
    };
    return {tensorFact(dtype, Shape{(*input)[0], (*input)[1], *hidden}), state("hx_"), state("cx_"),
            tensorFact(ir::DType::UInt8, Shape{std::int64_t{0}})};
}

Cost onednnCost(const Call &call, std::span<const Fact>)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() != 3)
        return {ir::UnknownDim{}};
    const Dim weights = matrixElements({call.tensor("weight0"), call.tensor("weight1")});
    return {times({std::int64_t{2}, (*input)[0], (*input)[1], weights})};
}

/// cuDNN and MIOpen: returns the output, the states, a reserve and the weights.
Answer cudnnLayers(const Call &call)
{
    const Shape *input = call.shape(0u), *state = call.shape("hx");
    const auto dtype = call.dtypeOf(0u);
    const auto hidden = call.size("hidden_size"), projected = call.size("proj_size");
    const auto bidirectional = call.flag("bidirectional");
    if (!input || input->empty() || !state || !hidden || !bidirectional)
        return onlyType(dtype, "input shape unknown");
    Shape output = *input;
    output.back() =
        times(projected && number(*projected) != 0 ? *projected : *hidden, std::int64_t{*bidirectional ? 2 : 1});
    const TensorFact *cell = call.tensor("cx");
    return {tensorFact(dtype, std::move(output)), tensorFact(dtype, *state),
            cell ? *cell : tensorFact(dtype, Shape{std::int64_t{0}}), tensorFact(ir::DType::UInt8), tensorFact(dtype)};
}

Cost cudnnCost(const Call &call, std::span<const Fact>)
{
    const Shape *input = call.shape(0u);
    const auto weights = call.tensors("weight");
    if (!input || input->empty() || !weights)
        return {ir::UnknownDim{}};
    return {times({std::int64_t{2}, product(std::span(*input).first(input->size() - 1)), matrixElements(*weights)})};
}

// ---- Packed sequences

Dim sum(const std::vector<Dim> &dims)
{
    Dim total = std::int64_t{0};
    for (const Dim &dim : dims)
        total = plus(total, dim);
    return total;
}

Answer packPadded(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto lengths = call.sizes("lengths");
    const Dim total = lengths ? sum(*lengths) : call.freshSize();
    const Dim longest = lengths && !lengths->empty() ? lengths->front() : call.freshSize();
    const TensorFact sizes = tensorFact(ir::DType::Int64, Shape{longest});
    if (!input || input->size() < 2)
        return {tensorFact(call.dtypeOf(0u)), sizes};
    Shape rows{total};
    rows.insert(rows.end(), input->begin() + 2, input->end());
    return {tensorFact(call.dtypeOf(0u), std::move(rows)), sizes};
}

Answer padPacked(const Call &call)
{
    const Shape *rows = call.shape("data"), *batchSizes = call.shape("batch_sizes");
    if (!rows || rows->empty() || !batchSizes || batchSizes->empty())
        return onlyType(call.dtypeOf("data"), "shape of the packed sequence unknown");
    const auto sizes = call.sizes("batch_sizes");
    const Dim batch = sizes && !sizes->empty() ? sizes->front() : call.freshSize();
    const auto asked = call.integer("total_length").value_or(0);
    const Dim time = asked > 0 ? Dim(asked) : batchSizes->front();
    Shape padded{time, batch};
    if (call.flag("batch_first").value_or(false))
        std::swap(padded[0], padded[1]);
    padded.insert(padded.end(), rows->begin() + 1, rows->end());
    return {tensorFact(call.dtypeOf("data"), std::move(padded)), tensorFact(ir::DType::Int64, Shape{batch})};
}

// ---- ONNX

/// X, W and R have three dimensions each; W and R begin with the direction.
Layers onnxLayers(const Call &call)
{
    const TensorFact *input = call.tensor(0u), *recurrence = call.tensor(2u);
    Layers layers;
    layers.dtype = input && input->dtype       ? input->dtype
        : call.name() == "DynamicQuantizeLSTM" ? call.dtypeOf(3u)
                                               : call.dtypeOf(1u);
    const OnnxRecurrentArguments given = onnxRecurrentArguments(call);
    layers.directions = given.directions();
    if (input && input->shape && input->shape->size() == 3)
        layers.steps = Shape{(*input->shape)[0], (*input->shape)[1]};
    const bool batchFirst = given.isBatchFirst.value_or(false);
    layers.batch = knownOf(sizeAt(call.tensor(5u), batchFirst ? 0 : 1), sizeAt(call.tensor(4u), 0));
    layers.hidden = call.size("hidden_size").value_or(sizeAt(recurrence, 2));
    layers.weights = matrixElements({call.tensor(1u), recurrence});
    return layers;
}

/// Returns all hidden states, the last one and, for an LSTM, the last cell state.
Answer onnxResults(const Call &call)
{
    const Layers layers = onnxLayers(call);
    const bool batchFirst = onnxRecurrentArguments(call).isBatchFirst.value_or(false);
    const Dim time = ir::UnknownDim{};
    const Dim first = layers.steps ? layers.steps->front() : batchFirst ? layers.batch : time;
    const Dim second = layers.steps ? layers.steps->back() : batchFirst ? time : layers.batch;
    const Shape all = batchFirst ? Shape{first, second, layers.directions, layers.hidden}
                                 : Shape{first, layers.directions, second, layers.hidden};
    const Shape last =
        batchFirst ? Shape{first, layers.directions, layers.hidden} : Shape{layers.directions, second, layers.hidden};
    Facts facts{tensorFact(layers.dtype, all), tensorFact(layers.dtype, last), tensorFact(layers.dtype, last)};
    return layers.steps ? Answer(std::move(facts)) : Answer(std::move(facts), unknown("shape of X unknown"));
}

Cost onnxCost(const Call &call, std::span<const Fact>)
{
    const Layers layers = onnxLayers(call);
    if (!layers.steps)
        return {ir::UnknownDim{}};
    return {times({std::int64_t{2}, elementsOf(*layers.steps), layers.weights})};
}

/// The kernel computes step by step and then swaps the first two dimensions: steps are outermost in memory.
Place stepsOutside(const Call &call, const TensorFact &result, std::size_t index)
{
    constexpr std::array<std::size_t, 3> order{1, 0, 2};
    const bool isSwapped = index == 0 && torchRecurrentArguments(call).isBatchFirst.value_or(false);
    return isSwapped && result.shape && result.shape->size() == 3 ? newPlace(result, order) : Place{};
}

constexpr Operator recurrentRows[] = {
    Operator("aten::lstm aten::gru aten::rnn_tanh aten::rnn_relu", Category::Recurrent, Pattern::Other, torchResults,
             torchCost,
             {.compute = compute::torchRecurrent,
              .place = stepsOutside,
              .cpuAutocast = CastTo::Unknown,
              .cudaAutocast = CastTo::Unknown}),
    Operator("aten::quantized_lstm aten::quantized_gru aten::_lstm_mps", Category::Recurrent, Pattern::Other,
             torchResults, torchCost, {.place = stepsOutside}),
    Operator("aten::lstm_cell aten::gru_cell aten::rnn_tanh_cell aten::rnn_relu_cell", Category::Recurrent,
             Pattern::Other, cell, cellCost,
             {.compute = compute::recurrentCell, .cpuAutocast = CastTo::Unknown, .cudaAutocast = CastTo::Lower}),
    Operator("aten::quantized_lstm_cell aten::quantized_gru_cell aten::quantized_rnn_tanh_cell "
             "aten::quantized_rnn_relu_cell quantized::quantized_lstm_cell_dynamic "
             "quantized::quantized_gru_cell_dynamic quantized::quantized_rnn_tanh_cell_dynamic "
             "quantized::quantized_rnn_relu_cell_dynamic",
             Category::Recurrent, Pattern::Other, cell, cellCost),
    Operator("aten::_thnn_fused_lstm_cell", Category::Recurrent, Pattern::Other, fusedLstmCell, onePerResult,
             {.cudaAutocast = CastTo::Lower}),
    Operator("aten::_thnn_fused_gru_cell", Category::Recurrent, Pattern::Other, fusedGruCell, onePerResult,
             {.cudaAutocast = CastTo::Lower}),
    Operator("aten::mkldnn_rnn_layer", Category::Recurrent, Pattern::Other, onednnLayer, onednnCost,
             {.cpuAutocast = CastTo::Lower}),
    Operator("aten::_cudnn_rnn aten::miopen_rnn", Category::Recurrent, Pattern::Other, cudnnLayers, cudnnCost),
    Operator("aten::_pack_sequence", Category::Recurrent), // only TorchScript has it
    Operator("aten::_pack_padded_sequence", Category::Recurrent, Pattern::Other, packPadded),
    Operator("aten::_pad_packed_sequence", Category::Recurrent, Pattern::Other, padPacked),
    Operator("onnx::LSTM onnx::GRU onnx::RNN", Category::Recurrent, Pattern::Other, onnxResults, onnxCost,
             {.compute = compute::recurrent, .demand = demand::recurrent, .parameters = {1, 2, 3}}),
    Operator("com.microsoft::DynamicQuantizeLSTM com.microsoft::AttnLSTM", Category::Recurrent, Pattern::Other,
             onnxResults, onnxCost, {.parameters = {1, 2, 3}}),
    Operator("onnx::GRUUnit aten::_thnn_differentiable_lstm_cell_backward aten::_thnn_differentiable_gru_cell_backward",
             Category::Recurrent, Pattern::Other),
};

} // namespace

std::span<const Operator> recurrentOperators() { return recurrentRows; }

} // namespace cutaway::ops
