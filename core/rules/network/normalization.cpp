// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/tensors/small_float.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

Parts groupNorm(D &d)
{
    const auto known = d.tensor("input");
    if (known.rank() < 2)
        return d.refuse("its input has no channels");
    const ir::Dim image = ops::product(std::span(known.shape).subspan(2));
    return {d.makeAll("native_group_norm",
                      {rowMajor(d["input"]), d["weight"], d["bias"], d.size(known.shape[0]), d.size(known.shape[1]),
                       d.size(image), d["num_groups"], d["eps"]},
                      3)
                .front()};
}

/// Normalizes each channel of each image, by viewing the images as one image of N·C channels.
Parts instanceNorm(D &d)
{
    const auto known = d.tensor("input");
    if (known.rank() < 2 || !d.flag("use_input_stats") || d.has("running_mean"))
        return d.refuse("it normalizes by other statistics than those of its channels");
    ir::Shape joined = known.shape;
    joined[1] = ops::times(joined[0], joined[1]);
    joined[0] = ops::one;
    const Term normal =
        d.makeAll("_native_batch_norm_legit.no_stats",
                  {reshape(d["input"], joined), {"training", true}, {"momentum", d["momentum"]}, {"eps", d["eps"]}}, 3)
            .front();
    Term made = reshape(normal, known.shape);
    ir::Shape channels(known.rank(), ops::one);
    channels[1] = known.shape[1];
    if (d.has("weight"))
        made = made * reshape(d["weight"], channels);
    return {d.has("bias") ? made + reshape(d["bias"], channels) : made};
}

Parts rmsNorm(D &d)
{
    const Term weight = d["weight"], wide = widened(d["input"]);
    const auto normalized = d.known(d.call().sizes("normalized_shape"), "'normalized_shape' is");
    const double eps = d.has("eps") ? d.number("eps") : d.known(ir::floatLimits(d.dtype(wide)), "'eps' is").epsilon;
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < normalized.size(); ++i)
        dims.push_back(-static_cast<std::int64_t>(i) - 1);
    const Term scale = applied("rsqrt", mean(wide * wide, dims, true) + eps);
    const Term normal = wide * scale;
    return {cast(weight.isNone() ? normal : normal * weight, d.dtype("input"))};
}

Parts softmaxInto(D &d, AtenName target)
{
    const auto given = ops::softmaxArguments(d.call());
    if (d["dim"].isNone() || (given.dtype && !*given.dtype))
        return d.refuse("its dimension or dtype is not known");
    const Term x = d["self"];
    return {d.make(target, {given.dtype ? cast(x, **given.dtype) : x, d["dim"], false})};
}

/// Computes v·g / |v|, where the length is taken over all dimensions but one.
Parts weightNorm(D &d)
{
    const Term v = d["v"], g = d["g"];
    const auto rank = std::ssize(d.tensor("v").shape);
    const std::int64_t dim = d.integer("dim");
    if (dim < -1 || dim >= rank)
        return d.refuse("'dim' is no dimension");
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < rank; ++i)
        if (i != dim)
            others.push_back(i);
    const Term length = applied("sqrt", sum(v * v, others, dim >= 0));
    return {v * (g / length)};
}

constexpr DecompositionRule normalizationDecompositions[] = {
    {"aten::_weight_norm", weightNorm},
    {"aten::group_norm", groupNorm},
    {"aten::instance_norm", instanceNorm},
    {"aten::log_softmax", [](D &d) { return softmaxInto(d, "_log_softmax"); }},
    {"aten::rms_norm", rmsNorm},
    {"aten::softmax", [](D &d) { return softmaxInto(d, "_softmax"); }},
    {"aten::special_log_softmax", [](D &d) { return softmaxInto(d, "_log_softmax"); }},
    {"aten::special_softmax", [](D &d) { return softmaxInto(d, "_softmax"); }},
};

// ---- from ONNX

using N = OnnxNode;
using Numbers = N::Numbers;

constexpr std::string_view trains = "it normalizes by the statistics of its input, as in training";

/// Makes a batch normalization. Before operator set 9, each position of a sample may have parameters of its own; then
/// the normalization becomes arithmetic.
Parts batchNorm(N &n)
{
    const ops::NormalizationArguments given = ops::normalizationArguments(n.call());
    if (given.useInputStats != false || n.resultCount() > 1)
        return n.refuse(std::string(trains));
    const double epsilon = n.known(given.epsilon.value_or(std::nullopt), "epsilon is");
    if (given.isOfEachPlace) {
        const auto x = n.tensor(0), ofPlaces = n.tensor(4);
        if (ofPlaces.rank() + 1 != x.rank())
            return n.refuse(formatted("spatial = 0 asks for parameters of each place of {}, and they are of {}",
                                      ir::print(x.shape), ir::print(ofPlaces.shape)));
        const Term centred = n[0] - n[3];
        return {centred / applied("sqrt", n[4] + epsilon) * n[1] + n[2]};
    }
    return {n.make("batch_norm", {n[0], n[1], n[2], n[3], n[4], false, ir::Operand(0.1), ir::Operand(epsilon), false})};
}

Parts instanceNorm(N &n)
{
    return {n.make("instance_norm",
                   {n[0], n[1], n[2], ir::Operand(), ir::Operand(), true, ir::Operand(0.1),
                    ir::Operand(n.number("epsilon", 1e-5)), false})};
}

/// Returns the standard deviation of centred elements, the root of the mean of their squares, with reduced dimensions
/// kept.
Term deviationOf(const Term &centred, const Numbers &axes)
{
    return applied("sqrt", mean(centred * centred, axes, true));
}

/// Computes (x - mean) / (deviation + 1e-9).
Parts meanVarianceNorm(N &n)
{
    const Numbers axes = n.has("axes") ? n.integers("axes") : Numbers{0, 2, 3};
    const Term centred = n[0] - mean(n[0], axes, true);
    return {centred / (deviationOf(centred, axes) + 1e-9)};
}

/// Divides vectors by their length; a vector of zeros is unchanged.
Parts lpNorm(N &n)
{
    const Numbers dims{n.dimension("axis", -1)};
    const Term x = n[0];
    const Term length =
        n.integer("p", 2) == 1 ? sum(applied("abs", x), dims, true) : applied("sqrt", sum(x * x, dims, true));
    const Term zero = n.term(std::int64_t{0});
    const Term scaled = x / length;
    const Term zeros = n.make("zeros_like", {x});
    const Term isZero = compared("eq", length, zero);
    return {where(isZero, zeros, scaled)};
}

/// Normalizes each channel by the average square of the channel and its neighbours; if their number is even, one more
/// neighbour lies after the channel than before it.
Parts localResponse(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t size = n.integer("size", 0);
    if (x.rank() < 2 || size < 1)
        return n.refuse("its input has no channels, or it averages none");
    const Term squares = n[0] * n[0];
    const bool isImage = x.rank() == 4; // otherwise all dimensions after the channels are joined
    const ir::Dim behind = ops::product(std::span(x.shape).subspan(2));
    const Term apart = isImage ? unsqueeze(squares, 1) : reshape(squares, {x.shape[0], ops::one, x.shape[1], behind});
    Numbers pads(isImage ? 4 : 2);
    pads.push_back((size - 1) / 2);
    pads.push_back(size / 2);
    const Term wide = n.make("constant_pad_nd", {apart, N::list(pads), ir::Operand(0.0)});
    const Numbers kernel = isImage ? Numbers{size, 1, 1} : Numbers{size, 1};
    const Term average = n.make(isImage ? AtenName("avg_pool3d") : AtenName("avg_pool2d"),
                                {wide, N::list(kernel), N::list(Numbers(kernel.size(), 1))});
    const Term averaged = isImage ? squeeze(average, 1) : reshape(average, x.shape);
    const Term base = averaged * n.number("alpha", 1e-4) + n.number("bias", 1);
    return {n[0] / n.make("pow.Tensor_Scalar", {base, ir::Operand(n.number("beta", 0.75))})};
}

/// Returns the sizes of the dimensions from `axis` on.
ir::Shape normalizedShape(N &n)
{
    const auto axis = n.dimension("axis", -1);
    const auto x = n.tensor(0);
    return n.isRefused() ? ir::Shape() : ir::Shape(x.shape.begin() + axis, x.shape.end());
}

/// Makes torch's layer_norm, which requires scale and bias of the normalized shape; a scale and bias that only
/// broadcast to that shape are applied afterwards.
Parts layerNorm(N &n)
{
    const ir::Shape normalized = normalizedShape(n);
    const ir::Shape *bias = n.call().shape(2);
    const bool fits = n.tensor(1).shape == normalized && (!bias || *bias == normalized);
    const std::vector<N::With> arguments{n[0], n.sizes(normalized), fits ? n[1] : n.term({}), fits ? n[2] : n.term({}),
                                         ir::Operand(n.number("epsilon", 1e-5))};
    std::vector<Term> made = n.resultCount() > 1 ? n.makeAll("native_layer_norm", arguments, 3)
                                                 : std::vector{n.make("layer_norm", arguments)};
    if (!fits)
        made[0] = n.has(2) ? made[0] * n[1] + n[2] : made[0] * n[1];
    made.resize(n.resultCount(), n.term({}));
    return {made.begin(), made.end()};
}

/// Returns a parameter for each channel. Before operator set 21 the node has one for each group, which is repeated for
/// the channels of the group.
Term ofEachChannel(N &n, std::size_t position, std::int64_t groups)
{
    const auto given = n.tensor(position);
    const auto channels = ops::number(n.tensor(0).shape[1]);
    if (given.rank() != 1 || ops::number(given.shape[0]) != groups || channels == groups)
        return n[position];
    const std::int64_t count = n.known(channels, "its number of channels is");
    return reshape(expand(unsqueeze(n[position], 1), {groups, count / groups}), {count});
}

Parts groupNorm(N &n)
{
    const std::int64_t groups = n.integer("num_groups", 1);
    if (n.tensor(0).rank() < 2 || n.tensor(1).rank() != 1 || groups < 1)
        return n.refuse("it has no channels, or no vector of scales");
    return {n.make("group_norm",
                   {n[0], groups, ofEachChannel(n, 1, groups), ofEachChannel(n, 2, groups),
                    ir::Operand(n.number("epsilon", 1e-5))})};
}

Parts rmsNorm(N &n)
{
    const ir::Shape normalized = normalizedShape(n);
    if (n.resultCount() > 1)
        return n.refuse("its statistics are results");
    const bool fits = n.tensor(1).shape == normalized;
    const Term made = n.make(
        "rms_norm", {n[0], n.sizes(normalized), fits ? n[1] : n.term({}), ir::Operand(n.number("epsilon", 1e-5))});
    return {fits ? made : made * n[1]};
}

constexpr OnnxLowering normalizationLowerings[] = {
    {"onnx::BatchNormalization", batchNorm},
    {"onnx::GroupNormalization", groupNorm},
    {"onnx::InstanceNormalization", instanceNorm},
    {"onnx::LRN", localResponse},
    {"onnx::LayerNormalization", layerNorm},
    {"onnx::LpNormalization", lpNorm},
    {"onnx::MeanVarianceNormalization", meanVarianceNorm},
    {"onnx::RMSNormalization", rmsNorm},
    {"onnx::SimplifiedLayerNormalization", rmsNorm},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;

double epsilonOf(L &l, const ops::NormalizationArguments &given)
{
    return l.known(given.epsilon.value_or(std::nullopt), "epsilon is");
}

/// Returns a vector of equal numbers with the size of another one.
Term filledLike(const Term &like, double number) { return filled(shapeOf(like), number, like.dtype); }

Results batchNormRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    if (given.useInputStats != false || !l.call().has(given.mean) || !l.call().has(given.variance))
        return l.refuse("statistics of the input, as in training");
    for (std::size_t i = 1; i < l.resultCount(); ++i)
        if (l.isRead(i) && ops::number(l.result(i).shape.empty() ? ops::zero : l.result(i).shape.front()) != 0)
            return l.refuse("statistics as results");
    const Term x = l[given.input], mean = cast(l[given.mean], x.dtype);
    const auto orElse = [&](ops::Position position, double number) {
        return l.call().has(position) ? cast(l[position], x.dtype) : filledLike(mean, number);
    };
    const Term made =
        l.make("BatchNormalization",
               {x, orElse(given.weight, 1), orElse(given.bias, 0), mean, cast(l[given.variance], x.dtype)},
               {{"epsilon", epsilonOf(l, given)}});
    return {made, Lowered(), Lowered(), Lowered(), Lowered()};
}

/// Returns a vector of channels with the dimensions appended that let it broadcast.
Term perChannel(const Term &vector, std::size_t rank)
{
    std::vector<std::int64_t> sizes(rank - 1, 1);
    sizes.front() = -1;
    return reshape(vector, sizes);
}

/// Normalizes by the statistics of the input, as in training. The updated running statistics may be results, too.
Results batchNormOfInputRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    const auto known = l.tensor(given.input);
    if (given.useInputStats != true || known.rank() < 2)
        return l.refuse("which statistics it takes is not known");
    auto axes = consecutive(1, known.rank());
    axes.front() = 0;
    const bool isDouble = known.dtype == ir::DType::Float64;
    const Term x = cast(l[given.input], isDouble ? known.dtype : ir::DType::Float32);
    const Term mean = reduce("ReduceMean", x, axes, true), centered = x - mean;
    const Term variance = reduce("ReduceMean", centered * centered, axes, true);
    const Term scale = applied("Reciprocal", applied("Sqrt", variance + epsilonOf(l, given)));
    Term made = centered * scale;
    if (l.call().has(given.weight))
        made = made * cast(perChannel(l[given.weight], known.rank()), x.dtype);
    if (l.call().has(given.bias))
        made = made + cast(perChannel(l[given.bias], known.rank()), x.dtype);
    Results results{made, reshape(mean, {-1}), reshape(scale, {-1})};
    if (l.resultCount() < 5) {
        l.note("a batch normalization in training keeps no running statistics in ONNX");
        return results;
    }
    const double momentum = l.number("momentum");
    const Term count = cast(l.make("Div", {l.make("Size", {x}, {}, ir::DType::Int64), sizeOf(x, 1)}), x.dtype);
    const Term unbiased = reshape(variance * (count / (count - 1)), {-1});
    const auto moved = [&](ops::Position position, const Term &now) {
        return cast(l[position], x.dtype) * (1 - momentum) + now * momentum;
    };
    results.emplace_back(moved(given.mean, reshape(mean, {-1})));
    results.emplace_back(moved(given.variance, unbiased));
    return results;
}

/// ONNX Runtime computes the variance as E[x²] - E[x]². Where the elements are large and nearly equal, rounding makes
/// that negative, and the results NaN. For elements around zero it is right, so this rule subtracts the mean first.
Results layerNormRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    const auto x = l.tensor(given.input);
    const auto axis = l.known(given.axisOf(x.rank()), "the first dimension is");
    const Term input = l[given.input];
    Term weight = l.optional(given.weight);
    if (weight.isNone()) {
        const std::vector<ir::Dim> sizes(x.shape.begin() + static_cast<std::ptrdiff_t>(axis), x.shape.end());
        weight = filled(l.shapeTerm(sizes), 1, input.dtype);
        if (!l.isRefused() && ops::product(sizes) == ir::Dim(ir::UnknownDim{}))
            return l.refuse("the sizes that are normalized are not known");
    }
    const Term mean = reduce("ReduceMean", input, consecutive(axis, x.rank()), true);
    const auto made = l.makeAll("LayerNormalization", {input - mean, weight, l.optional(given.bias)},
                                {{"axis", static_cast<std::int64_t>(axis)}, {"epsilon", epsilonOf(l, given)}},
                                l.resultCount() > 1 ? std::vector(3, input.dtype) : std::vector{input.dtype});
    return made.size() > 1 ? Results{made[0], mean, made[2]} : Results{made[0]};
}

/// Computes (x - mean) / √(variance + ε) along the last dimension of [N, groups, elements].
Term normalizedRows(const Term &x, double epsilon)
{
    const Term centered = x - reduce("ReduceMean", x, {2}, true);
    const Term variance = reduce("ReduceMean", centered * centered, {2}, true);
    return centered / applied("Sqrt", variance + epsilon);
}

/// Normalizes groups of channels, or each channel by itself.
Term groupNormalized(L &l, const ops::NormalizationArguments &given, std::int64_t groups)
{
    const auto known = l.tensor(given.input);
    const Term x = l[given.input];
    const Term rows = reshape(x, std::vector<std::int64_t>{0, groups, -1});
    const Term normalized = normalizedRows(rows, epsilonOf(l, given));
    Term made = reshape(normalized, shapeOf(x));
    if (l.call().has(given.weight))
        made = made * cast(perChannel(l[given.weight], known.rank()), x.dtype);
    return l.call().has(given.bias) ? made + cast(perChannel(l[given.bias], known.rank()), x.dtype) : made;
}

Results groupNormRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    if (l.tensor(given.input).rank() < 2)
        return l.refuse("an input of one dimension");
    for (std::size_t i = 1; i < l.resultCount(); ++i)
        if (l.isRead(i))
            return l.refuse("statistics as results");
    const auto groups = l.known(ops::number(given.groups), "the number of groups is");
    return {groupNormalized(l, given, groups), Lowered(), Lowered()};
}

Results instanceNormRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    const auto x = l.tensor(given.input);
    if (given.useInputStats == false)
        return batchNormRule(l);
    if (given.useInputStats != true || x.rank() < 3)
        return l.refuse("which statistics it takes is not known");
    return {groupNormalized(l, given, l.known(ops::number(x.shape[1]), "the number of channels is"))};
}

Results rmsNormRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    const auto known = l.tensor(given.input);
    const auto first = l.known(given.axisOf(known.rank()), "the first dimension is");
    const auto axes = consecutive(first, known.rank());
    const Term x = cast(l[given.input], known.dtype == ir::DType::Float64 ? known.dtype : ir::DType::Float32);
    const double epsilon = given.epsilon ? epsilonOf(l, given) : ir::floatLimits(x.dtype)->epsilon;
    if (!given.epsilon && known.dtype != x.dtype)
        return l.refuse("epsilon is not known");
    const Term made = x / applied("Sqrt", reduce("ReduceMean", x * x, axes, true) + epsilon);
    return {l.call().has(given.weight) ? made * cast(l[given.weight], x.dtype) : made};
}

constexpr LoweringRule normalizationRules[] = {
    {"aten::batch_norm aten::native_batch_norm aten::_native_batch_norm_legit_no_training "
     "aten::_native_batch_norm_legit aten::cudnn_batch_norm",
     batchNormRule},
    {"aten::batch_norm aten::native_batch_norm aten::_native_batch_norm_legit "
     "aten::_native_batch_norm_legit_functional aten::cudnn_batch_norm",
     batchNormOfInputRule},
    {"aten::layer_norm aten::native_layer_norm", layerNormRule},
    {"aten::group_norm", groupNormRule},
    {"aten::native_group_norm", groupNormRule},
    {"aten::instance_norm", instanceNormRule},
    {"aten::rms_norm", rmsNormRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family normalization()
{
    return {.decompositions = to_aten::normalizationDecompositions,
            .fromOnnx = to_aten::normalizationLowerings,
            .toOnnx = to_onnx::normalizationRules};
}

} // namespace cutaway::rules
