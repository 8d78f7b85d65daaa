// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/whole_numbers.h"

#include <cmath>
#include <limits>

// These are the attention operators of ONNX and of ONNX Runtime. Query, key and value become [batch, heads, sequence,
// head size]. All inputs and attributes that hide keys from queries become one mask that is added to the scores.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using ir::Dim;
using ir::Shape;

const Dim single = std::int64_t{1};

/// Returns the size of `x`, a new value, at `dim`. If its shape is not known, the size is unknown and the rule is
/// refused.
Dim sizeAt(const Term &x, std::size_t dim)
{
    const auto known = x.made->tensor(x);
    if (dim < known.rank())
        return known.shape[dim];
    x.made->refuse("a query, key or value has too few dimensions");
    return ir::UnknownDim{};
}

/// Makes [batch, heads, sequence, size] of [batch, sequence, heads·size].
Term inHeads(const Term &x, const Dim &heads)
{
    const Dim width = sizeAt(x, 2);
    const Term apart = reshape(x, {sizeAt(x, 0), sizeAt(x, 1), heads, ops::floorDivide(width, heads)});
    return permute(apart, {0, 2, 1, 3});
}

Term outOfHeads(const Term &x)
{
    const Term turned = permute(x, {0, 2, 1, 3});
    return reshape(turned, {sizeAt(x, 0), sizeAt(x, 2), ops::times(sizeAt(x, 1), sizeAt(x, 3))});
}

/// Appends `x` to the past, which may be None.
Term joined(const Term &past, const Term &x) { return past.isNone() ? x : concat({past, x}, 2); }

/// Sums the masks and biases that are added to scores.
class ScoreMask {
public:
    /// `dtype`: the dtype of the scores; `hidden`: the number that is added to scores that do not count.
    ScoreMask(N &n, ir::DType dtype, double hidden) : m_n(n), m_dtype(dtype), m_hidden(hidden) { }

    void add(const Term &x) { m_sum = m_sum ? *m_sum + x : x; }
    /// Keeps the elements for which `isSeen` is true.
    void keep(const Term &isSeen)
    {
        const Term hidden = m_n.scalar(m_hidden, m_dtype), seen = m_n.scalar(0.0, m_dtype);
        add(where(isSeen, seen, hidden));
    }
    /// Hides from each query the keys after it. `before`: the number of keys that come before the key of the first
    /// query.
    void keepEarlier(const Dim &queries, const Dim &keys, const Dim &before)
    {
        Term last = unsqueeze(m_n.arange(queries), 1);
        if (ops::number(before) != 0)
            last = m_n.make("add.Scalar", {last, m_n.size(before)});
        keep(compared("le", m_n.arange(keys), last));
    }
    Term term() const { return m_sum ? *m_sum : m_n.term({}); }

private:
    N &m_n;
    ir::DType m_dtype;
    double m_hidden;
    std::optional<Term> m_sum;
};

/// Computes softmax(softcap(q·kᵀ·scale) + mask)·v. Key and value may have fewer heads than the query.
Term attended(N &n, const Term &q, Term k, Term v, const Term &mask)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto heads = ops::number(sizeAt(q, 1)), keyHeads = ops::number(sizeAt(k, 1));
    if (heads && keyHeads && *keyHeads > 0 && *heads != *keyHeads) {
        k = n.make("repeat_interleave.self_int", {k, *heads / *keyHeads, 1});
        v = n.make("repeat_interleave.self_int", {v, *heads / *keyHeads, 1});
    }
    const auto size = ops::number(sizeAt(q, 3));
    const double scale = given.scale ? given.scale->value_or(0) : 1 / std::sqrt(static_cast<double>(size.value_or(1)));
    if (!given.softcap || (given.scale && !*given.scale) || !size)
        n.refuse("its scale or the size of a head is not known");
    if (given.softcap.value_or(0) == 0)
        return n.make("scaled_dot_product_attention",
                      {q, k, v, mask, ir::Operand(0.0), false, {"scale", ir::Operand(scale)}});
    Term scores = matmul(q, transposed(k, 2, 3)) * scale;
    scores = applied("tanh", scores / *given.softcap) * *given.softcap;
    if (!mask.isNone())
        scores = scores + mask;
    return matmul(n.make("softmax.int", {scores, -1}), v);
}

/// Hides keys by the input at `position`: a mask of the keys that count, [batch, keys] or [batch, queries, keys], or
/// the number of keys in each sequence, [batch].
void addKeyMask(N &n, std::size_t position, const Dim &batch, const Dim &keys, ScoreMask &mask)
{
    if (!n.has(position))
        return;
    const auto given = n.tensor(position);
    const Term x = n[position];
    if (given.rank() == 2 || given.rank() == 3) {
        const Term seen = compared("ne", x, n.term(std::int64_t{0}));
        mask.keep(given.rank() == 2 ? unsqueeze(unsqueeze(seen, 1), 1) : unsqueeze(seen, 1));
    } else if (given.rank() != 1 || ops::isDifferent(given.shape[0], batch)) {
        n.refuse("its mask says in another form which keys count");
    } else {
        const Term counts = reshape(x, {batch, single, single, single});
        mask.keep(compared("lt", n.arange(keys), counts));
    }
}

double hiddenScore(N &n) { return n.number("mask_filter_value", -10000.0); }

/// Computes the attention of query, key and value, and the updated caches of key and value.
Parts attentionOf(N &n, const ops::AttentionArguments &given, const Term &q, const Term &k, const Term &v)
{
    ScoreMask mask(n, n.dtype(q), hiddenScore(n));
    const Dim batch = sizeAt(q, 0), queries = sizeAt(q, 2), keys = sizeAt(k, 2);
    if (given.keyPadding)
        addKeyMask(n, *given.keyPadding, batch, keys, mask);
    if (given.mask && n.has(*given.mask))
        mask.add(n[*given.mask]);
    if (given.isCausal.value_or(true))
        mask.keepEarlier(queries, keys, ops::isSame(queries, keys) ? Dim(std::int64_t{0}) : ops::minus(keys, queries));
    return {outOfHeads(attended(n, q, k, v, mask.term()))};
}

/// Takes a product [batch, sequence, size] that has query, key and value one after the other.
Parts projectedAttention(N &n, const Term &product)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const std::int64_t heads = n.known(ops::number(given.heads), "its number of heads is");
    if (n.integer("do_rotary", 0) != 0 || n.integer("past_present_share_buffer", 0) != 0)
        return n.refuse("it turns its heads, or its past and present share a buffer");
    const N::Numbers widths = n.has("qkv_hidden_sizes")
        ? n.integers("qkv_hidden_sizes")
        : N::Numbers(3, n.known(ops::number(sizeAt(product, 2)), "the size of its heads is") / 3);
    if (n.isRefused() || widths.size() != 3)
        return n.refuse("its sizes are not those of a query, a key and a value");
    std::vector<Term> parts;
    std::int64_t start = 0;
    for (const std::int64_t size : widths) {
        const auto end = checkedAdd(start, size);
        if (!end)
            return n.refuse("its sizes are too large");
        parts.push_back(inHeads(slice(product, 2, start, *end), heads));
        start = *end;
    }
    const bool hasPast = given.pastKey && n.has(*given.pastKey);
    for (const std::size_t i : {1U, 2U})
        if (hasPast)
            parts[i] = joined(n.make("select.int", {n[*given.pastKey], 0, static_cast<int>(i) - 1}), parts[i]);
    Parts made = attentionOf(n, given, parts[0], parts[1], parts[2]);
    if (n.resultCount() > 1)
        made.push_back(n.make("stack", {N::list(std::vector{parts[1], parts[2]}), 0}));
    return made;
}

Parts attention(N &n)
{
    const Term product = matmul(n[0], n[1]);
    return projectedAttention(n, n.has(2) ? product + n[2] : product);
}

/// Takes (input, weight, bias, scale, scale, mask, zero, zero, past).
Parts quantizedAttention(N &n)
{
    const Term x = centred(n, 0, 6), weight = centred(n, 1, 7, 1);
    const Term product = matmul(x, weight);
    return projectedAttention(n, cast(product, ir::DType::Float32) * (n[3] * n[4]) + n[2]);
}

/// Returns query, key and value that are packed in the query, or key and value that are packed in the key; an empty
/// list if nothing is packed.
std::vector<Term> packedHeads(N &n, const Dim &heads)
{
    const auto isPacked = [&](std::size_t position) {
        const ir::Shape *shape = n.call().shape(position);
        return shape && shape->size() == 5;
    };
    std::vector<Term> parts;
    if (!isPacked(0) && !isPacked(1))
        return parts;
    const std::size_t packed = isPacked(0) ? 0 : 1;
    if (packed == 1)
        parts.push_back(inHeads(n[0], heads));
    for (int i = 0; parts.size() < 3; ++i)
        parts.push_back(permute(n.make("select.int", {n[packed], 3, i}), {0, 2, 1, 3}));
    return parts;
}

/// Takes (query, key, value, bias, key mask, mask, past key, past value). Query, key and value have joined heads, or
/// are packed.
Parts multiHeadAttention(N &n)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    n.known(ops::number(given.heads), "its number of heads is");
    if (n.resultCount() > 3)
        return n.refuse("its scores are read");
    std::vector<Term> parts = packedHeads(n, given.heads);
    if (!parts.empty() && n.has(3))
        return n.refuse("a bias is added to packed heads");
    Dim start = std::int64_t{0};
    for (std::size_t i = parts.size(); i < 3; ++i) {
        const auto known = n.tensor(i);
        if (known.rank() == 4) { // the heads are separate, and have no bias
            parts.push_back(n[i]);
            continue;
        }
        const Dim end = ops::plus(start, sizeAt(n[i], 2));
        Term x = n[i];
        if (n.has(3)) {
            const ir::Operand first = n.size(start), last = n.size(end);
            x = x + slice(n[3], 0, first, last);
        }
        start = end;
        parts.push_back(inHeads(x, given.heads));
    }
    parts[1] = joined(n[*given.pastKey], parts[1]);
    parts[2] = joined(n[*given.pastValue], parts[2]);
    Parts made = attentionOf(n, given, parts[0], parts[1], parts[2]);
    for (std::size_t i = 1; i < n.resultCount(); ++i)
        made.push_back(parts[i]);
    return made;
}

/// Computes ONNX's own Attention, whose heads are separate or joined.
Parts onnxAttention(N &n)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const bool areApart = n.tensor(0).rank() == 4;
    if (n.has(6) || n.resultCount() > 3)
        return n.refuse("its scores are read, or the keys of each sequence are counted");
    const auto apart = [&](std::size_t i, const Dim &heads) { return areApart ? n[i] : inHeads(n[i], heads); };
    const Term q = apart(0, given.heads);
    const Term k = joined(n[4], apart(1, given.keyHeads)), v = joined(n[5], apart(2, given.keyHeads));
    ScoreMask mask(n, n.dtype(q), -std::numeric_limits<double>::infinity());
    if (n.has(3) && n.dtype(3) == ir::DType::Bool)
        mask.keep(n[3]);
    else if (n.has(3))
        mask.add(n[3]);
    if (given.isCausal != false)
        mask.keepEarlier(sizeAt(q, 2), sizeAt(k, 2), n.has(4) ? sizeAt(n[4], 2) : Dim(std::int64_t{0}));
    const Term made = attended(n, q, k, v, mask.term());
    Parts parts{areApart ? made : outOfHeads(made), k, v};
    parts.resize(n.resultCount());
    return parts;
}

// ---- rotary positions

/// Returns the cosines or sines of positions, [batch, 1, sequence, half], from a table of all positions.
Term ofPlaces(N &n, const Term &table, const Term &places)
{
    const Term rows = n.make("embedding", {table, cast(places, ir::DType::Int64)});
    return unsqueeze(rows, 1);
}

/// Rotates pairs of elements of [batch, heads, sequence, size]: an element of each half, or neighbours.
Term turned(N &n, const Term &x, const Term &cosines, const Term &sines, bool areNeighbours)
{
    const Dim half = sizeAt(cosines, 3), both = ops::plus(half, half), size = sizeAt(x, 3);
    const bool isWhole = ops::isSame(both, size);
    const Term part = isWhole ? x : slice(x, 3, 0, n.size(both));
    const auto pick = [&](std::int64_t i) {
        if (areNeighbours)
            return n.make("slice.Tensor", {part, 3, i, std::numeric_limits<std::int64_t>::max(), 2});
        const ir::Operand middle = n.size(half), end = n.size(both);
        return i == 0 ? slice(part, 3, 0, middle) : slice(part, 3, middle, end);
    };
    const Term a = pick(0), b = pick(1);
    const Term aCosines = a * cosines, bSines = b * sines, bCosines = b * cosines, aSines = a * sines;
    const std::vector made{aCosines - bSines, bCosines + aSines};
    Term all =
        areNeighbours ? n.make("flatten.using_ints", {n.make("stack", {N::list(made), -1}), 3, 4}) : concat(made, 3);
    if (isWhole)
        return all;
    const ir::Operand end = n.size(size), begin = n.size(both);
    const Term rest = slice(x, 3, begin, end);
    return concat({all, rest}, 3);
}

/// Rotates the input. If its heads are joined instead of separate, an attribute gives their number, or it follows from
/// the table.
Parts rotated(N &n, const Term &cosines, const Term &sines)
{
    const auto x = n.tensor(0);
    const auto half = ops::number(sizeAt(cosines, 3));
    const auto width = x.rank() > 0 ? ops::number(x.shape.back()) : std::nullopt;
    if (!half || *half < 1 || !width || x.rank() < 3 || x.rank() > 4)
        return n.refuse("the size of its heads is not known");
    const bool isApart = x.rank() == 4;
    const std::int64_t given = n.integer("num_heads", 0);
    const std::int64_t heads = given > 0 ? given : *width / *half / 2;
    const Term made =
        turned(n, isApart ? n[0] : inHeads(n[0], heads), cosines, sines, n.integer("interleaved", 0) != 0);
    return {isApart ? made : outOfHeads(made)};
}

/// Takes (x, positions, cosines, sines). The positions are those of all elements, or only that of the first one.
Parts rotaryEmbedding(N &n)
{
    const auto x = n.tensor(0);
    if (x.rank() < 3 || n.number("scale", 1) != 1 || n.integer("is_packed_batching", 0) != 0)
        return n.refuse("it scales, or its sequences are packed");
    Term all = n[1];
    if (n.tensor(1).rank() == 1)
        all = unsqueeze(n.arange(x.shape[x.rank() - 2]) + n[1], 0);
    const Term cosines = ofPlaces(n, n[2], all), sines = ofPlaces(n, n[3], all);
    return rotated(n, cosines, sines);
}

/// Takes (x, cosines, sines, positions). Without positions, the tables have a row for each element of the sequence.
Parts onnxRotaryEmbedding(N &n)
{
    const auto of = [&](std::size_t table) { return n.has(3) ? ofPlaces(n, n[table], n[3]) : unsqueeze(n[table], 1); };
    const Term cosines = of(1), sines = of(2);
    return rotated(n, cosines, sines);
}

// ---- group query attention

/// The sizes in one run of a decoder, and the positions at which it adds its keys to the cache.
struct Step {
    Dim batch, queries, heads, keyHeads;
    Term before; ///< [batch, 1]: the number of keys of each sequence that are in the cache already
    Term places; ///< [batch, queries]: the positions of the queries
};

/// Returns the sizes and positions of a run. The first run has as many keys as queries; in later runs the cache has all
/// keys but those of the queries.
Step stepOf(N &n, const Dim &batch, const Dim &queries, const ops::AttentionArguments &given)
{
    const Term counts = reshape(cast(n[5], ir::DType::Int64), {batch, single});
    const Term none = n.make("zeros_like", {counts});
    const auto total = n.constantInteger(6);
    Term before = none;
    if (n.has(3) && !(total && ops::number(queries) == total)) {
        const Term all = reshape(cast(n[6], ir::DType::Int64), {single, single}), own = n.term(n.size(queries));
        const Term isFirst = compared("eq", all, own);
        const Term rest = n.make("sub.Scalar", {n.make("add.Scalar", {counts, 1}), own});
        before = where(isFirst, none, rest);
    }
    return {batch, queries, given.heads, given.keyHeads, before, before + unsqueeze(n.arange(queries), 0)};
}

/// Writes new keys or values into the cache after the valid elements, of which there are `step.before`.
Term withNew(N &n, const Step &step, std::size_t past, const Term &x, const Dim &length)
{
    if (!n.has(past))
        return x;
    const Dim room = sizeAt(n[past], 2), size = sizeAt(x, 3);
    const Term all = joined(n[past], x);
    const Term place = unsqueeze(n.arange(length), 0); // by position in the result
    const Term moved = n.make("add.Scalar", {place - step.before, n.size(room)});
    const Term last =
        n.make("clamp", {moved, ir::Operand(), n.size(ops::minus(ops::plus(room, step.queries), single))});
    const Term source = where(compared("lt", place, step.before), place, last);
    const Term wide = unsqueeze(unsqueeze(source, 1), 3);
    return n.make("gather", {all, 2, expand(wide, {step.batch, step.keyHeads, length, size})});
}

/// Returns query, key and value with separate heads; the query may hold all three, packed.
std::vector<Term> groupedHeads(N &n, const ops::AttentionArguments &given)
{
    const std::int64_t heads = n.known(ops::number(given.heads), "its number of heads is");
    const std::int64_t keyHeads = n.known(ops::number(given.keyHeads), "its number of heads is");
    const auto ofKeys = checkedMultiply(keyHeads, std::int64_t{2});
    const auto all = ofKeys ? checkedAdd(heads, *ofKeys) : std::nullopt;
    if (heads < 1 || keyHeads < 1 || !all) {
        n.refuse("its number of heads makes no sense");
        return {};
    }
    if (n.has(1))
        return {inHeads(n[0], heads), inHeads(n[1], keyHeads), inHeads(n[2], keyHeads)};
    const Term packed = inHeads(n[0], *all);
    return {slice(packed, 1, 0, heads), slice(packed, 1, heads, heads + keyHeads),
            slice(packed, 1, heads + keyHeads, *all)};
}

/// Takes (query, key, value, past key, past value, last positions, number of keys, cosines, sines, positions, mask).
Parts groupQueryAttention(N &n)
{
    const ops::AttentionArguments given = ops::attentionArguments(n.call());
    const auto query = n.tensor(0);
    if (n.integer("smooth_softmax", 0) != 0)
        return n.refuse("its softmax has one more element, which is 0");
    std::vector<Term> parts = groupedHeads(n, given);
    if (n.isRefused() || query.rank() != 3)
        return n.refuse("its query is not of three dimensions");
    const Step step = stepOf(n, query.shape[0], query.shape[1], given);
    if (n.integer("do_rotary", 0) != 0) {
        const Term places = n.has(9) ? n[9] : step.places;
        const Term cosines = ofPlaces(n, n[7], places), sines = ofPlaces(n, n[8], places);
        for (const std::size_t i : {0U, 1U})
            parts[i] = turned(n, parts[i], cosines, sines, n.integer("rotary_interleaved", 0) != 0);
    }
    const auto present = n.knownResult(1);
    if (n.has(3) && (!present || present->rank() < 3))
        return n.refuse("how long its cache becomes is not known");
    const Dim length = n.has(3) ? present->shape[2] : query.shape[1];
    const Term key = withNew(n, step, 3, parts[1], length), value = withNew(n, step, 4, parts[2], length);
    ScoreMask mask(n, n.dtype(parts[0]), -std::numeric_limits<double>::infinity());
    const Term last = unsqueeze(unsqueeze(step.places, 1), 3), place = n.arange(length);
    mask.keep(compared("le", place, last));
    if (const std::int64_t window = n.integer("local_window_size", -1); window > 0)
        mask.keep(compared("ge", place, n.make("add.Scalar", {last, -window})));
    if (n.has(10))
        mask.add(n[10]);
    Parts made{outOfHeads(attended(n, parts[0], key, value, mask.term())), key, value};
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
