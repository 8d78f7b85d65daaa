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

// com.microsoft: texts that a whole model inside the operator writes. How often it runs only the data says.

Dim givenSize(const Call &call, std::size_t place) { return call.size(place).value_or(ir::UnknownDim{}); }

Dim beamBatch(const Call &call)
{
    const Shape *ids = call.shape(0u);
    return ids && !ids->empty() ? ids->front() : Dim(ir::UnknownDim{});
}

/// Sequences, their scores, and the logits of each step. Inputs: ids, longest, shortest, beams, sequences, penalty.
Answer beamSearch(const Call &call)
{
    const Dim batch = beamBatch(call), kept = givenSize(call, 4);
    const auto dtype = call.dtypeOf(5u);
    const Shape logits{ir::UnknownDim{}, batch, givenSize(call, 3), ir::UnknownDim{}};
    return {tensorFact(DType::Int32, Shape{batch, kept, givenSize(call, 1)}), tensorFact(dtype, Shape{batch, kept}),
            tensorFact(dtype, logits)};
}

/// Inputs: ids, longest.
Answer greedySearch(const Call &call) { return {tensorFact(DType::Int32, Shape{beamBatch(call), givenSize(call, 1)})}; }

/// Scores of ids that would repeat what was written are lowered.
Answer loweredScores(const Call &call)
{
    const TensorFact *scores = call.tensor(1u);
    return {scores ? tensorFact(scores->dtype, scores->shape) : tensorFact(std::nullopt)};
}

/// Tokens that are accepted, and where the source goes on.
Answer bifurcation(const Call &call)
{
    return {tensorFact(DType::Int64, Shape{call.freshSize()}), tensorFact(DType::Int64, Shape{})};
}

// Sequences one after the other, without what filled them up to one length.

/// Tokens, where each was, sums of lengths, the longest.
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
