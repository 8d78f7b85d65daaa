// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/attention.h"

#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/compute/rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/network/attention_shape.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/special/rules.h"

#include <array>

namespace cutaway::ops {

using ir::Dim;
using ir::Shape;

Shape Attention::result() const
{
    Shape shape = batch;
    shape.insert(shape.end(), {queries, valueSize});
    return shape;
}

Shape Attention::weights() const
{
    Shape shape = batch;
    shape.insert(shape.end(), {queries, keys});
    return shape;
}

Dim Attention::flops() const { return times({std::int64_t{2}, elementsOf(weights()), plus(headSize, valueSize)}); }

Dim Attention::softmaxOperations() const { return times(std::int64_t{5}, elementsOf(weights())); }

namespace {

Cost attentionCost(const std::optional<Attention> &sizes)
{
    return sizes ? Cost{sizes->flops(), sizes->softmaxOperations()} : Cost{ir::UnknownDim{}, ir::UnknownDim{}};
}

/// Returns the sizes of q, k and v, [batch…, sequence, head size]. With grouped queries, heads of k and v are repeated.
std::optional<Attention> attentionOf(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    const Shape *q = call.shape(given.query), *k = call.shape(given.key), *v = call.shape(given.value);
    if (!q || !k || !v || q->size() < 2 || k->size() < 2 || v->size() < 2)
        return std::nullopt;
    const auto batchOf = [](const Shape &shape) { return Shape(shape.begin(), shape.end() - 2); };
    Attention sizes{batchOf(*q), (*q)[q->size() - 2], (*k)[k->size() - 2], q->back(), v->back()};
    if (given.enableGqa != false)
        return sizes;
    const std::array batches{batchOf(*q), batchOf(*k), batchOf(*v)};
    const std::array<const Shape *, 3> all{batches.data(), &batches[1], &batches[2]};
    auto batch = broadcast(all);
    if (!batch || isDifferent(q->back(), k->back()) || isDifferent(sizes.keys, (*v)[v->size() - 2]))
        return std::nullopt;
    sizes.batch = std::move(*batch);
    return sizes;
}

Cost attentionCost(const Call &call, std::span<const Fact>) { return attentionCost(attentionOf(call)); }

Answer failed(const Call &call)
{
    for (const std::size_t i : {0u, 1u, 2u})
        if (!call.shape(i))
            return onlyType(call.dtypeOf(0u), "number of dimensions of query, key or value unknown");
    return wrong("query, key and value do not fit: " + ir::print(*call.shape(0u)) + ", " + ir::print(*call.shape(1u))
                 + ", " + ir::print(*call.shape(2u)));
}

Answer attentionAlone(const Call &call)
{
    const auto sizes = attentionOf(call);
    return sizes ? Answer{tensorFact(call.dtypeOf(0u), sizes->result())} : failed(call);
}

/// Returns the dtype in which softmax is computed: at least float32.
std::optional<ir::DType> wideType(std::optional<ir::DType> dtype)
{
    if (!dtype || *dtype == ir::DType::Float64)
        return dtype;
    return ir::DType::Float32;
}

/// Returns the results of a fused kernel: the output, and for each query the logarithm of the sum that softmax divides
/// by; further results are unknown. `sums`: the number of these logarithms for each head.
Answer fusedAttention(const Call &call, const Dim &sums)
{
    const auto sizes = attentionOf(call);
    if (!sizes)
        return failed(call);
    Shape logarithms = sizes->batch;
    logarithms.push_back(sums);
    Facts facts(std::max<std::size_t>(call.resultCount(), 2));
    facts[0] = tensorFact(call.dtypeOf(0u), sizes->result());
    facts[1] = tensorFact(wideType(call.dtypeOf(0u)), std::move(logarithms));
    return facts;
}

Answer flashAttention(const Call &call)
{
    const auto sizes = attentionOf(call);
    if (!sizes)
        return failed(call);
    Answer answer = fusedAttention(call, sizes->queries);
    if (answer.facts.size() == 9) { // cum_seq_q, cum_seq_k, max_q, max_k, …, debug_attn_mask
        answer.facts[2] = answer.facts[3] = NoneFact{};
        answer.facts[4] = intFact(sizes->queries);
        answer.facts[5] = intFact(sizes->keys);
    }
    return answer;
}

/// The logarithms of the sums, one for each query, are padded to a multiple of 32.
Answer efficientAttention(const Call &call)
{
    const auto sizes = attentionOf(call);
    if (!sizes)
        return failed(call);
    const auto wanted = call.flag("compute_log_sumexp");
    const Dim padded = times(ceilDivide(sizes->queries, std::int64_t{32}), std::int64_t{32});
    Answer answer = fusedAttention(call, !wanted ? Dim(ir::UnknownDim{}) : *wanted ? padded : Dim(std::int64_t{0}));
    for (std::size_t i = 2; i < answer.facts.size(); ++i)
        answer.facts[i] = tensorFact(ir::DType::Int64, Shape{});
    return answer;
}

Answer cudnnAttention(const Call &call)
{
    Answer answer = attentionAlone(call);
    answer.facts.resize(call.resultCount());
    return answer;
}

/// Returns the output and the attention weights.
Answer mathAttention(const Call &call)
{
    const auto sizes = attentionOf(call);
    if (!sizes)
        return failed(call);
    return {tensorFact(call.dtypeOf(0u), sizes->result()), tensorFact(call.dtypeOf(0u), sizes->weights())};
}

/// Reads arguments for the kernels below, which want the sequence before the heads.
std::optional<Attention> headsLast(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    const Shape *q = call.shape(given.query), *k = call.shape(given.key), *v = call.shape(given.value);
    if (!q || !k || !v || q->size() != 4 || k->size() != 4 || v->size() != 4)
        return std::nullopt;
    return Attention{{q->front(), given.heads}, (*q)[1], (*k)[1], q->back(), v->back()};
}

Answer headsLastAttention(const Call &call)
{
    const auto sizes = headsLast(call);
    if (!sizes)
        return onlyType(call.dtypeOf(0u), "query packed or its shape unknown");
    Facts facts(call.resultCount());
    if (!facts.empty())
        facts[0] =
            tensorFact(call.dtypeOf(0u), Shape{sizes->batch[0], sizes->queries, sizes->batch[1], sizes->valueSize});
    return facts;
}

Cost headsLastCost(const Call &call, std::span<const Fact>) { return attentionCost(headsLast(call)); }

Answer flexAttention(const Call &call)
{
    const auto sizes = attentionOf(call);
    if (!sizes)
        return failed(call);
    Facts facts(std::max<std::size_t>(call.resultCount(), 2));
    Shape sums = sizes->batch;
    sums.push_back(sizes->queries);
    facts[0] = tensorFact(call.dtypeOf(0u), sizes->result());
    facts[1] = tensorFact(ir::DType::Float32, std::move(sums));
    return facts;
}

// ---- torch's fused encoder layers

/// The sizes of an encoder layer whose query and key are [batch, sequence, embedding].
struct Encoder {
    Dim batch, queries, keys, embedding;

    /// The FLOPs of the projections to q, k and v, of the attention, and of the projection of its result.
    Dim attentionFlops() const
    {
        const Dim two = std::int64_t{2};
        const Dim projections = times({two, batch, embedding, embedding, times(two, plus(queries, keys))});
        return plus(projections, times({two, two, batch, queries, keys, embedding}));
    }
};

std::optional<Encoder> encoderOf(const Call &call, std::size_t key)
{
    const Shape *q = call.shape(0u), *k = call.shape(key);
    if (!q || !k || q->size() != 3 || k->size() != 3)
        return std::nullopt;
    return Encoder{(*q)[0], (*q)[1], (*k)[1], (*q)[2]};
}

Answer nativeMultiHead(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    const auto sizes = encoderOf(call, 1);
    if (!sizes)
        return onlyType(dtype, "query shape unknown");
    Facts facts{tensorFact(dtype, *call.shape(0u)), tensorFact(dtype)};
    const auto needed = call.flag("need_weights"), averaged = call.flag("average_attn_weights");
    if (needed != true || !averaged)
        return facts;
    Shape weights{sizes->batch, sizes->queries, sizes->keys};
    if (!*averaged)
        weights.insert(weights.begin() + 1, call.size("num_head").value_or(ir::UnknownDim{}));
    facts[1] = tensorFact(dtype, std::move(weights));
    return facts;
}

Cost nativeMultiHeadCost(const Call &call, std::span<const Fact>)
{
    const auto sizes = encoderOf(call, 1);
    return {sizes ? sizes->attentionFlops() : Dim(ir::UnknownDim{})};
}

Answer likeQuery(const Call &call)
{
    const TensorFact *query = call.tensor(0u);
    return query ? Answer{tensorFact(query->dtype, query->shape)} : unknown("the input is not a tensor");
}

Cost encoderLayerCost(const Call &call, std::span<const Fact>)
{
    const auto sizes = encoderOf(call, 0);
    const Shape *inner = call.shape("ffn_weight_1");
    if (!sizes || !inner || inner->empty())
        return {ir::UnknownDim{}};
    const Dim feedForward = times({std::int64_t{4}, sizes->batch, sizes->queries, sizes->embedding, inner->front()});
    return {plus(sizes->attentionFlops(), feedForward)};
}

/// Splits a tensor of q, k and v into three by heads.
Answer rescaledQkv(const Call &call)
{
    const Shape *qkv = call.shape(0u);
    const auto heads = call.size("num_heads");
    if (!qkv || qkv->size() != 3 || !heads)
        return unknown("shape of the packed query unknown");
    const Dim width = floorDivide(qkv->back(), times(std::int64_t{3}, *heads));
    const TensorFact each = tensorFact(call.dtypeOf(0u), Shape{(*qkv)[0], *heads, (*qkv)[1], width});
    return {each, each, each};
}

/// Returns a bias per head and pair of positions, which comes from a table [buckets, heads].
Answer positionBias(const Call &call)
{
    const Shape *table = call.shape(0u);
    if (!table || table->size() != 2)
        return onlyType(call.dtypeOf(0u), "table shape unknown");
    return {tensorFact(call.dtypeOf(0u),
                       Shape{std::int64_t{1}, table->back(), call.size(1u).value_or(ir::UnknownDim{}),
                             call.size(2u).value_or(ir::UnknownDim{})})};
}

/// The result's memory has the heads within positions, which is the order in which the next projection reads it.
Place headsInside(const Call &call, const TensorFact &result, std::size_t index)
{
    constexpr std::array<std::size_t, 4> order{0, 2, 1, 3};
    const auto isUsable = [&](std::size_t i) {
        const TensorFact *tensor = call.tensor(i);
        return tensor && tensor->shape && tensor->shape->size() == 4 && isOne(stridesOf(*tensor).back());
    };
    const bool isFused = isUsable(0) && isUsable(1) && isUsable(2) && attentionArguments(call).dropout == 0.0;
    return index == 0 && isFused && result.shape && result.shape->size() == 4 ? newPlace(result, order) : Place{};
}

/// Returns the gradients of query, key and value, each of the same type.
Answer attentionGradients(const Call &call)
{
    Facts facts;
    for (const std::string_view name : {"query", "key", "value"})
        facts.push_back(
            tensorFact(call.dtypeOf(name), call.shape(name) ? std::optional(*call.shape(name)) : std::nullopt));
    facts.resize(std::max(facts.size(), call.resultCount()));
    return facts;
}

/// Counts five matrix products of the size of the forward pass, as torch.utils.flop_counter does.
Cost attentionGradientsCost(const Call &call, std::span<const Fact>)
{
    const ir::Shape *q = call.shape("query"), *k = call.shape("key"), *v = call.shape("value");
    if (!q || !k || !v || q->size() < 2 || k->size() < 2 || v->size() < 2)
        return {ir::UnknownDim{}, ir::UnknownDim{}};
    Shape scores(q->begin(), q->end() - 1);
    scores.push_back((*k)[k->size() - 2]);
    const Dim elements = elementsOf(scores);
    const Dim widths = plus(times(std::int64_t{6}, q->back()), times(std::int64_t{4}, v->back()));
    return {times(elements, widths), times(std::int64_t{8}, elements)};
}

constexpr Operator attentionRows[] = {
    Operator("aten::scaled_dot_product_attention", Category::Attention, Pattern::Other, attentionAlone, attentionCost,
             {.kind = kind::scaledDotProductAttention,
              .compute = compute::attention,
              .place = headsInside,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::_triton_scaled_dot_attention", Category::Attention, Pattern::Other, attentionAlone, attentionCost,
             {.place = headsInside}),
    Operator("aten::_scaled_dot_product_flash_attention", Category::Attention, Pattern::Other, flashAttention,
             attentionCost, {.place = headsInside, .cudaAutocast = CastTo::Lower}),
    Operator("aten::_scaled_dot_product_flash_attention_for_cpu aten::_scaled_dot_product_fused_attention_overrideable",
             Category::Attention, Pattern::Other, flashAttention, attentionCost, {.place = headsInside}),
    Operator("aten::_scaled_dot_product_efficient_attention", Category::Attention, Pattern::Other, efficientAttention,
             attentionCost),
    Operator("aten::_scaled_dot_product_cudnn_attention", Category::Attention, Pattern::Other, cudnnAttention,
             attentionCost),
    Operator("aten::_scaled_dot_product_attention_math aten::_scaled_dot_product_attention_math_for_mps "
             "aten::_scaled_dot_product_attention_forward",
             Category::Attention, Pattern::Other, mathAttention, attentionCost),
    Operator("aten::_scaled_dot_product_attention", Category::Attention, Pattern::Other, mathAttention, attentionCost,
             {.kind = kind::scaledDotProductAttention, .compute = compute::attention}),
    Operator("aten::_flash_attention_forward aten::_efficient_attention_forward", Category::Attention, Pattern::Other,
             headsLastAttention, headsLastCost),
    Operator("higher_order::flex_attention", Category::Attention, Pattern::Other, flexAttention, attentionCost),
    Operator("aten::_native_multi_head_attention", Category::Attention, Pattern::Other, nativeMultiHead,
             nativeMultiHeadCost, {.compute = compute::multiHeadAttention, .cpuAutocast = CastTo::Lower}),
    Operator("aten::_triton_multi_head_attention", Category::Attention, Pattern::Other, nativeMultiHead,
             nativeMultiHeadCost),
    Operator("aten::_transformer_encoder_layer_fwd", Category::Attention, Pattern::Other, likeQuery, encoderLayerCost,
             {.compute = compute::encoderLayer}),
    Operator("aten::_transform_bias_rescale_qkv", Category::Attention, Pattern::Other, rescaledQkv, onePerArgument),
    Operator("aten::_fused_sdp_choice", Category::Attention, Pattern::Other, someInt),
    Operator("onnx::Attention", Category::Attention, Pattern::Other, onnxAttention, onnxAttentionCost,
             {.kind = kind::scaledDotProductAttention, .compute = compute::attention, .demand = demand::heads}),
    Operator("onnx::RotaryEmbedding com.microsoft::RotaryEmbedding com.microsoft::GemmaRotaryEmbedding",
             Category::Attention, Pattern::Other, likeQuery, onePerArgument),
    Operator("com.microsoft::Attention com.microsoft::QAttention com.microsoft::DecoderMaskedSelfAttention",
             Category::Attention, Pattern::Other, projectedAttention, projectedAttentionCost,
             {.demand = demand::heads, .parameters = {1, 2}}),
    Operator("com.microsoft::MultiHeadAttention com.microsoft::DecoderMaskedMultiHeadAttention", Category::Attention,
             Pattern::Other, multiHeadAttention, multiHeadAttentionCost, {.demand = demand::heads}),
    Operator("com.microsoft::GroupQueryAttention com.microsoft::SparseAttention", Category::Attention, Pattern::Other,
             groupQueryAttention, groupQueryAttentionCost, {.demand = demand::heads}),
    Operator("com.microsoft::LinearAttention", Category::Attention, Pattern::Other, linearAttention,
             linearAttentionCost),
    Operator("com.microsoft::PagedAttention", Category::Attention, Pattern::Other, pagedAttention, unknownFlops),
    Operator("com.microsoft::RelativePositionBias", Category::Attention, Pattern::Other, positionBias),
    Operator("com.microsoft::LongformerAttention com.microsoft::QOrderedLongformerAttention", Category::Attention,
             Pattern::Other, likeQuery, unknownFlops),
    Operator("com.microsoft::PackedAttention", Category::Attention, Pattern::Other, packedAttention, unknownFlops),
    Operator("com.microsoft::PackedMultiHeadAttention", Category::Attention, Pattern::Other, packedMultiHeadAttention,
             unknownFlops),
    Operator("com.microsoft::QOrderedAttention", Category::Attention, Pattern::Other, orderedAttention, unknownFlops),
    Operator("com.microsoft::GatedRelativePositionBias", Category::Attention, Pattern::Other, gatedPositionBias,
             unknownFlops),
    Operator("com.microsoft::DecoderAttention", Category::Attention, Pattern::Other, decoderAttention, unknownFlops),
    Operator("aten::_scaled_dot_product_flash_attention_for_cpu_backward "
             "aten::_scaled_dot_product_flash_attention_backward "
             "aten::_scaled_dot_product_efficient_attention_backward "
             "aten::_scaled_dot_product_cudnn_attention_backward "
             "aten::_scaled_dot_product_fused_attention_overrideable_backward",
             Category::Attention, Pattern::Other, attentionGradients, attentionGradientsCost),
    Operator("aten::_cudnn_attention_forward aten::_native_decoder_only_multi_head_attention "
             "aten::_transformer_decoder_only_layer_fwd higher_order::flex_attention_backward",
             Category::Attention, Pattern::Other),
};

} // namespace

std::span<const Operator> attentionOperators() { return attentionRows; }

} // namespace cutaway::ops
