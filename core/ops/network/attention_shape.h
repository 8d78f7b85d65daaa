// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// The sizes of attention in all dialects, and the rules of attention operators in ONNX's domains.
namespace cutaway::ops {

/// The sizes of softmax(q kᵀ) v.
struct Attention {
    ir::Shape batch; ///< the batch dimensions, including heads
    ir::Dim queries = ir::UnknownDim{};
    ir::Dim keys = ir::UnknownDim{};
    ir::Dim headSize = ir::UnknownDim{};
    ir::Dim valueSize = ir::UnknownDim{};

    ir::Shape result() const;  ///< batch, queries, value size
    ir::Shape weights() const; ///< batch, queries, keys
    ir::Dim flops() const;     ///< the operations of the two matrix products
    ir::Dim softmaxOperations() const;
};

// ONNX's Attention.
Answer onnxAttention(const Call &call);
Cost onnxAttentionCost(const Call &call, std::span<const Fact> results);

// com.microsoft
Answer projectedAttention(const Call &call); ///< Attention, QAttention: the input is projected to q, k and v
Cost projectedAttentionCost(const Call &call, std::span<const Fact> results);
Answer packedAttention(const Call &call);  ///< like projectedAttention(), for tokens without padding
Answer orderedAttention(const Call &call); ///< attention with three quantized weights
Answer decoderAttention(const Call &call); ///< the sequence comes before the batch
Answer packedMultiHeadAttention(const Call &call);
Answer gatedPositionBias(const Call &call);
Answer multiHeadAttention(const Call &call); ///< q, k and v are separate or packed into one
Cost multiHeadAttentionCost(const Call &call, std::span<const Fact> results);
Answer groupQueryAttention(const Call &call);
Cost groupQueryAttentionCost(const Call &call, std::span<const Fact> results);
/// Attention without a softmax: each position updates a state per head of keys.
Answer linearAttention(const Call &call);
Cost linearAttentionCost(const Call &call, std::span<const Fact> results);
Answer pagedAttention(const Call &call); ///< attention of tokens without padding, with caches in pages

} // namespace cutaway::ops
