// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/attention_arguments.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

constexpr double minusInfinity = -std::numeric_limits<double>::infinity();

/// Returns the scores with those of hidden keys as -∞: keys where a mask of Booleans is false, and later keys in a
/// causal attention.
Term masked(D &d, const Term &scores, const Term &mask, bool isCausal)
{
    const auto known = d.tensor(scores);
    if (d.isRefused())
        return scores;
    const auto hidden = [&] { return d.scalar(minusInfinity, known.dtype); };
    if (isCausal) {
        const ir::Dim queries = known.shape[known.rank() - 2], keys = known.shape.back();
        const Term ofKeys = unsqueeze(d.arange(keys), 0), ofQueries = unsqueeze(d.arange(queries), 1);
        const Term isSeen = compared("le", ofKeys - ofQueries, d.term(std::int64_t{0}));
        return where(isSeen, scores, hidden());
    }
    if (mask.isNone())
        return scores;
    return d.dtype(mask) == ir::DType::Bool ? where(mask, scores, hidden()) : scores + mask;
}

/// Computes the softmax of the scores. With `mayHideAll`, a query from which all keys are hidden gets zeros, as in
/// torch._safe_softmax.
Term safeSoftmax(D &d, const Term &scores, bool mayHideAll)
{
    Term made = d.make("_softmax", {scores, -1, false});
    if (!mayHideAll)
        return made;
    const Term seen = compared("ne", scores, d.term(minusInfinity));
    const Term none = applied("logical_not", d.make("any.dim", {seen, -1, true}));
    return where(none, d.scalar(0.0, d.dtype(scores)), made);
}

/// Repeats heads of keys and values that several heads of the query share.
Term sharedHeads(D &d, const Term &x, const ir::Dim &heads)
{
    const auto known = d.knownTensor(x);
    const auto own = known && known->rank() >= 3 ? ops::number(known->shape[known->rank() - 3]) : std::nullopt;
    const auto wanted = ops::number(heads);
    if (!own || !wanted || *own == 0 || *wanted % *own != 0) {
        d.refuse("how many heads share a key is not known");
        return x;
    }
    return *own == *wanted
        ? x
        : d.make("repeat_interleave.self_int", {x, *wanted / *own, static_cast<std::int64_t>(known->rank() - 3)});
}

/// Computes softmax(q·kᵀ·scale + mask)·v. q and k are both multiplied by the root of the scale, as ATen's
/// _scaled_dot_product_attention_math() does.
Parts attention(D &d)
{
    const Term query = d["query"], mask = d["attn_mask"];
    Term key = d["key"], value = d["value"];
    const auto q = d.tensor("query"), k = d.tensor("key"), v = d.tensor("value");
    if (q.rank() < 2 || k.rank() != q.rank() || v.rank() < 2 || !ir::isFloating(q.dtype))
        return d.refuse("its query, key or value is of other dimensions, or of no floats");
    if (d.number("dropout_p") != 0)
        return d.refuse("it draws random numbers in training");
    const auto size = ops::number(q.shape.back());
    const auto ofSize = size && *size > 0 ? std::optional(1 / std::sqrt(static_cast<double>(*size))) : std::nullopt;
    const double scale = d.has("scale") ? d.number("scale") : d.known(ofSize, "the size of a head is");
    if (scale < 0)
        return d.refuse("its scale is below 0");
    if (d.flag("enable_gqa") && q.rank() >= 3) {
        key = sharedHeads(d, key, q.shape[q.rank() - 3]);
        value = sharedHeads(d, value, q.shape[q.rank() - 3]);
    }
    const double root = std::sqrt(scale);
    const Term turned = transposed(key * root, q.rank() - 2, q.rank() - 1);
    const Term scores = masked(d, matmul(query * root, turned), mask, d.flag("is_causal"));
    return {matmul(safeSoftmax(d, scores, !mask.isNone()), value)};
}

// ---- einsum

/// A factor of an einsum: its tensor and a label per dimension.
struct Factor {
    Term term;
    std::string labels;
};

std::string without(std::string labels, std::string_view these)
{
    std::erase_if(labels, [&](char label) { return these.contains(label); });
    return labels;
}

std::string common(std::string labels, std::string_view these)
{
    std::erase_if(labels, [&](char label) { return !these.contains(label); });
    return labels;
}

class Einsum {
public:
    explicit Einsum(D &d) : m_d(d) { }

    std::optional<Term> result(std::string_view equation, const std::vector<Term> &tensors)
    {
        if (!read(equation, tensors))
            return std::nullopt;
        while (m_factors.size() > 1) {
            const Factor b = m_factors[1], a = m_factors[0];
            m_factors.erase(m_factors.begin());
            m_factors[0] = product(a, b, 1);
        }
        const Factor last = summed(m_factors.front(), m_output);
        return ordered(last, m_output);
    }

private:
    bool read(std::string_view equation, const std::vector<Term> &tensors);
    bool readFactor(std::string_view labels, const Term &tensor);
    std::optional<std::string> withoutEllipsis(std::string_view labels, const Term &tensor);
    /// Whether each of `labels` occurs in a factor, and occurs only once in `labels`.
    bool isOfFactors(std::string_view labels) const
    {
        return std::ranges::all_of(labels, [&](char label) {
            return std::ranges::count(labels, label) == 1
                && std::ranges::any_of(m_factors, [&](const Factor &f) { return f.labels.contains(label); });
        });
    }
    static std::string ellipsisLabels(std::size_t count)
    {
        std::string labels;
        for (; count > 0; --count)
            labels += static_cast<char>(count);
        return labels;
    }
    ir::Dim sizeOf(char label) const { return m_sizes[static_cast<unsigned char>(label)]; }
    ir::Dim sizeOf(std::string_view labels) const
    {
        ir::Dim size = ops::one;
        for (const char label : labels)
            size = ops::times(size, sizeOf(label));
        return size;
    }
    ir::Shape shapeOf(std::string_view labels) const
    {
        ir::Shape shape;
        for (const char label : labels)
            shape.push_back(sizeOf(label));
        return shape;
    }
    Term ordered(const Factor &factor, std::string_view labels)
    {
        std::vector<std::size_t> order;
        for (const char label : labels)
            order.push_back(factor.labels.find(label));
        return permute(factor.term, order);
    }
    Factor summed(const Factor &factor, std::string_view kept);
    Factor product(const Factor &a, const Factor &b, std::size_t next);

    D &m_d;
    std::vector<Factor> m_factors;
    std::string m_output;
    std::size_t m_ellipsis = 0; ///< the number of dimensions that an ellipsis stands for
    std::array<ir::Dim, 256> m_sizes{};
};

/// Parses "ij,jk->ik". An operand that repeats a label is refused. The dimensions of an ellipsis get labels of their
/// own, from the last one on.
bool Einsum::read(std::string_view equation, const std::vector<Term> &tensors)
{
    std::string text(equation);
    std::erase(text, ' ');
    m_ellipsis = 0;
    const std::size_t arrow = text.find("->");
    std::string_view inputs = std::string_view(text).substr(0, std::min(arrow, text.size()));
    for (const Term &tensor : tensors) {
        const std::size_t comma = std::min(inputs.find(','), inputs.size());
        const auto labels = withoutEllipsis(inputs.substr(0, comma), tensor);
        if (!labels || !readFactor(*labels, tensor))
            return false;
        inputs.remove_prefix(std::min(comma + 1, inputs.size()));
    }
    if (m_factors.empty() || !inputs.empty())
        return false;
    if (arrow != text.npos) {
        m_output = text.substr(arrow + 2);
        if (const std::size_t dots = m_output.find("..."); dots != m_output.npos)
            m_output.replace(dots, 3, ellipsisLabels(m_ellipsis));
        return isOfFactors(m_output);
    }
    std::string all;
    for (const Factor &factor : m_factors)
        all += factor.labels;
    for (const char label : all)
        if (label >= ' ' && std::ranges::count(all, label) == 1)
            m_output += label;
    std::ranges::sort(m_output);
    m_output.insert(0, ellipsisLabels(m_ellipsis));
    return true;
}

std::optional<std::string> Einsum::withoutEllipsis(std::string_view labels, const Term &tensor)
{
    std::string all(labels);
    const auto known = m_d.knownTensor(tensor);
    const std::size_t dots = all.find("...");
    if (dots == all.npos)
        return all;
    if (!known || known->rank() + 3 < all.size() || known->rank() >= 32)
        return std::nullopt;
    const std::size_t count = known->rank() + 3 - all.size();
    m_ellipsis = std::max(m_ellipsis, count);
    return all.replace(dots, 3, ellipsisLabels(count));
}

bool Einsum::readFactor(std::string_view labels, const Term &tensor)
{
    const auto known = m_d.knownTensor(tensor);
    if (!known || known->rank() != labels.size())
        return false;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        ir::Dim &size = m_sizes[static_cast<unsigned char>(labels[i])];
        const bool isFirst =
            std::ranges::none_of(m_factors, [&](const Factor &f) { return f.labels.contains(labels[i]); });
        if (labels[i] == '.' || labels.substr(0, i).contains(labels[i])
            || (!isFirst && !ops::isSame(size, known->shape[i])))
            return false;
        size = known->shape[i];
    }
    m_factors.push_back({tensor, std::string(labels)});
    return true;
}

/// Sums over the labels that are not in `kept`.
Factor Einsum::summed(const Factor &factor, std::string_view kept)
{
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < factor.labels.size(); ++i)
        if (!kept.contains(factor.labels[i]))
            dims.push_back(static_cast<std::int64_t>(i));
    return dims.empty() ? factor : Factor{sum(factor.term, dims, false), common(factor.labels, kept)};
}

/// Multiplies two factors as a stack of matrices: [batch, left, inner] × [batch, inner, right].
Factor Einsum::product(const Factor &a, const Factor &b, std::size_t next)
{
    std::string later = m_output;
    for (std::size_t i = next; i < m_factors.size(); ++i)
        later += m_factors[i].labels;
    const Factor x = summed(a, later + b.labels), y = summed(b, later + a.labels);
    const std::string both = common(x.labels, y.labels);
    const std::string batch = common(both, later), inner = without(both, later);
    const std::string left = without(x.labels, both), right = without(y.labels, both);
    const Term first = reshape(ordered(x, batch + left + inner), {sizeOf(batch), sizeOf(left), sizeOf(inner)});
    const Term second = reshape(ordered(y, batch + inner + right), {sizeOf(batch), sizeOf(inner), sizeOf(right)});
    const std::string labels = batch + left + right;
    return {reshape(m_d.make("bmm", {first, second}), shapeOf(labels)), labels};
}

Parts einsum(D &d)
{
    const auto made = Einsum(d).result(d.text("equation"), d.items("tensors"));
    return made ? Parts{*made} : Parts{};
}

constexpr DecompositionRule attentionDecompositions[] = {
    {"aten::einsum", einsum},
    {"aten::scaled_dot_product_attention", attention},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// Returns the bias to add to scores: 0 where the mask `counts` is true, -∞ elsewhere.
Term asBias(L &l, const Term &counts, DType dtype)
{
    const Term hidden = l.scalar(-std::numeric_limits<double>::infinity(), dtype);
    const Term seen = l.scalar(0, dtype);
    return where(counts, seen, hidden);
}

/// Returns a mask of Booleans of the keys that each query may attend to: none after the query itself, counted from the
/// upper left corner.
Term causalMask(L &l, const ir::Dim &queries, const ir::Dim &keys)
{
    const Term sizes = concat({vectorOf(l.size(queries)), vectorOf(l.size(keys))}, 0);
    const Term all = expand(l.scalar(1, DType::Bool), sizes);
    return l.make("Trilu", {all}, {{"upper", std::int64_t{0}}});
}

/// Repeats heads of keys and values for the heads of the query that share them, `times` times.
Term sharedHeads(L &l, const Term &x, const L::Tensor &known, std::int64_t times)
{
    if (times == 1)
        return x;
    const auto head = l.known(ops::number(known.shape[1]), "the number of heads is");
    const auto width = l.known(ops::number(known.shape[3]), "the size of a head is");
    Term wide = unsqueeze(x, {2});
    wide = l.make("Tile", {wide, l.ints({1, 1, times, 1, 1})});
    return reshape(wide, std::vector<std::int64_t>{0, head * times, -1, width});
}

Results attentionRule(L &l)
{
    const auto given = ops::attentionArguments(l.call());
    const auto query = l.tensor(given.query), key = l.tensor(given.key), value = l.tensor(given.value);
    if (l.known(given.dropout, "dropout is") != 0)
        return l.refuse("dropout in training");
    if (l.isRefused() || query.rank() < 2 || key.rank() < 2)
        return l.refuse("of less than two dimensions");
    std::int64_t times = 1;
    if (l.known(given.enableGqa, "whether heads are shared is")) {
        const auto heads = ops::number(given.heads), shared = ops::number(given.keyHeads);
        if (query.rank() != 4 || key.rank() != 4 || value.rank() != 4 || !heads || !shared || *shared == 0)
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
    const Term turned = transposed(k, key.rank(), key.rank() - 2, key.rank() - 1);
    Term scores = l.make("MatMul", {l[given.query] * std::sqrt(scale), turned * std::sqrt(scale)});
    if (l.known(given.isCausal, "whether it is causal is"))
        scores =
            scores + asBias(l, causalMask(l, query.shape[query.rank() - 2], key.shape[key.rank() - 2]), scores.dtype);
    if (l.call().has(given.mask)) {
        const Term mask = l[given.mask];
        scores = scores + (mask.dtype == DType::Bool ? asBias(l, mask, scores.dtype) : cast(mask, scores.dtype));
    }
    const Term shares = l.make("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    return {l.make("MatMul", {shares, v})};
}

// ---- layers of transformers as one operator, which PyTorch has for inference

/// Computes x·wᵀ + b.
Term linear(L &l, const Term &x, std::string_view weight, std::string_view bias)
{
    return l.make("MatMul", {x, transpose(l[weight], {1, 0})}) + l[bias];
}

/// The results of attention on [batch, time, width]: the output, and the weights of each head after the softmax.
struct MultiHead {
    Term output, shares;
};

MultiHead selfAttention(L &l, const Term &x, std::int64_t width, std::int64_t heads)
{
    const Term all = linear(l, x, "qkv_weight", "qkv_bias");
    const auto parts = l.makeAll("Split", {all, l.ints({width, width, width})}, {{"axis", std::int64_t{2}}},
                                 {all.dtype, all.dtype, all.dtype});
    const auto split = [&](const Term &part, const std::vector<std::int64_t> &order) {
        return transpose(reshape(part, std::vector<std::int64_t>{0, 0, heads, width / heads}), order);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(width) / static_cast<double>(heads));
    const Term scores = l.make("MatMul", {split(parts[0], {0, 2, 1, 3}) * scale, split(parts[1], {0, 2, 3, 1})});
    const Term shares = l.make("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    const Term seen = transpose(l.make("MatMul", {shares, split(parts[2], {0, 2, 1, 3})}), {0, 2, 1, 3});
    const Term joined = reshape(seen, std::vector<std::int64_t>{0, 0, width});
    return {linear(l, joined, "proj_weight", "proj_bias"), shares};
}

/// Returns the width of all heads together, and the number of heads. Refuses the rule if that number does not divide
/// the width, or if there is a mask.
std::pair<std::int64_t, std::int64_t> headsOf(L &l, std::string_view count)
{
    const std::int64_t width = l.integer("embed_dim"), heads = l.integer(count);
    if (l.has("mask"))
        l.refuse("a mask");
    else if (heads <= 0 || width % heads != 0)
        l.refuse("the width of a head is not known");
    return {width, std::max<std::int64_t>(heads, 1)};
}

/// Computes the attention of a layer in which query, key and value are the same.
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
    return {made.output, l.flag("average_attn_weights") ? reduce("ReduceMean", made.shares, {1}, false) : made.shares};
}

Term normalizedLayer(L &l, const Term &x, std::string_view weight, std::string_view bias)
{
    const Term centered = x - reduce("ReduceMean", x, {-1}, true);
    const Term variance = reduce("ReduceMean", centered * centered, {-1}, true);
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

constexpr LoweringRule attentionRules[] = {
    {"aten::_native_multi_head_attention", nativeAttentionRule},
    {"aten::_transformer_encoder_layer_fwd", encoderLayerRule},
    {"aten::scaled_dot_product_attention", attentionRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family attention() { return {.decompositions = to_aten::attentionDecompositions, .toOnnx = to_onnx::attentionRules}; }

} // namespace cutaway::rules
