// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/numbers.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

// PyTorch's fused operators of a transformer are computed by the operators that they combine.

namespace cutaway::compute {

namespace {

/// Returns x·Wᵀ + b.
std::optional<Array> linearOf(const Array &x, const Array &weight, const Array &bias)
{
    auto product = matrixProduct(x, transposedLast(inDoubles(weight)));
    const auto added = product ? broadcast(inDoubles(bias), product->shape) : std::nullopt;
    if (!added)
        return std::nullopt;
    auto &floats = std::get<std::vector<double>>(product->elements);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] += added->as<double>()[i];
    return product;
}

std::optional<Array> sumOf(std::optional<Array> a, const Array &b)
{
    if (!a || a->shape != b.shape)
        return std::nullopt;
    auto &floats = std::get<std::vector<double>>(a->elements);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] += b.as<double>()[i];
    return a;
}

/// Normalizes the last dimension, with a weight and a bias.
std::optional<Array> normalized(std::optional<Array> x, const Array &weight, const Array &bias, double epsilon)
{
    if (!x || x->shape.empty() || weight.shape != Sizes{x->shape.back()} || bias.shape != weight.shape)
        return std::nullopt;
    const std::vector<double> factors = floatsOf(weight), added = floatsOf(bias);
    auto &floats = std::get<std::vector<double>>(x->elements);
    for (std::size_t start = 0; start < floats.size(); start += factors.size()) {
        const auto row = std::span(floats).subspan(start, factors.size());
        const double middle = mean.real(row);
        double spread = 0;
        for (const double a : row)
            spread += (a - middle) * (a - middle);
        const double scale = 1 / std::sqrt(spread / static_cast<double>(row.size()) + epsilon);
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = (row[i] - middle) * scale * factors[i] + added[i];
    }
    return x;
}

/// Returns [batch, length, heads·size] as [batch, heads, length, size].
Array inHeads(const Array &x, std::int64_t heads)
{
    const std::vector<std::size_t> order{0, 2, 1, 3};
    return permuted(reshaped(x, {x.shape[0], x.shape[1], heads, x.shape[2] / heads}), order);
}

/// Returns a mask [batch, heads, queries, keys] that is true for the keys that a query does not see. `type` says what
/// the given mask is for: queries × keys (0), the keys of each sequence of the batch (1), or queries × keys for each
/// sequence and head (2).
std::optional<Array> maskFor(const Array &mask, std::int64_t type, const Sizes &scores)
{
    if (mask.dtype != ir::DType::Bool)
        return std::nullopt;
    const bool isOfKeys = type == 1 && mask.shape == Sizes{scores[0], scores[3]};
    if (!isOfKeys && type != 0 && type != 2)
        return std::nullopt;
    return broadcast(isOfKeys ? reshaped(mask, {scores[0], 1, 1, scores[3]}) : mask, scores);
}

/// Returns the softmax of the scores; nothing if a row sees no key, where torch's result is not followed.
std::optional<Array> softmaxOfSeen(Array scores, const std::optional<Array> &mask, double scale)
{
    auto &floats = std::get<std::vector<double>>(scores.elements);
    const auto keys = static_cast<std::size_t>(scores.shape.back());
    for (std::size_t start = 0; start < floats.size(); start += keys) {
        double top = -std::numeric_limits<double>::infinity(), total = 0;
        for (std::size_t i = start; i < start + keys; ++i) {
            const bool isHidden = mask && mask->as<Whole>()[i] != 0;
            floats[i] = isHidden ? -std::numeric_limits<double>::infinity() : floats[i] * scale;
            top = std::max(top, floats[i]);
        }
        if (std::isinf(top))
            return std::nullopt;
        for (std::size_t i = start; i < start + keys; ++i)
            total += floats[i] = std::exp(floats[i] - top);
        for (std::size_t i = start; i < start + keys; ++i)
            floats[i] /= total;
    }
    return scores;
}

/// The weights of an attention: those of query, key and value are stacked in one matrix.
struct HeadWeights {
    const Array *all, *allBias, *projection, *projectionBias;
    std::optional<std::int64_t> heads;

    static HeadWeights of(const Call &call, std::string_view headsName)
    {
        return {call.array("qkv_weight"), call.array("qkv_bias"), call.array("proj_weight"), call.array("proj_bias"),
                call.facts().integer(headsName)};
    }
    bool fits(std::int64_t width) const
    {
        return all && allBias && projection && projectionBias && heads && *heads > 0 && width % *heads == 0
            && all->shape == Sizes{3 * width, width} && allBias->shape == Sizes{3 * width};
    }
    /// Returns the query (`part` 0), the key (1) or the value (2) of x, split into heads.
    std::optional<Array> made(const Array &x, std::int64_t part) const
    {
        const std::int64_t width = x.shape.back();
        const Array weight = strided(*all, {width, width}, {width, 1}, part * width * width);
        const Array bias = strided(*allBias, {width}, {1}, part * width);
        const auto result = linearOf(x, weight, bias);
        return result ? std::optional(inHeads(*result, *heads)) : std::nullopt;
    }
};

struct Attended {
    Array result, weights; ///< the weights are [batch, heads, queries, keys]
};

/// Whether query, key and value are sequences of the same width and batch, and key and value have the same length.
bool areSequences(const Array &query, const Array &key, const Array &value)
{
    const auto isSequence = [&](const Array &x) {
        return x.shape.size() == 3 && x.count() > 0 && x.shape.back() == query.shape.back()
            && x.shape[0] == query.shape[0];
    };
    return isSequence(query) && isSequence(key) && key.shape == value.shape;
}

/// Returns q·kᵀ of a query and keys, split into heads: [batch, heads, queries, keys].
std::optional<Array> scoresOf(const HeadWeights &own, const Array &query, const Array &key)
{
    const auto q = own.made(query, 0), k = own.made(key, 1);
    return q && k ? matrixProduct(*q, transposedLast(*k)) : std::nullopt;
}

std::optional<Attended> attended(const Call &call, const HeadWeights &own, const Array &query, const Array &key,
                                 const Array &value)
{
    const Array *given = call.array("mask");
    const auto type = call.integer("mask_type", "", 2);
    if (!areSequences(query, key, value) || !own.fits(query.shape.back()) || !type || call.isUnknown("mask")
        || (given && !call.facts().has("mask_type")))
        return std::nullopt;
    auto scores = scoresOf(own, query, key);
    const auto v = own.made(value, 2);
    const auto mask = given && scores ? maskFor(*given, *type, scores->shape) : std::nullopt;
    if (!areKnown(scores, v) || (given && !mask))
        return std::nullopt;
    const std::int64_t headSize = query.shape.back() / *own.heads;
    const double scale = 1 / std::sqrt(static_cast<double>(headSize));
    auto weights = softmaxOfSeen(std::move(*scores), mask, scale);
    const auto seen = weights ? matrixProduct(*weights, *v) : std::nullopt;
    if (!seen)
        return std::nullopt;
    const std::vector<std::size_t> order{0, 2, 1, 3};
    auto result = linearOf(reshaped(permuted(*seen, order), query.shape), *own.projection, *own.projectionBias);
    return result ? std::optional(Attended{std::move(*result), std::move(*weights)}) : std::nullopt;
}

} // namespace

/// Returns the attention and, if they are needed, the weights of each head or their mean.
Answer multiHeadAttention(const Call &call)
{
    const Array *query = call.array(0), *key = call.array(1), *value = call.array(2);
    const auto needsWeights = call.flag("need_weights", true), areAveraged = call.flag("average_attn_weights", true);
    if (!query || !key || !value || !needsWeights || !areAveraged)
        return std::nullopt;
    auto made =
        attended(call, HeadWeights::of(call, "num_head"), inDoubles(*query), inDoubles(*key), inDoubles(*value));
    if (!made)
        return std::nullopt;
    if (!*needsWeights)
        return Values{Value(std::move(made->result)), Value(ops::Fact(ops::NoneFact{}))};
    if (!*areAveraged)
        return Values{Value(std::move(made->result)), Value(std::move(made->weights))};
    const Sizes &shape = made->weights.shape;
    const std::int64_t inner = shape[2] * shape[3];
    Array averaged = filled(ir::DType::Float64, {shape[0], shape[2], shape[3]}, 0.0);
    auto &floats = std::get<std::vector<double>>(averaged.elements);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(made->weights.count()); ++i)
        floats[static_cast<std::size_t>(i / (shape[1] * inner) * inner + i % inner)] +=
            made->weights.as<double>()[static_cast<std::size_t>(i)] / static_cast<double>(shape[1]);
    return Values{Value(std::move(made->result)), Value(std::move(averaged))};
}

namespace {

/// Computes two linear layers with an activation between them.
std::optional<Array> feedForward(const Call &call, const std::optional<Array> &x)
{
    const Array *weight = call.array("ffn_weight_1"), *bias = call.array("ffn_bias_1"),
                *second = call.array("ffn_weight_2"), *secondBias = call.array("ffn_bias_2");
    const auto usesGelu = call.flag("use_gelu", false);
    if (!x || !weight || !bias || !second || !secondBias || !usesGelu)
        return std::nullopt;
    auto inner = linearOf(*x, *weight, *bias);
    if (!inner)
        return std::nullopt;
    for (double &a : std::get<std::vector<double>>(inner->elements))
        a = *usesGelu ? 0.5 * a * std::erfc(-a / std::numbers::sqrt2) : std::max(a, 0.0);
    return linearOf(*inner, *second, *secondBias);
}

} // namespace

/// Computes attention and a feed-forward net, each added to its input, with a normalization before or after.
Answer encoderLayer(const Call &call)
{
    const Array *given = call.array(0);
    const auto normFirst = call.flag("norm_first", false);
    const auto epsilon = call.number("eps", "", 1e-5);
    const Array *weights[] = {call.array("norm_weight_1"), call.array("norm_bias_1"), call.array("norm_weight_2"),
                              call.array("norm_bias_2")};
    if (!given || given->isWhole() || !normFirst || !epsilon || std::ranges::contains(weights, nullptr))
        return std::nullopt;
    const auto norm = [&](const std::optional<Array> &x, std::size_t which) {
        return normalized(x, *weights[2 * which], *weights[2 * which + 1], *epsilon);
    };
    const Array source = inDoubles(*given);
    const auto asked = *normFirst ? norm(source, 0) : std::optional(source);
    const auto attention =
        asked ? attended(call, HeadWeights::of(call, "num_heads"), *asked, *asked, *asked) : std::nullopt;
    auto x = attention ? sumOf(attention->result, source) : std::nullopt;
    if (!*normFirst)
        x = norm(x, 0);
    auto result = x ? sumOf(feedForward(call, *normFirst ? norm(x, 1) : x), *x) : std::nullopt;
    return answer(*normFirst ? std::move(result) : norm(result, 1));
}

} // namespace cutaway::compute
