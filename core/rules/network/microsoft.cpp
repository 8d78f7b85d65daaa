// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/windowed.h"

#include <algorithm>
#include <limits>
#include <numeric>

// ONNX Runtime's optimizer makes these operators of ONNX's.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

// ---- activations

/// Returns a parameter of an activation: the i-th number of the list, or the attribute of that name.
double givenNumber(N &n, std::size_t i, std::string_view attribute, double byDefault)
{
    const auto listed = n.reals("activation_params");
    return listed && i < listed->size() ? (*listed)[i] : n.number(attribute, byDefault);
}

Term activated(N &n, const Term &x)
{
    const std::string_view name = n.text("activation", "");
    static constexpr std::pair<std::string_view, std::string_view> plain[] = {{"Relu", "relu"},
                                                                              {"Tanh", "tanh"},
                                                                              {"Sigmoid", "sigmoid"},
                                                                              {"Softplus", "softplus"},
                                                                              {"HardSwish", "hardswish"}};
    if (name.empty())
        return x;
    if (const auto found = std::ranges::find(plain, name, &std::pair<std::string_view, std::string_view>::first);
        found != std::end(plain))
        return applied(AtenName::computed(found->second), x);
    const auto limited = [&](const Term &each, double low, double high) {
        return n.make("clamp", {each, ir::Operand(low), ir::Operand(high)});
    };
    const auto number = [&](std::size_t i, double byDefault) {
        return givenNumber(n, i, i == 0 ? "activation_alpha" : "activation_beta", byDefault);
    };
    if (name == "LeakyRelu")
        return n.make("leaky_relu", {x, ir::Operand(number(0, 0.01))});
    if (name == "Elu")
        return n.make("elu", {x, ir::Operand(number(0, 1))});
    if (name == "Clip")
        return limited(x, number(0, std::numeric_limits<float>::lowest()),
                       number(1, std::numeric_limits<float>::max()));
    if (name == "HardSigmoid")
        return limited(x * number(0, 0.2) + number(1, 0.5), 0, 1);
    n.refuse(formatted("there is no rule for its activation {}", name));
    return x;
}

Term withBias(N &n) { return n.has(1) ? n[0] + n[1] : n[0]; }

Parts biasGelu(N &n) { return {n.make("gelu", {withBias(n)})}; }

Parts fastGelu(N &n) { return {n.make("gelu", {withBias(n), {"approximate", n.word("tanh")}})}; }

Parts quickGelu(N &n)
{
    const Term x = n[0];
    return {x * applied("sigmoid", x * n.number("alpha", 1.702))};
}

/// Computes the first half times the gelu of the second one.
Parts biasSplitGelu(N &n)
{
    const auto y = n.knownResult();
    if (!y || y->rank() < 1)
        return {};
    const Term sum = withBias(n);
    const std::size_t last = y->rank() - 1;
    const ir::Dim &half = y->shape.back();
    const Term first = slice(sum, last, 0, n.size(half));
    const ir::Operand end = n.size(ops::plus(half, half)), begin = n.size(half);
    const Term second = slice(sum, last, begin, end);
    return {first * n.make("gelu", {second})};
}

/// Computes the sum of all inputs.
Parts biasAdd(N &n) { return {n[0] + n[1] + n[2]}; }

Parts biasSoftmax(N &n)
{
    const auto x = n.knownTensor(0);
    const auto axis = n.dimension(n.integer("axis", 1));
    const bool isInner = n.integer("is_inner_broadcast", 1) != 0;
    if (!x || !axis || !isInner)
        return n.refuse("its bias is not broadcast as torch does it");
    const Term sum = n[0] + n[1];
    const Term flat = n.make("flatten.using_ints", {sum, static_cast<std::int64_t>(*axis), -1});
    return {reshape(n.make("softmax.int", {flat, -1}), x->shape)};
}

// ---- products and convolutions

/// Returns a factor of FusedMatMul. With `batch` its first dimension moves behind those of the batch; with `transposed`
/// the last two are exchanged then.
Term factorOf(N &n, std::size_t position, std::string_view batch, std::string_view transposed)
{
    const auto x = n.knownTensor(position);
    if (!x || x->rank() < 2)
        return n[position];
    std::vector<std::size_t> order(x->rank());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<std::size_t> same = order;
    if (n.integer(batch, 0) != 0)
        std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    if (n.integer(transposed, 0) != 0)
        std::swap(order[x->rank() - 1], order[x->rank() - 2]);
    return order == same ? n[position] : permute(n[position], order);
}

/// Computes alpha * A * B.
Term scaledProduct(N &n)
{
    const Term product = matmul(factorOf(n, 0, "transBatchA", "transA"), factorOf(n, 1, "transBatchB", "transB"));
    const double alpha = n.number("alpha", 1);
    return alpha == 1 ? product : product * alpha;
}

Parts fusedMatMul(N &n) { return {scaledProduct(n)}; }

Parts fusedGemm(N &n)
{
    Term sum = scaledProduct(n);
    if (n.has(2))
        sum = sum + (n.number("beta", 1) == 1 ? n[2] : n[2] * n.number("beta", 1));
    return {activated(n, sum)};
}

Parts gemmFastGelu(N &n)
{
    const Term product = matmul(n[0], n[1]);
    return {n.make("gelu", {n.has(2) ? product + n[2] : product, {"approximate", n.word("tanh")}})};
}

/// Makes a convolution and its activation; a fourth input is added to the convolution's result before the activation.
Parts fusedConvolution(N &n)
{
    const Term product = convolved(n, n[0], n[1], n[2]);
    return {activated(n, n.has(3) ? product + n[3] : product)};
}

// ---- normalizations

Term layerNormalized(N &n, const Term &x, const Term &weight, const Term &bias, double epsilon)
{
    const ir::Shape normalized{n.knownTensor(x) ? n.knownTensor(x)->shape.back() : ir::Dim(ir::UnknownDim{})};
    return n.make("layer_norm", {x, n.sizes(normalized), weight, bias, ir::Operand(epsilon)});
}

/// Takes (input, skip, scale, shift, bias), or without a shift (input, skip, scale, bias), and normalizes the sum of
/// input, skip and bias. The sum is the fourth result; the second and third are statistics, which only training has.
template <bool isSimplified>
Parts skipLayerNorm(N &n)
{
    const auto x = n.knownTensor(0);
    constexpr std::size_t bias = isSimplified ? 3 : 4;
    if (!x || x->rank() < 1)
        return {};
    if (n.isRead(1) || n.isRead(2))
        return n.refuse("its statistics are read");
    const Term both = n[0] + n[1];
    const Term sum = n.has(bias) ? both + n[bias] : both;
    const double epsilon = n.number("epsilon", 1e-12);
    const ir::Shape normalized{x->shape.back()};
    const Term made = isSimplified ? n.make("rms_norm", {sum, n.sizes(normalized), n[2], ir::Operand(epsilon)})
                                   : layerNormalized(n, sum, n[2], n[3], epsilon);
    Parts parts{made};
    if (n.resultCount() > 1)
        for (const std::size_t statistic : {1U, 2U})
            if (const auto type = n.knownResult(statistic))
                parts.push_back(n.full(type->shape, ir::Operand(0.0), type->dtype));
    if (n.resultCount() > 3)
        parts.push_back(sum);
    parts.resize(std::min(parts.size(), n.resultCount()));
    return parts;
}

/// Takes (ids, segments, words, positions, segment table, scale, shift, mask, position ids). The results are the
/// normalized sums of rows, the number of tokens that the mask counts, and the sums.
Parts embedLayerNorm(N &n)
{
    const auto ids = n.knownTensor(0);
    if (!ids || ids->rank() != 2)
        return {};
    const auto rows = [&](std::size_t table, const Term &places) {
        return n.make("embedding", {n[table], cast(places, ir::DType::Int64)});
    };
    const Term places = n.has(8) ? n[8] : unsqueeze(n.arange(ids->shape[1]), 0);
    Term all = rows(2, n[0]) + rows(3, places);
    if (n.has(1))
        all = all + rows(4, n[1]);
    Parts parts{layerNormalized(n, all, n[5], n[6], n.number("epsilon", 1e-12))};
    if (n.resultCount() > 1) {
        const auto counts = n.knownResult(1);
        if (!counts)
            return {};
        const auto counted = [&] {
            const Term ones = compared("eq", n[7], n.term(std::int64_t{1}));
            return cast(sum(cast(ones, ir::DType::Int64), {1}, false), counts->dtype);
        };
        parts.push_back(n.has(7) ? counted() : n.full(counts->shape, ir::Operand(std::int64_t{0}), counts->dtype));
    }
    if (n.resultCount() > 2)
        parts.push_back(all);
    return parts;
}

/// Normalizes groups of channels of [N, …, C] or [N, C, …], perhaps with the activation x·sigmoid(x). `x` is the first
/// input, or its sum with other inputs.
Parts groupNormalized(N &n, Term x)
{
    const bool areLast = n.integer("channels_last", 1) != 0;
    if (areLast)
        x = n.make("movedim.int", {x, -1, 1});
    Term made = n.make("group_norm", {x, n.integer("groups", 1), n[1], n[2], ir::Operand(n.number("epsilon", 1e-5))});
    if (n.integer("activation", 0) == 1)
        made = applied("silu", made);
    return {areLast ? n.make("movedim.int", {made, 1, -1}) : made};
}

Parts imageGroupNorm(N &n) { return groupNormalized(n, n[0]); }

/// Takes (X, scale, shift, skip, bias), and normalizes the sum of X, skip and bias, which may be the second result.
Parts skipGroupNorm(N &n)
{
    const auto x = n.knownTensor(0), skip = n.knownTensor(3);
    if (!x || !skip || x->rank() != 4)
        return {};
    const ir::Dim one = std::int64_t{1};
    const Term beside = skip->rank() == 2 ? reshape(n[3], {skip->shape[0], one, one, skip->shape[1]}) : n[3];
    Term sum = n[0] + beside;
    if (n.has(4))
        sum = sum + n[4];
    Parts parts = groupNormalized(n, sum);
    if (n.resultCount() > 1)
        parts.push_back(sum);
    return parts;
}

// ---- others

Parts inverse(N &n) { return {n.make("inverse", {n[0]})}; }

Parts expandDims(N &n)
{
    const auto axis = n.knownIntegers(1);
    return axis && axis->size() == 1 ? Parts{unsqueeze(n[0], axis->front())} : n.refuse("its axis is not known");
}

Parts unfoldTensor(N &n)
{
    const auto axis = n.dimension(n.integer("dim", -1));
    return axis
        ? Parts{n.make("unfold", {n[0], static_cast<std::int64_t>(*axis), n.integer("size", 1), n.integer("step", 1)})}
        : Parts{};
}

/// Computes the Euclidean distances of rows, or their squares.
Parts distances(N &n)
{
    const Term rows = unsqueeze(n[0], 1), others = unsqueeze(n[1], 0);
    const Term apart = rows - others;
    const Term squares = sum(apart * apart, {2}, false);
    return {n.text("metric", "sqeuclidean") == "euclidean" ? applied("sqrt", squares) : squares};
}

constexpr OnnxLowering microsoftLowerings[] = {
    {"com.microsoft::BiasAdd", biasAdd},
    {"com.microsoft::BiasGelu", biasGelu},
    {"com.microsoft::BiasSoftmax", biasSoftmax},
    {"com.microsoft::BiasSplitGelu", biasSplitGelu},
    {"com.microsoft::CDist", distances},
    {"com.microsoft::EmbedLayerNormalization", embedLayerNorm},
    {"com.microsoft::ExpandDims", expandDims},
    {"com.microsoft::FastGelu", fastGelu},
    {"com.microsoft::FusedConv", fusedConvolution},
    {"com.microsoft::FusedGemm", fusedGemm},
    {"com.microsoft::FusedMatMul", fusedMatMul},
    {"com.microsoft::Gelu", biasGelu},
    {"com.microsoft::GemmFastGelu", gemmFastGelu},
    {"com.microsoft::GroupNorm", imageGroupNorm},
    {"com.microsoft::Inverse", inverse},
    {"com.microsoft::NhwcConv", fusedConvolution},
    {"com.microsoft::NhwcFusedConv", fusedConvolution},
    {"com.microsoft::QuickGelu", quickGelu},
    {"com.microsoft::SkipGroupNorm", skipGroupNorm},
    {"com.microsoft::SkipLayerNormalization", skipLayerNorm<false>},
    {"com.microsoft::SkipSimplifiedLayerNormalization", skipLayerNorm<true>},
    {"com.microsoft::TransposeMatMul", fusedMatMul},
    {"com.microsoft::UnfoldTensor", unfoldTensor},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family microsoft() { return {.fromOnnx = to_aten::microsoftLowerings}; }

} // namespace cutaway::rules
