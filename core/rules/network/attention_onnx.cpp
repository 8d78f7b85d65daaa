// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/whole_numbers.h"

#include <array>
#include <cmath>
#include <limits>

// Attention of ONNX and of ONNX Runtime. Query, key and value become [batch, heads, sequence, head size]; whatever says
// what a query does not see becomes one mask that is added to its scores.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using ir::Dim;
using ir::Shape;

const Dim single = std::int64_t{1};

/// A dimension of what a rule made; unknown, and the rule has to give up, where its shape is.
Dim sizeAt(N &n, const Term &x, std::size_t dim)
{
    const auto known = n.d.tensor(x);
    if (!known || dim >= known->rank()) {
        n.d.fail();
        return ir::UnknownDim{};
    }
    return known->shape[dim];
}

/// [batch, sequence, heads·size] as [batch, heads, sequence, size].
Term inHeads(N &n, const Term &x, const Dim &heads)
{
    const Dim width = sizeAt(n, x, 2);
    const Term apart = n.d.reshape(x, {sizeAt(n, x, 0), sizeAt(n, x, 1), heads, ops::floorDivide(width, heads)});
    return n.d.permute(apart, {0, 2, 1, 3});
}

Term outOfHeads(N &n, const Term &x)
{
    const Term turned = n.d.permute(x, {0, 2, 1, 3});
    return n.d.reshape(turned, {sizeAt(n, x, 0), sizeAt(n, x, 2), ops::times(sizeAt(n, x, 1), sizeAt(n, x, 3))});
}

/// Behind what was there before, which may be None.
Term joined(N &n, const Term &past, const Term &x)
{
    return past.isNone() ? x : n.d.make("cat", {AtenMaker::list(std::vector{past, x}), 2});
}

/// Sums what is added to scores.
class ScoreMask {
public:
    /// The scores have this dtype; those that do not count get `hidden`.
    ScoreMask(N &n, ir::DType dtype, double hidden) : m_n(n), m_dtype(dtype), m_hidden(hidden) { }

    void add(const Term &x) { m_sum = m_sum ? *m_sum + x : x; }
    /// True elements say what counts.
    void keep(const Term &isSeen) { add(where(isSeen, m_n.d.scalar(0.0, m_dtype), m_n.d.scalar(m_hidden, m_dtype))); }
    /// Hides later keys from each query. `before`: the number of keys before that of the first query.
    void keepEarlier(const Dim &queries, const Dim &keys, const Dim &before)
    {
        Term last = m_n.d.unsqueeze(m_n.d.arange(queries), 1);
        if (ops::number(before) != 0)
            last = m_n.d.make("add.Scalar", {last, m_n.d.size(before)});
        keep(compared("le", m_n.d.arange(keys), last));
    }
    Term term() const { return m_sum ? *m_sum : m_n.d.term({}); }

private:
    N &m_n;
    ir::DType m_dtype;
    double m_hidden;
    std::optional<Term> m_sum;
};

/// softmax(softcap(q·kᵀ·scale) + mask)·v; key and value may have fewer heads.
Term attended(N &n, const Term &q, Term k, Term v, const Term &mask)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto heads = ops::number(sizeAt(n, q, 1)), keyHeads = ops::number(sizeAt(n, k, 1));
    if (heads && keyHeads && *keyHeads > 0 && *heads != *keyHeads) {
        k = n.d.make("repeat_interleave.self_int", {k, *heads / *keyHeads, 1});
        v = n.d.make("repeat_interleave.self_int", {v, *heads / *keyHeads, 1});
    }
    const auto size = ops::number(sizeAt(n, q, 3));
    const double scale = given.scale ? given.scale->value_or(0) : 1 / std::sqrt(static_cast<double>(size.value_or(1)));
    if (!given.softcap || (given.scale && !*given.scale) || !size)
        n.d.fail();
    if (given.softcap.value_or(0) == 0)
        return n.d.make("scaled_dot_product_attention",
                        {q, k, v, mask, ir::Operand(0.0), false, {"scale", ir::Operand(scale)}});
    Term scores = n.d.matmul(q, n.d.transposed(k, 2, 3)) * scale;
    scores = applied("tanh", scores / *given.softcap) * *given.softcap;
    if (!mask.isNone())
        scores = scores + mask;
    return n.d.matmul(n.d.make("softmax.int", {scores, -1}), v);
}

/// Hides keys by an input that says which ones count, [batch, keys] or [batch, queries, keys], or how many of each
/// sequence do, [batch].
bool addKeyMask(N &n, std::size_t position, const Dim &batch, const Dim &keys, ScoreMask &mask)
{
    const auto given = n.tensor(position);
    if (!n.has(position))
        return true;
    if (!given || given->rank() < 1 || given->rank() > 3)
        return false;
    const Term x = n.input(position);
    if (given->rank() > 1) {
        const Term seen = compared("ne", x, n.d.term(std::int64_t{0}));
        mask.keep(given->rank() == 2 ? n.d.unsqueeze(n.d.unsqueeze(seen, 1), 1) : n.d.unsqueeze(seen, 1));
        return true;
    }
    if (ops::isDifferent(given->shape[0], batch))
        return false;
    const Term counts = n.d.reshape(x, {batch, single, single, single});
    mask.keep(compared("lt", n.d.arange(keys), counts));
    return true;
}

constexpr std::string_view otherMask = "its mask says in another form which keys count";
constexpr std::string_view sharedCache = "its past and present share a buffer";

double hiddenScore(const N &n) { return n.real("mask_filter_value", -10000.0); }

/// The attention of query, key and value, and what key and value are with those before.
Parts attentionOf(N &n, const ops::AttentionArguments &given, const Term &q, const Term &k, const Term &v)
{
    ScoreMask mask(n, n.d.dtype(q), hiddenScore(n));
    const Dim batch = sizeAt(n, q, 0), queries = sizeAt(n, q, 2), keys = sizeAt(n, k, 2);
    if (given.keyPadding && !addKeyMask(n, *given.keyPadding, batch, keys, mask))
        return n.refuse(std::string(otherMask));
    if (given.mask && n.has(*given.mask))
        mask.add(n.input(*given.mask));
    if (given.isCausal.value_or(true))
        mask.keepEarlier(queries, keys, ops::isSame(queries, keys) ? Dim(std::int64_t{0}) : ops::minus(keys, queries));
    return {outOfHeads(n, attended(n, q, k, v, mask.term()))};
}

/// [batch, sequence, size] times a weight is all three, one after the other.
Parts projectedAttention(N &n, const Term &product)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto heads = ops::number(given.heads), width = ops::number(sizeAt(n, product, 2));
    if (n.integer("do_rotary", 0) != 0 || n.integer("past_present_share_buffer", 0) != 0)
        return n.refuse("it turns its heads, or " + std::string(sharedCache));
    const auto widths = n.hasAttribute("qkv_hidden_sizes") ? n.integers("qkv_hidden_sizes")
        : width                                            ? std::optional(N::Numbers(3, *width / 3))
                                                           : std::nullopt;
    if (!heads || !widths || widths->size() != 3)
        return {};
    std::vector<Term> parts;
    std::int64_t start = 0;
    for (const std::int64_t size : *widths) {
        const auto end = checkedAdd(start, size);
        if (!end)
            return {};
        parts.push_back(inHeads(n, n.d.slice(product, 2, start, *end), *heads));
        start = *end;
    }
    const bool hasPast = given.pastKey && n.has(*given.pastKey);
    for (const std::size_t i : {1U, 2U})
        if (hasPast)
            parts[i] =
                joined(n, n.d.make("select.int", {n.input(*given.pastKey), 0, static_cast<int>(i) - 1}), parts[i]);
    Parts made = attentionOf(n, given, parts[0], parts[1], parts[2]);
    if (!made.empty() && n.resultCount() > 1)
        made.push_back(n.d.make("stack", {AtenMaker::list(std::vector{parts[1], parts[2]}), 0}));
    return made;
}

Parts attention(N &n)
{
    const Term product = n.d.matmul(n.input(0), n.input(1));
    return projectedAttention(n, n.has(2) ? product + n.input(2) : product);
}

/// (input, weight, bias, scale, scale, mask, zero, zero, past)
Parts quantizedAttention(N &n)
{
    const auto x = centred(n, 0, 6), weight = centred(n, 1, 7, 1);
    if (!x || !weight)
        return n.refuse("its zero points are not one for all, or for each column of the weight");
    const Term product = n.d.cast(n.d.matmul(*x, *weight), ir::DType::Float32) * (n.input(3) * n.input(4));
    return projectedAttention(n, product + n.input(2));
}

/// (query, key, value, bias, key mask, mask, past key, past value): three of joined heads, or packed ones.
Parts multiHeadAttention(N &n)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto query = n.tensor(0), key = n.tensor(1), value = n.tensor(2);
    if (!query || !ops::number(given.heads))
        return {};
    if (n.resultCount() > 3)
        return n.refuse("its scores are read");
    std::vector<Term> parts;
    if (query->rank() == 5 || (key && key->rank() == 5)) {
        const std::size_t packed = query->rank() == 5 ? 0 : 1;
        if (packed == 1)
            parts.push_back(inHeads(n, n.input(0), given.heads));
        for (int i = 0; parts.size() < 3; ++i)
            parts.push_back(n.d.permute(n.d.make("select.int", {n.input(packed), 3, i}), {0, 2, 1, 3}));
        if (n.has(3))
            return n.refuse("a bias is added to packed heads");
    } else if (!key || !value) {
        return {};
    } else {
        Dim start = std::int64_t{0};
        for (std::size_t i = 0; i < 3; ++i) {
            Term x = n.input(i);
            const auto known = n.tensor(i);
            if (known->rank() == 4) { // heads that are apart, without a bias
                parts.push_back(x);
                continue;
            }
            const Dim end = ops::plus(start, known->shape.back());
            if (n.has(3))
                x = x + n.d.slice(n.input(3), 0, n.d.size(start), n.d.size(end));
            start = end;
            parts.push_back(inHeads(n, x, given.heads));
        }
    }
    parts[1] = joined(n, n.input(*given.pastKey), parts[1]);
    parts[2] = joined(n, n.input(*given.pastValue), parts[2]);
    Parts made = attentionOf(n, given, parts[0], parts[1], parts[2]);
    for (std::size_t i = 1; i < n.resultCount() && !made.empty(); ++i)
        made.push_back(parts[i]);
    return made;
}

/// ONNX's own: heads are apart, or joined.
Parts onnxAttention(N &n)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto query = n.tensor(0), maskTensor = n.tensor(3);
    if (!query || (n.has(3) && !maskTensor))
        return {};
    if (n.has(6) || n.resultCount() > 3)
        return n.refuse("its scores are read, or the keys of each sequence are counted");
    const auto apart = [&](std::size_t i, const Dim &heads) {
        return query->rank() == 4 ? n.input(i) : inHeads(n, n.input(i), heads);
    };
    const Term q = apart(0, given.heads);
    const Term k = joined(n, n.input(4), apart(1, given.keyHeads)), v = joined(n, n.input(5), apart(2, given.keyHeads));
    ScoreMask mask(n, n.d.dtype(q), -std::numeric_limits<double>::infinity());
    if (maskTensor && maskTensor->dtype == ir::DType::Bool)
        mask.keep(n.input(3));
    else if (maskTensor)
        mask.add(n.input(3));
    const Dim queries = sizeAt(n, q, 2), keys = sizeAt(n, k, 2);
    if (given.isCausal != false)
        mask.keepEarlier(queries, keys, n.has(4) ? sizeAt(n, n.input(4), 2) : Dim(std::int64_t{0}));
    const Term made = attended(n, q, k, v, mask.term());
    Parts parts{query->rank() == 4 ? made : outOfHeads(n, made)};
    if (n.resultCount() > 1)
        parts.push_back(k);
    if (n.resultCount() > 2)
        parts.push_back(v);
    return parts;
}

// ---- rotary positions

/// Cosines or sines of places, [batch, 1, sequence, half], from a table of all places.
Term ofPlaces(N &n, const Term &table, const Term &places)
{
    const Term rows = n.d.make("embedding", {table, n.d.cast(places, ir::DType::Int64)});
    return n.d.unsqueeze(rows, 1);
}

/// Turns pairs of elements of [batch, heads, sequence, size]: halves, or neighbours.
Term turned(N &n, const Term &x, const Term &cosines, const Term &sines, bool areNeighbours)
{
    const Dim half = sizeAt(n, cosines, 3), both = ops::plus(half, half), size = sizeAt(n, x, 3);
    const bool isWhole = ops::isSame(both, size);
    const Term part = isWhole ? x : n.d.slice(x, 3, 0, n.d.size(both));
    const auto pick = [&](std::int64_t i) {
        if (areNeighbours)
            return n.d.make("slice.Tensor", {part, 3, i, std::numeric_limits<std::int64_t>::max(), 2});
        return i == 0 ? n.d.slice(part, 3, 0, n.d.size(half)) : n.d.slice(part, 3, n.d.size(half), n.d.size(both));
    };
    const Term a = pick(0), b = pick(1);
    const std::vector made{a * cosines - b * sines, b * cosines + a * sines};
    Term all = areNeighbours ? n.d.make("flatten.using_ints", {n.d.make("stack", {AtenMaker::list(made), -1}), 3, 4})
                             : n.d.make("cat", {AtenMaker::list(made), 3});
    if (isWhole)
        return all;
    const Term rest = n.d.slice(x, 3, n.d.size(both), n.d.size(size));
    return n.d.make("cat", {AtenMaker::list(std::vector{all, rest}), 3});
}

/// The heads are apart, or joined; then the table, or an attribute, says how many there are.
Parts rotated(N &n, const Term &cosines, const Term &sines)
{
    const auto x = n.tensor(0);
    const auto half = ops::number(sizeAt(n, cosines, 3));
    const auto width = x && x->rank() > 0 ? ops::number(x->shape.back()) : std::nullopt;
    if (!x || !half || *half < 1 || !width || x->rank() < 3 || x->rank() > 4)
        return {};
    const bool isApart = x->rank() == 4;
    const std::int64_t given = n.integer("num_heads", 0);
    const std::int64_t heads = given > 0 ? given : *width / *half / 2;
    const Term made = turned(n, isApart ? n.input(0) : inHeads(n, n.input(0), heads), cosines, sines,
                             n.integer("interleaved", 0) != 0);
    return {isApart ? made : outOfHeads(n, made)};
}

/// (x, places, cosines, sines): the place of each element, or of the first one.
Parts rotaryEmbedding(N &n)
{
    const auto x = n.tensor(0), places = n.tensor(1);
    if (!x || !places || x->rank() < 3 || n.real("scale", 1) != 1 || n.integer("is_packed_batching", 0) != 0)
        return n.refuse("it scales, or its sequences are packed");
    Term all = n.input(1);
    if (places->rank() == 1)
        all = n.d.unsqueeze(n.d.arange(x->shape[x->rank() - 2]) + n.input(1), 0);
    return rotated(n, ofPlaces(n, n.input(2), all), ofPlaces(n, n.input(3), all));
}

/// (x, cosines, sines, places): without places the tables are of the elements as they are.
Parts onnxRotaryEmbedding(N &n)
{
    const auto of = [&](std::size_t table) {
        return n.has(3) ? ofPlaces(n, n.input(table), n.input(3)) : n.d.unsqueeze(n.input(table), 1);
    };
    return rotated(n, of(1), of(2));
}

// ---- group query attention

/// The sizes of one run of a decoder, and where it adds its keys to the cache.
struct Step {
    Dim batch, queries, heads, keyHeads;
    Term before; ///< [batch, 1]: how many keys of each sequence are there already
    Term places; ///< [batch, queries]: the positions of the queries
};

/// In the first run there are as many keys as queries; later, all keys but the queries' own are there before.
Step stepOf(N &n, const Dim &batch, const Dim &queries, const ops::AttentionArguments &given)
{
    const Term counts = n.d.reshape(n.d.cast(n.input(5), ir::DType::Int64), {batch, single});
    const Term none = n.d.make("zeros_like", {counts});
    const auto total = n.wholeNumber(6);
    Term before = none;
    if (n.has(3) && !(total && ops::number(queries) == total)) {
        const Term isFirst = compared("eq", n.d.reshape(n.d.cast(n.input(6), ir::DType::Int64), {single, single}),
                                      n.d.term(n.d.size(queries)));
        const Term rest = n.d.make("sub.Scalar", {n.d.make("add.Scalar", {counts, 1}), n.d.size(queries)});
        before = where(isFirst, none, rest);
    }
    return {batch, queries, given.heads, given.keyHeads, before, before + n.d.unsqueeze(n.d.arange(queries), 0)};
}

/// The cache with the new elements after those that are there.
Term withNew(N &n, const Step &step, std::size_t past, const Term &x, const Dim &length)
{
    if (!n.has(past))
        return x;
    const Dim room = sizeAt(n, n.input(past), 2), size = sizeAt(n, x, 3);
    const Term all = joined(n, n.input(past), x);
    const Term place = n.d.unsqueeze(n.d.arange(length), 0); // in the result
    const Term moved = n.d.make("add.Scalar", {place - step.before, n.d.size(room)});
    const Term last =
        n.d.make("clamp", {moved, ir::Operand(), n.d.size(ops::minus(ops::plus(room, step.queries), single))});
    const Term source = where(compared("lt", place, step.before), place, last);
    const Term wide = n.d.unsqueeze(n.d.unsqueeze(source, 1), 3);
    return n.d.make("gather", {all, 2, n.d.expand(wide, {step.batch, step.keyHeads, length, size})});
}

/// (query, key, value, past key, past value, last places, number of keys, cosines, sines, places, mask)
Parts groupQueryAttention(N &n)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto query = n.tensor(0), present = n.result(1);
    const auto heads = ops::number(given.heads), keyHeads = ops::number(given.keyHeads);
    if (!query || query->rank() != 3 || !heads || *heads < 1 || !keyHeads || *keyHeads < 1)
        return {};
    const auto packedHeads = checkedMultiply(*keyHeads, std::int64_t{2}).and_then([&](std::int64_t both) {
        return checkedAdd(*heads, both);
    });
    if (!packedHeads)
        return {};
    if (n.integer("smooth_softmax", 0) != 0)
        return n.refuse("its softmax has one more element, which is 0");
    std::vector<Term> parts;
    if (n.has(1)) {
        parts = {inHeads(n, n.input(0), *heads), inHeads(n, n.input(1), *keyHeads), inHeads(n, n.input(2), *keyHeads)};
    } else {
        const Term all = inHeads(n, n.input(0), *packedHeads);
        parts = {n.d.slice(all, 1, 0, *heads), n.d.slice(all, 1, *heads, *heads + *keyHeads),
                 n.d.slice(all, 1, *heads + *keyHeads, *packedHeads)};
    }
    const Step step = stepOf(n, query->shape[0], query->shape[1], given);
    if (n.integer("do_rotary", 0) != 0) {
        const Term places = n.has(9) ? n.input(9) : step.places;
        const Term cosines = ofPlaces(n, n.input(7), places), sines = ofPlaces(n, n.input(8), places);
        for (const std::size_t i : {0U, 1U})
            parts[i] = turned(n, parts[i], cosines, sines, n.integer("rotary_interleaved", 0) != 0);
    }
    if (n.has(3) && !present)
        return n.refuse("how long its cache becomes is not known");
    const Dim length = n.has(3) ? present->shape[2] : query->shape[1];
    const Term key = withNew(n, step, 3, parts[1], length), value = withNew(n, step, 4, parts[2], length);
    ScoreMask mask(n, n.d.dtype(parts[0]), -std::numeric_limits<double>::infinity());
    const Term last = n.d.unsqueeze(n.d.unsqueeze(step.places, 1), 3), place = n.d.arange(length);
    mask.keep(compared("le", place, last));
    if (const std::int64_t window = n.integer("local_window_size", -1); window > 0)
        mask.keep(compared("ge", place, n.d.make("add.Scalar", {last, -window})));
    if (n.has(10))
        mask.add(n.input(10));
    Parts made{outOfHeads(n, attended(n, parts[0], key, value, mask.term())), key, value};
    made.resize(std::min(made.size(), n.resultCount()));
    return made;
}

constexpr OnnxLowering attentionOnnxLowerings[] = {
    {"onnx::Attention", onnxAttention},
    {"onnx::RotaryEmbedding", onnxRotaryEmbedding},
    {"com.microsoft::Attention", attention},
    {"com.microsoft::GroupQueryAttention", groupQueryAttention},
    {"com.microsoft::MultiHeadAttention", multiHeadAttention},
    {"com.microsoft::QAttention", quantizedAttention},
    {"com.microsoft::RotaryEmbedding", rotaryEmbedding},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family attentionOnnx() { return {.fromOnnx = to_aten::attentionOnnxLowerings}; }

} // namespace cutaway::rules
