// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include "core/ops/arguments/attention_arguments.h"

#include <cmath>
#include <limits>

namespace cutaway::convert {

namespace {

using L = Lowering;
using ir::DType;

Term exchangedLast(L &l, const Term &x, std::size_t rank)
{
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < rank; ++i)
        order.push_back(static_cast<std::int64_t>(i));
    std::swap(order[rank - 1], order[rank - 2]);
    return l.transpose(x, order);
}

/// The bias that is added to scores: 0 where they count, -∞ elsewhere.
Term asBias(L &l, const Term &counts, DType dtype)
{
    return l.make("Where", {counts, l.scalar(0, dtype), l.scalar(-std::numeric_limits<double>::infinity(), dtype)}, {},
                  dtype);
}

/// Which keys each query sees: those not later than itself, from the upper left corner.
Term causalMask(L &l, const ir::Dim &queries, const ir::Dim &keys)
{
    const Term sizes = l.concat({l.vectorOf(l.size(queries)), l.vectorOf(l.size(keys))}, 0);
    const Term all = l.expand(l.scalar(1, DType::Bool), sizes);
    return l.make("Trilu", {all}, {{"upper", std::int64_t{0}}});
}

/// Heads that several of the query's share, as often as they are read.
Term sharedHeads(L &l, const Term &x, const L::Tensor &known, std::int64_t times)
{
    if (times == 1)
        return x;
    const auto head = l.known(ops::number(known.shape[1]), "the number of heads is");
    const auto width = l.known(ops::number(known.shape[3]), "the size of a head is");
    Term wide = l.unsqueeze(x, {2});
    wide = l.make("Tile", {wide, l.ints({1, 1, times, 1, 1})});
    return l.reshape(wide, std::vector<std::int64_t>{0, head * times, -1, width});
}

Results attentionRule(L &l)
{
    const auto given = ops::attentionArguments(l.call());
    const auto query = l.tensor(given.query), key = l.tensor(given.key), value = l.tensor(given.value);
    if (query.rank() < 2 || l.known(given.dropout, "dropout is") != 0)
        return l.refuse("dropout in training");
    if (l.isRefused())
        return {};
    std::int64_t times = 1;
    if (l.known(given.enableGqa, "whether heads are shared is")) {
        const auto heads = ops::number(given.heads), shared = ops::number(given.keyHeads);
        if (query.rank() != 4 || !heads || !shared || *shared == 0)
            return l.refuse("the numbers of heads are not known");
        times = *heads / *shared;
    }
    const auto width = ops::number(query.shape.back());
    if (!given.scale && (!width || *width == 0))
        return l.refuse("the size of a head is not known");
    const double scale =
        given.scale ? l.known(*given.scale, "the scale is") : 1 / std::sqrt(static_cast<double>(*width));
    const Term k = sharedHeads(l, l[given.key], key, times), v = sharedHeads(l, l[given.value], value, times);
    // The scale is split between both factors, which keeps halves from overflowing.
    Term scores =
        l.make("MatMul", {l[given.query] * std::sqrt(scale), exchangedLast(l, k, key.rank()) * std::sqrt(scale)});
    if (l.known(given.isCausal, "whether it is causal is"))
        scores =
            scores + asBias(l, causalMask(l, query.shape[query.rank() - 2], key.shape[key.rank() - 2]), scores.dtype);
    if (l.call().has(given.mask)) {
        const Term mask = l[given.mask];
        scores = scores + (mask.dtype == DType::Bool ? asBias(l, mask, scores.dtype) : l.cast(mask, scores.dtype));
    }
    const Term shares = l.make("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    return {l.make("MatMul", {shares, v})};
}

// ---- layers of transformers as one operator, which PyTorch has for inference

/// x·wᵀ + b
Term linear(L &l, const Term &x, std::string_view weight, std::string_view bias)
{
    return l.make("MatMul", {x, l.transpose(l[weight], {1, 0})}) + l[bias];
}

/// The results of attention on [batch, time, width]: the output, and the shares of each head.
struct MultiHead {
    Term output, shares;
};

MultiHead selfAttention(L &l, const Term &x, std::int64_t width, std::int64_t heads)
{
    const Term all = linear(l, x, "qkv_weight", "qkv_bias");
    const auto parts = l.makeAll("Split", {all, l.ints({width, width, width})}, {{"axis", std::int64_t{2}}},
                                 {all.dtype, all.dtype, all.dtype});
    const auto split = [&](const Term &part, const std::vector<std::int64_t> &order) {
        return l.transpose(l.reshape(part, std::vector<std::int64_t>{0, 0, heads, width / heads}), order);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(width) / static_cast<double>(heads));
    const Term scores = l.make("MatMul", {split(parts[0], {0, 2, 1, 3}) * scale, split(parts[1], {0, 2, 3, 1})});
    const Term shares = l.make("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    const Term seen = l.transpose(l.make("MatMul", {shares, split(parts[2], {0, 2, 1, 3})}), {0, 2, 1, 3});
    const Term joined = l.reshape(seen, std::vector<std::int64_t>{0, 0, width});
    return {linear(l, joined, "proj_weight", "proj_bias"), shares};
}

/// The width of a head; the rule does not apply where it is not whole, or where a mask is given.
std::pair<std::int64_t, std::int64_t> headsOf(L &l, std::string_view count)
{
    const std::int64_t width = l.integer("embed_dim"), heads = l.integer(count);
    if (l.has("mask"))
        l.refuse("a mask");
    else if (heads <= 0 || width % heads != 0)
        l.refuse("the width of a head is not known");
    return {width, std::max<std::int64_t>(heads, 1)};
}

/// query, key and value are the same.
Results nativeAttentionRule(L &l)
{
    const auto [width, heads] = headsOf(l, "num_head");
    const ir::Operand *query = l.node().argument("query"), *key = l.node().argument("key"),
                      *value = l.node().argument("value");
    if (l.isRefused() || !query || !key || !value || *query != *key || *query != *value
        || l.tensor("query").rank() != 3)
        return l.refuse("other keys or values than queries");
    const MultiHead made = selfAttention(l, l["query"], width, heads);
    if (!l.flag("need_weights"))
        return {made.output, l.ints({})};
    return {made.output,
            l.flag("average_attn_weights") ? l.reduce("ReduceMean", made.shares, {1}, false) : made.shares};
}

Term normalizedLayer(L &l, const Term &x, std::string_view weight, std::string_view bias)
{
    const Term centered = x - l.reduce("ReduceMean", x, {-1}, true);
    const Term variance = l.reduce("ReduceMean", centered * centered, {-1}, true);
    return centered / applied("Sqrt", variance + l.number("eps")) * l[weight] + l[bias];
}

Results encoderLayerRule(L &l)
{
    const auto [width, heads] = headsOf(l, "num_heads");
    if (l.isRefused() || l.tensor("src").rank() != 3)
        return l.refuse("of other than three dimensions");
    const bool isFirst = l.flag("norm_first");
    const auto normalized = [&](const Term &x, bool isSecond) {
        return isSecond ? normalizedLayer(l, x, "norm_weight_2", "norm_bias_2")
                        : normalizedLayer(l, x, "norm_weight_1", "norm_bias_1");
    };
    const auto fedForward = [&](const Term &x) {
        const Term inner = linear(l, x, "ffn_weight_1", "ffn_bias_1");
        const Term bent =
            l.flag("use_gelu") ? inner * 0.5 * (applied("Erf", inner * std::sqrt(0.5)) + 1) : applied("Relu", inner);
        return linear(l, bent, "ffn_weight_2", "ffn_bias_2");
    };
    const Term x = l["src"];
    if (isFirst) {
        const Term seen = x + selfAttention(l, normalized(x, false), width, heads).output;
        return {seen + fedForward(normalized(seen, true))};
    }
    const Term seen = normalized(x + selfAttention(l, x, width, heads).output, false);
    return {normalized(seen + fedForward(seen), true)};
}

constexpr LoweringRule attentionTable[] = {
    {"aten::_native_multi_head_attention", nativeAttentionRule},
    {"aten::_transformer_encoder_layer_fwd", encoderLayerRule},
    {"aten::scaled_dot_product_attention", attentionRule},
};

} // namespace

std::span<const LoweringRule> attentionRules() { return attentionTable; }

} // namespace cutaway::convert
