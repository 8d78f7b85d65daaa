// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/network/attention_shape.h"
#include "core/ops/network/matrix_shape.h"

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

/// Attention with a cache: queries attend to the keys in the cache and to the new ones.
struct Cached {
    Attention sizes;
    Dim keyHeads = ir::UnknownDim{};

    Shape present(const Dim &width) const { return {sizes.batch.front(), keyHeads, sizes.keys, width}; }
};

Cost cachedCost(const std::optional<Cached> &cached)
{
    return cached ? Cost{cached->sizes.flops(), cached->sizes.softmaxOperations()}
                  : Cost{ir::UnknownDim{}, ir::UnknownDim{}};
}

const Shape *shapeOfRank(const Call &call, Position position, std::size_t rank)
{
    const Shape *shape = call.shape(position);
    return shape && shape->size() == rank ? shape : nullptr;
}

/// Returns the length of the cache at `position`: 0 if there is no cache, unknown if its shape is not known.
Dim lengthOfCache(const Call &call, Position position, std::size_t dim = 2)
{
    if (!call.has(position))
        return std::int64_t{0};
    const Shape *shape = call.shape(position);
    return shape && dim < shape->size() ? (*shape)[dim] : Dim(ir::UnknownDim{});
}

Answer unknownQuery(const Call &call) { return onlyType(call.dtypeOf(0u), "shape of query, key or value unknown"); }

// ---- ai.onnx Attention: four dimensions with heads, or three with all heads joined

struct Split {
    Dim length, width;
};

std::optional<Split> splitHeads(const Call &call, Position position, const Dim &heads)
{
    if (const Shape *shape = shapeOfRank(call, position, 4))
        return Split{(*shape)[2], (*shape)[3]};
    const Shape *shape = shapeOfRank(call, position, 3);
    if (!shape || !isKnown(heads))
        return std::nullopt;
    return Split{(*shape)[1], floorDivide((*shape)[2], heads)};
}

std::optional<Cached> onnxCached(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    const auto q = splitHeads(call, given.query, given.heads), k = splitHeads(call, given.key, given.keyHeads),
               v = splitHeads(call, given.value, given.keyHeads);
    if (!q || !k || !v)
        return std::nullopt;
    const Dim keys = plus(lengthOfCache(call, given.pastKey), k->length);
    return Cached{{{call.shape(given.query)->front(), given.heads}, q->length, keys, q->width, v->width},
                  given.keyHeads};
}

} // namespace

Answer onnxAttention(const Call &call)
{
    const auto cached = onnxCached(call);
    if (!cached)
        return unknownQuery(call);
    const Attention &sizes = cached->sizes;
    const auto dtype = call.dtypeOf(0u);
    const Shape result = call.shape(0u)->size() == 4
        ? sizes.result()
        : Shape{sizes.batch[0], sizes.queries, times(sizes.batch[1], sizes.valueSize)};
    return {tensorFact(dtype, result), tensorFact(call.dtypeOf(1u), cached->present(sizes.headSize)),
            tensorFact(call.dtypeOf(2u), cached->present(sizes.valueSize)), tensorFact(dtype, sizes.weights())};
}

Cost onnxAttentionCost(const Call &call, std::span<const Fact>) { return cachedCost(onnxCached(call)); }

// ---- com.microsoft

namespace {

/// Whether past and present share one tensor, which is longer than its contents.
bool sharesCache(const Call &call) { return call.flag("past_present_share_buffer").value_or(false); }

/// Returns the width of q, k or v, as `which` says: a third of the weights' columns, unless an attribute gives it.
Dim projectedWidth(const Call &call, const Shape &weights, std::size_t which)
{
    const auto widths = call.sizes("qkv_hidden_sizes");
    return widths && widths->size() == 3 ? (*widths)[which] : floorDivide(weights.back(), std::int64_t{3});
}

std::optional<Cached> projectedCached(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    const Shape *input = shapeOfRank(call, given.query, 3), *weights = shapeOfRank(call, given.projection, 2);
    const Dim &heads = given.heads;
    if (!input || !weights || !isKnown(heads))
        return std::nullopt;
    const Dim q = projectedWidth(call, *weights, 0), v = projectedWidth(call, *weights, 2);
    const Dim past = sharesCache(call) ? Dim(ir::UnknownDim{}) : lengthOfCache(call, given.pastKey, 3);
    const Dim keys = plus(past, (*input)[1]);
    return Cached{{{input->front(), heads}, (*input)[1], keys, floorDivide(q, heads), floorDivide(v, heads)}, heads};
}

/// Returns [batch, sequence, all heads joined].
Shape joinedHeads(const Attention &sizes)
{
    return {sizes.batch[0], sizes.queries, times(sizes.batch[1], sizes.valueSize)};
}

} // namespace

Answer projectedAttention(const Call &call)
{
    const bool isQuantized = call.name() == "QAttention";
    const auto dtype = isQuantized ? call.dtypeOf(2u) : call.dtypeOf(0u);
    const auto cached = projectedCached(call);
    if (!cached)
        return onlyType(dtype, "shape of the input or the weights unknown");
    Shape present = cached->present(cached->sizes.headSize);
    present.insert(present.begin(), std::int64_t{2});
    if (const Shape *past = call.shape(attentionArguments(call).pastKey); past && sharesCache(call))
        present = *past;
    return {tensorFact(dtype, joinedHeads(cached->sizes)), tensorFact(dtype, std::move(present))};
}

Answer packedAttention(const Call &call)
{
    const Shape *input = shapeOfRank(call, 0, 2), *weights = shapeOfRank(call, 1, 2);
    if (!input || !weights)
        return onlyType(call.dtypeOf(0u), "shape of the input or the weights unknown");
    return {tensorFact(call.dtypeOf(0u), Shape{input->front(), projectedWidth(call, *weights, 2)})};
}

/// The values are an input of their own, or packed with query and key: [tokens, heads, 3, head size].
Answer packedMultiHeadAttention(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    if (const Shape *packed = shapeOfRank(call, 0, 4))
        return {tensorFact(dtype, Shape{packed->front(), times((*packed)[1], packed->back())})};
    const Shape *query = shapeOfRank(call, 0, 2), *value = shapeOfRank(call, 2, 2);
    return query && value ? Answer{tensorFact(dtype, Shape{query->front(), value->back()})} : unknownQuery(call);
}

Answer orderedAttention(const Call &call)
{
    const Shape *input = shapeOfRank(call, 0, 3), *weights = shapeOfRank(call, 7, 2);
    if (!input || !weights)
        return onlyType(call.dtypeOf(0u), "shape of the input or the weights unknown");
    return {tensorFact(call.dtypeOf(0u), Shape{input->front(), (*input)[1], weights->back()})};
}

/// The sequence is the first dimension. The length of the caches is known only at run time.
Answer decoderAttention(const Call &call)
{
    const Shape *query = shapeOfRank(call, 0, 3);
    const auto heads = call.size("num_heads");
    if (!query || !heads)
        return unknownQuery(call);
    const TensorFact cache =
        tensorFact(call.dtypeOf(0u), Shape{(*query)[1], *heads, ir::UnknownDim{}, floorDivide(query->back(), *heads)});
    return {tensorFact(call.dtypeOf(0u), *query), cache, cache};
}

/// Returns a bias per head and pair of positions. For tokens without padding, the last input gives their positions.
Answer gatedPositionBias(const Call &call)
{
    const Shape *query = call.shape(0u);
    const Shape *sizes = query && query->size() == 2 ? shapeOfRank(call, 6, 2) : shapeOfRank(call, 0, 3);
    const auto heads = call.size("num_heads");
    if (!sizes || !heads)
        return unknownQuery(call);
    return {tensorFact(call.dtypeOf(0u), Shape{sizes->front(), *heads, (*sizes)[1], (*sizes)[1]})};
}

Cost projectedAttentionCost(const Call &call, std::span<const Fact>)
{
    const auto cached = projectedCached(call);
    Cost cost = cachedCost(cached);
    if (cached)
        cost.flops = plus(cost.flops, productCost(call.shape(0u), call.shape(1u)).flops);
    return cost;
}

namespace {

/// Returns the sizes of MultiHeadAttention. Keys may also come from a cache, or be packed with the values: [batch,
/// sequence, heads, 2, head size].
std::optional<Cached> multiHeadCached(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    const Shape *q = call.shape(given.query), *k = call.shape(given.key), *v = call.shape(given.value);
    const Dim &heads = given.heads;
    if (!given.layout || !isKnown(heads))
        return std::nullopt;
    if (given.layout == HeadLayout::Packed)
        return Cached{{{q->front(), heads}, (*q)[1], (*q)[1], q->back(), q->back()}, heads};
    if (!k)
        return std::nullopt;
    const Dim width = floorDivide(q->back(), heads);
    Cached cached{{{q->front(), heads}, (*q)[1], ir::UnknownDim{}, width, width}, heads};
    if (k->size() == 5 || k->size() == 3)
        cached.sizes.keys = plus((*k)[1], lengthOfCache(call, given.pastKey));
    else if (k->size() == 4)
        cached.sizes.keys = (*k)[2];
    if (v && v->size() == 3)
        cached.sizes.valueSize = floorDivide(v->back(), heads);
    else if (v && v->size() == 4)
        cached.sizes.valueSize = v->back();
    return cached;
}

} // namespace

Answer multiHeadAttention(const Call &call)
{
    const auto cached = multiHeadCached(call);
    if (!cached)
        return unknownQuery(call);
    const auto dtype = call.dtypeOf(0u);
    Facts facts{tensorFact(dtype, joinedHeads(cached->sizes))};
    if (call.name() == "MultiHeadAttention")
        facts.insert(facts.end(),
                     {tensorFact(dtype, cached->present(cached->sizes.headSize)),
                      tensorFact(dtype, cached->present(cached->sizes.valueSize))});
    return facts;
}

Cost multiHeadAttentionCost(const Call &call, std::span<const Fact>) { return cachedCost(multiHeadCached(call)); }

namespace {

/// Returns the number of heads, of q, k and v together, in a query that keys and values are packed into.
Dim packedHeads(const Dim &heads, const Dim &keyHeads) { return plus(heads, times(std::int64_t{2}, keyHeads)); }

/// Returns the sizes of grouped-query attention. `keys` is the length of the caches that the operator returns.
std::optional<Cached> groupedCached(const Call &call, Dim keys)
{
    const AttentionArguments given = attentionArguments(call);
    const Shape *q = shapeOfRank(call, given.query, 3);
    const bool isPacked = given.layout == HeadLayout::PackedJoined;
    if (!q || !isKnown(given.heads) || !isKnown(given.keyHeads) || (!isPacked && !shapeOfRank(call, given.key, 3)))
        return std::nullopt;
    const Dim parts = isPacked ? packedHeads(given.heads, given.keyHeads) : given.heads;
    const Dim width = floorDivide(q->back(), parts);
    return Cached{{{q->front(), given.heads}, (*q)[1], std::move(keys), width, width}, given.keyHeads};
}

/// Returns the number of positions that are attended to, if the file gives it.
Dim totalLength(const Call &call) { return call.size(attentionArguments(call).totalLength).value_or(ir::UnknownDim{}); }

/// Returns the length of the cache that the operator returns. If the file gives the total, it is the larger of this and
/// the past cache. Otherwise, without a past cache it is the number of new keys; a past cache of a fixed length is a
/// buffer that is written to in place, so that its length stays; other caches grow to a total that only data decides,
/// at most the past and the new keys together.
Dim presentLength(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    const Dim past = lengthOfCache(call, given.pastKey), total = totalLength(call);
    const Shape *q = shapeOfRank(call, given.query, 3);
    const Dim come = q ? (*q)[1] : Dim(ir::UnknownDim{});
    if (!call.has(given.pastKey) || number(past) == 0)
        return isKnown(total) ? total : come;
    if (isKnown(total))
        return maximum(past, total);
    return number(past) ? past : maximum(past, call.freshSize("total", plus(past, come)));
}

/// Returns how many positions are attended to: the total that the file gives or for which presentLength() made a
/// symbol. For a buffer a new symbol is made here.
Dim attendedLength(const Call &call, std::span<const Fact> results)
{
    if (const Dim total = totalLength(call); isKnown(total))
        return total;
    const Dim past = lengthOfCache(call, attentionArguments(call).pastKey);
    const TensorFact *present = results.size() > 1 ? asTensor(results[1]) : nullptr;
    Dim length =
        present && present->shape && present->shape->size() == 4 ? (*present->shape)[2] : Dim(ir::UnknownDim{});
    if (number(past).value_or(0) > 0)
        return call.freshSize("total", past);
    const auto *larger = std::get_if<symbolic::Expr>(&length);
    if (larger && larger->kind() == symbolic::Kind::Maximum)
        for (const symbolic::Expr &operand : larger->operands())
            if (Dim(operand) != past)
                return operand;
    return length;
}

} // namespace

Answer groupQueryAttention(const Call &call)
{
    const auto cached = groupedCached(call, presentLength(call));
    if (!cached)
        return unknownQuery(call);
    const AttentionArguments given = attentionArguments(call);
    const TensorFact present = tensorFact(call.dtypeOf(call.has(given.pastKey) ? given.pastKey : given.query),
                                          cached->present(cached->sizes.headSize));
    return {tensorFact(call.dtypeOf(given.query), joinedHeads(cached->sizes)), present, present};
}

Cost groupQueryAttentionCost(const Call &call, std::span<const Fact> results)
{
    return cachedCost(groupedCached(call, attendedLength(call, results)));
}

namespace {

/// The sizes of LinearAttention. If keys and values are not given, the query holds all three, and all heads have one
/// width.
struct LinearSizes {
    Dim batch, length, queryHeads, keyHeads, keySize, valueSize;

    Dim heads() const { return maximum(queryHeads, keyHeads); }
};

std::optional<LinearSizes> linearSizes(const Call &call)
{
    const Shape *q = shapeOfRank(call, 0, 3), *v = shapeOfRank(call, 2, 3);
    const auto queryHeads = call.size("q_num_heads"), keyHeads = call.size("kv_num_heads");
    if (!q || !queryHeads || !keyHeads || (call.has(2u) && !v))
        return std::nullopt;
    const Dim parts = v ? *queryHeads : packedHeads(*queryHeads, *keyHeads);
    const Dim width = floorDivide(q->back(), parts);
    return LinearSizes{q->front(), (*q)[1], *queryHeads,
                       *keyHeads,  width,   v ? floorDivide(v->back(), *keyHeads) : width};
}

} // namespace

Answer linearAttention(const Call &call)
{
    const auto sizes = linearSizes(call);
    if (!sizes)
        return unknownQuery(call);
    const auto dtype = call.dtypeOf(0u);
    const Shape state{sizes->batch, sizes->keyHeads, sizes->keySize, sizes->valueSize};
    return {tensorFact(dtype, Shape{sizes->batch, sizes->length, times(sizes->heads(), sizes->valueSize)}),
            tensorFact(call.has(3u) ? call.dtypeOf(3u) : dtype, state)};
}

/// Each position adds the product of its key and value to the state, and its query reads the state. With a delta rule
/// the position first reads the state at its key.
Cost linearAttentionCost(const Call &call, std::span<const Fact>)
{
    const auto sizes = linearSizes(call);
    if (!sizes)
        return {ir::UnknownDim{}};
    const std::string_view rule = call.text("update_rule");
    const Dim updates = times(sizes->keyHeads, std::int64_t{rule.empty() || rule.contains("delta") ? 2 : 1});
    return {times({std::int64_t{2}, sizes->batch, sizes->length, sizes->keySize, sizes->valueSize,
                   plus(updates, sizes->heads())})};
}

Answer pagedAttention(const Call &call)
{
    const Shape *query = shapeOfRank(call, 0, 2);
    const auto heads = call.size("num_heads"), keyHeads = call.size("kv_num_heads");
    if (!query || !heads || !keyHeads)
        return unknownQuery(call);
    const Dim width =
        call.has(1u) ? query->back() : times(*heads, floorDivide(query->back(), packedHeads(*heads, *keyHeads)));
    const auto cache = [&](std::size_t i) { return tensorFact(call.dtypeOf(i), shapeAt(call, i)); };
    return {tensorFact(call.dtypeOf(0u), Shape{query->front(), width}), cache(3), cache(4)};
}

} // namespace cutaway::ops
