// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/generation.h"

#include "core/ops/network/matrix_shape.h"
#include "core/ops/operator.h"

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

// com.microsoft: operators that generate texts by running a whole model. The number of runs depends on data.

Dim givenSize(const Call &call, std::size_t place) { return call.size(place).value_or(ir::UnknownDim{}); }

Dim beamBatch(const Call &call)
{
    const Shape *ids = call.shape(0u);
    return ids && !ids->empty() ? ids->front() : Dim(ir::UnknownDim{});
}

/// Returns sequences, their scores, and the logits of each step. The inputs are the ids of the prompts, the largest and
/// the smallest length, the number of beams, the number of sequences for each prompt, and the length penalty.
Answer beamSearch(const Call &call)
{
    const Dim batch = beamBatch(call), kept = givenSize(call, 4);
    const auto dtype = call.dtypeOf(5u);
    const Shape logits{ir::UnknownDim{}, batch, givenSize(call, 3), ir::UnknownDim{}};
    return {tensorFact(DType::Int32, Shape{batch, kept, givenSize(call, 1)}), tensorFact(dtype, Shape{batch, kept}),
            tensorFact(dtype, logits)};
}

/// Returns the generated sequences. Input 0 has the ids of the prompts, input 1 is the largest length of a sequence.
Answer greedySearch(const Call &call) { return {tensorFact(DType::Int32, Shape{beamBatch(call), givenSize(call, 1)})}; }

/// Returns the scores, in which ids that would repeat earlier ones are lowered.
Answer loweredScores(const Call &call)
{
    const TensorFact *scores = call.tensor(1u);
    return {scores ? tensorFact(scores->dtype, scores->shape) : tensorFact(std::nullopt)};
}

/// Returns the accepted tokens, and the index at which the source continues.
Answer bifurcation(const Call &call)
{
    return {tensorFact(DType::Int64, Shape{call.freshSize()}), tensorFact(DType::Int64, Shape{})};
}

// Operators on packed sequences, which follow each other without padding.

/// Returns the tokens, the position where each was, the cumulative lengths and the length of the longest sequence.
Answer removePadding(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() != 3)
        return onlyType(call.dtypeOf(0u), "input shape unknown");
    const Dim &batch = input->front();
    return {tensorFact(call.dtypeOf(0u), Shape{call.freshSize(), input->back()}),
            tensorFact(DType::Int32, Shape{batch, (*input)[1]}), tensorFact(DType::Int32, Shape{plus(batch, one)}),
            tensorFact(DType::Int32, Shape{one})};
}

Answer restorePadding(const Call &call)
{
    const Shape *tokens = call.shape(0u), *places = call.shape(1u);
    if (!tokens || !places || tokens->size() != 2 || places->size() != 2)
        return onlyType(call.dtypeOf(0u), "shape of the input or the places unknown");
    return {tensorFact(call.dtypeOf(0u), Shape{places->front(), places->back(), tokens->back()})};
}

constexpr Operator generationRows[] = {
    Operator("com.microsoft::BeamSearch com.microsoft::WhisperBeamSearch", Category::ControlFlow, Pattern::Control,
             beamSearch, unknownFlops),
    Operator("com.microsoft::GreedySearch com.microsoft::Sampling", Category::ControlFlow, Pattern::Control,
             greedySearch, unknownFlops),
    Operator("com.microsoft::NGramRepeatBlock", Category::Indexing, Pattern::Picking, loweredScores),
    Operator("com.microsoft::BifurcationDetector", Category::Indexing, Pattern::Picking, bifurcation),
    Operator("com.microsoft::RemovePadding", Category::ShapeView, Pattern::Moving, removePadding),
    Operator("com.microsoft::RestorePadding", Category::ShapeView, Pattern::Moving, restorePadding),
};

} // namespace

std::span<const Operator> generationOperators() { return generationRows; }

} // namespace cutaway::ops
