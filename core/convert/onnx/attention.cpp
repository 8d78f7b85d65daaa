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

/// What is added to scores: nothing where they count, -∞ elsewhere.
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
    // Both factors are scaled, which keeps halves from overflowing.
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

constexpr LoweringRule attentionTable[] = {
    {"aten::scaled_dot_product_attention", attentionRule},
};

} // namespace

std::span<const LoweringRule> attentionRules() { return attentionTable; }

} // namespace cutaway::convert
