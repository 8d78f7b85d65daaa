// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/attention_arguments.h"

namespace cutaway::ops {

using ir::Dim;

namespace {

Dim sizeOf(const Call &call, std::string_view name) { return call.size(name).value_or(ir::UnknownDim{}); }

std::size_t rankOf(const Call &call, Position position)
{
    const ir::Shape *shape = call.shape(position);
    return shape ? shape->size() : 0;
}

/// The size of a dimension of an argument; unknown unless the argument is known to have `rank` dimensions.
Dim sizeAt(const Call &call, Position position, std::size_t rank, std::size_t dim)
{
    return rankOf(call, position) == rank ? (*call.shape(position))[dim] : Dim(ir::UnknownDim{});
}

AttentionArguments torchAttention(const Call &call)
{
    AttentionArguments made;
    made.query = 0;
    made.key = 1;
    made.value = 2;
    made.mask = call.position({"attn_mask", "attn_bias", "bias"});
    const bool isSequenceFirst =
        call.name() == "_flash_attention_forward" || call.name() == "_efficient_attention_forward";
    made.layout = isSequenceFirst ? HeadLayout::SequenceFirst : HeadLayout::HeadsFirst;
    made.heads = sizeAt(call, made.query, 4, isSequenceFirst ? 2 : 1);
    made.keyHeads = sizeAt(call, made.key, 4, isSequenceFirst ? 2 : 1);
    if (call.has("is_causal"))
        made.isCausal = call.flag("is_causal");
    else if (call.has("custom_mask_type")) // 1: causal from the top left, 2: from the bottom right
        made.isCausal = call.integer("custom_mask_type").transform([](std::int64_t type) { return type != 0; });
    if (call.has("dropout_p"))
        made.dropout = call.floating("dropout_p");
    if (call.has("enable_gqa"))
        made.enableGqa = call.flag("enable_gqa");
    // The arguments are flex_attention(query, key, value, score_mod, block_mask, scale, enable_gqa, …).
    if (call.dialect() == "higher_order") {
        made.scale = call.has(5u) ? Given<double>(call.floating(5u)) : std::nullopt;
        made.enableGqa = call.has(6u) ? call.flag(6u) : std::nullopt;
    }
    return made;
}

/// Reads ONNX's own Attention. The query has four dimensions, one of which is the heads, or three; the numbers of heads
/// are then attributes.
AttentionArguments onnxAttention23(const Call &call)
{
    AttentionArguments made;
    made.query = 0;
    made.key = 1;
    made.value = 2;
    made.mask = 3;
    made.pastKey = 4;
    made.pastValue = 5;
    made.keyPadding = 6;
    const std::size_t rank = rankOf(call, made.query);
    made.layout = rank == 4 ? std::optional(HeadLayout::HeadsFirst)
        : rank == 3         ? std::optional(HeadLayout::HeadsJoined)
                            : std::nullopt;
    made.heads = rank == 4 ? sizeAt(call, made.query, 4, 1) : sizeOf(call, "q_num_heads");
    made.keyHeads = rankOf(call, made.key) == 4 ? sizeAt(call, made.key, 4, 1) : sizeOf(call, "kv_num_heads");
    made.isCausal = call.flag("is_causal").value_or(false);
    return made;
}

/// Reads Attention, QAttention and DecoderMaskedSelfAttention of com.microsoft.
AttentionArguments projectedArguments(const Call &call)
{
    AttentionArguments made;
    // QAttention has scales and zero points between the other inputs.
    const bool isQuantized = call.name() == "QAttention";
    made.query = 0;
    made.projection = 1;
    made.mask = isQuantized ? Position() : Position(5);
    made.keyPadding = isQuantized ? 5 : 3;
    made.pastKey = made.pastValue = isQuantized ? 8 : 4;
    made.layout = HeadLayout::Projected;
    made.heads = made.keyHeads = sizeOf(call, "num_heads");
    made.isCausal = call.flag("unidirectional").value_or(false);
    return made;
}

/// Reads MultiHeadAttention and DecoderMaskedMultiHeadAttention of com.microsoft.
AttentionArguments multiHeadArguments(const Call &call)
{
    AttentionArguments made;
    const std::size_t mask = call.name() == "MultiHeadAttention" ? 5 : 4;
    made.query = 0;
    made.key = 1;
    made.value = 2;
    made.mask = mask;
    made.keyPadding = mask - 1;
    made.pastKey = mask + 1;
    made.pastValue = mask + 2;
    const std::size_t rank = rankOf(call, made.query);
    made.layout = rank == 5 ? std::optional(HeadLayout::Packed)
        : rank == 3         ? std::optional(HeadLayout::HeadsJoined)
                            : std::nullopt;
    made.heads = made.keyHeads = sizeOf(call, "num_heads");
    made.isCausal = call.flag("unidirectional").value_or(false);
    return made;
}

/// Reads GroupQueryAttention and SparseAttention of com.microsoft.
AttentionArguments groupQueryArguments(const Call &call)
{
    AttentionArguments made;
    const bool isSparse = call.name() == "SparseAttention";
    made.query = 0;
    made.key = 1;
    made.value = 2;
    made.mask = isSparse ? Position() : Position(10);
    made.pastKey = 3;
    made.pastValue = 4;
    made.keyPadding = isSparse ? 8 : 5;
    made.totalLength = isSparse ? 7 : 6;
    made.layout = call.has(made.key) ? HeadLayout::HeadsJoined : HeadLayout::PackedJoined;
    made.heads = sizeOf(call, "num_heads");
    made.keyHeads = sizeOf(call, "kv_num_heads");
    made.isCausal = true;
    return made;
}

AttentionArguments readAttention(const Call &call)
{
    if (!call.isOnnx())
        return torchAttention(call);
    if (call.dialect() != "com.microsoft")
        return onnxAttention23(call);
    if (call.name().contains("MultiHead"))
        return multiHeadArguments(call);
    if (call.name() == "GroupQueryAttention" || call.name() == "SparseAttention")
        return groupQueryArguments(call);
    return projectedArguments(call);
}

} // namespace

AttentionArguments attentionArguments(const Call &call)
{
    AttentionArguments made = readAttention(call);
    const bool isZeroForNone = call.dialect() == "com.microsoft"; // for these operators a scale of 0 means the default
    if (call.has("scale") && !(isZeroForNone && call.floating("scale") == 0.0))
        made.scale = call.floating("scale");
    if (call.isOnnx() && call.has("softcap"))
        made.softcap = call.floating("softcap");
    return made;
}

} // namespace cutaway::ops
