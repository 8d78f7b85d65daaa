// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/windowed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

Parts batchNorm(D &d)
{
    if (ops::normalizationArguments(d.call()).useInputStats != false || !d.has("running_mean") || !d.has("running_var"))
        return d.refuse("it normalizes by the statistics of its input, as in training");
    return {
        d.makeAll("_native_batch_norm_legit_no_training",
                  {d["input"], d["weight"], d["bias"], d["running_mean"], d["running_var"], d["momentum"], d["eps"]}, 3)
            .front()};
}

Parts layerNorm(D &d)
{
    return {d.makeAll("native_layer_norm", {d["input"], d["normalized_shape"], d["weight"], d["bias"], d["eps"]}, 3)
                .front()};
}

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

/// Each channel of each image by itself: as one image of N·C channels.
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

/// The distance from 1 to the next larger number of a dtype (machine epsilon).
std::optional<double> epsilonOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float16:
        return 0x1p-10;
    case ir::DType::BFloat16:
        return 0x1p-7;
    case ir::DType::Float32:
        return 0x1p-23;
    case ir::DType::Float64:
        return 0x1p-52;
    default:
        return std::nullopt;
    }
}

Parts rmsNorm(D &d)
{
    const Term weight = d["weight"], wide = widened(d["input"]);
    const auto normalized = d.known(d.call().sizes("normalized_shape"), "'normalized_shape' is");
    const double eps = d.has("eps") ? d.number("eps") : d.known(epsilonOf(d.dtype(wide)), "'eps' is");
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < normalized.size(); ++i)
        dims.push_back(-static_cast<std::int64_t>(i) - 1);
    const Term scale = applied("rsqrt", mean(wide * wide, dims, true) + eps);
    const Term normal = wide * scale;
    return {cast(weight.isNone() ? normal : normal * weight, d.tensor("input").dtype)};
}

Parts softmaxInto(D &d, AtenName target)
{
    const auto given = ops::softmaxArguments(d.call());
    if (d["dim"].isNone() || (given.dtype && !*given.dtype))
        return d.refuse("its dimension or dtype is not known");
    const Term x = d["self"];
    return {d.make(target, {given.dtype ? cast(x, **given.dtype) : x, d["dim"], false})};
}

/// v·g / |v|, the length taken over all dimensions but one.
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
    {"aten::batch_norm", batchNorm},
    {"aten::group_norm", groupNorm},
    {"aten::instance_norm", instanceNorm},
    {"aten::layer_norm", layerNorm},
    {"aten::log_softmax", [](D &d) { return softmaxInto(d, "_log_softmax"); }},
    {"aten::rms_norm", rmsNorm},
    {"aten::softmax", [](D &d) { return softmaxInto(d, "_softmax"); }},
    {"aten::special_log_softmax", [](D &d) { return softmaxInto(d, "_log_softmax"); }},
    {"aten::special_softmax", [](D &d) { return softmaxInto(d, "_softmax"); }},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

constexpr std::string_view trains = "it normalizes by the statistics of its input, as in training";

/// Before operator set 9 each place of a sample may have parameters of its own.
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
        return {(n[0] - n[3]) / applied("sqrt", n[4] + epsilon) * n[1] + n[2]};
    }
    return {n.make("batch_norm", {n[0], n[1], n[2], n[3], n[4], false, ir::Operand(0.1), ir::Operand(epsilon), false})};
}

Parts instanceNorm(N &n)
{
    return {n.make("instance_norm",
                   {n[0], n[1], n[2], ir::Operand(), ir::Operand(), true, ir::Operand(0.1),
                    ir::Operand(n.number("epsilon", 1e-5)), false})};
}

/// From the mean of the square of what is taken off it, by dimensions that stay.
Term deviationOf(const Term &centred, const Numbers &axes)
{
    return applied("sqrt", mean(centred * centred, axes, true));
}

/// (x - mean) / (deviation + 1e-9)
Parts meanVarianceNorm(N &n)
{
    const Numbers axes = n.has("axes") ? n.integers("axes") : Numbers{0, 2, 3};
    const Term centred = n[0] - mean(n[0], axes, true);
    return {centred / (deviationOf(centred, axes) + 1e-9)};
}

/// Divides vectors by their length; one without a length stays as it is.
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

/// Channels are averaged together with those beside them, of which there is one more after them where the number is
/// even.
Parts localResponse(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t size = n.integer("size", 0);
    if (x.rank() < 2 || size < 1)
        return n.refuse("its input has no channels, or it averages none");
    const Term squares = n[0] * n[0];
    const bool isImage = x.rank() == 4; // else all that is after the channels is one dimension
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

/// The dimensions from `axis` on.
ir::Shape normalizedShape(N &n)
{
    const auto axis = n.dimension("axis", -1);
    const auto x = n.tensor(0);
    return n.isRefused() ? ir::Shape() : ir::Shape(x.shape.begin() + axis, x.shape.end());
}

/// torch wants scale and bias of the shape that is normalized; what broadcasts to it comes afterwards.
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

/// Before operator set 21 each group has a scale and a bias, then each channel.
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

/// A vector of as many equal numbers as another one has elements.
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

/// A vector of channels, so that it is broadcast along all dimensions after them.
Term perChannel(const Term &vector, std::size_t rank)
{
    std::vector<std::int64_t> sizes(rank - 1, 1);
    sizes.front() = -1;
    return reshape(vector, sizes);
}

/// With the statistics of the input, as in training. What they make of those of the model may be results, too.
Results batchNormOfInputRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    const auto known = l.tensor(given.input);
    if (given.useInputStats != true || known.rank() < 2)
        return l.refuse("which statistics it takes is not known");
    std::vector<std::int64_t> axes{0};
    for (std::size_t i = 2; i < known.rank(); ++i)
        axes.push_back(static_cast<std::int64_t>(i));
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

/// ONNX Runtime takes the variance as E[x²] - E[x]², which rounding makes negative, and the results NaN, where the
/// elements are large and nearly equal. Of elements around zero it is right; so the mean goes before.
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
    std::vector<std::int64_t> axes;
    for (std::size_t i = axis; i < x.rank(); ++i)
        axes.push_back(static_cast<std::int64_t>(i));
    const Term mean = reduce("ReduceMean", input, axes, true);
    const auto made = l.makeAll("LayerNormalization", {input - mean, weight, l.optional(given.bias)},
                                {{"axis", static_cast<std::int64_t>(axis)}, {"epsilon", epsilonOf(l, given)}},
                                l.resultCount() > 1 ? std::vector(3, input.dtype) : std::vector{input.dtype});
    return made.size() > 1 ? Results{made[0], mean, made[2]} : Results{made[0]};
}

/// (x - mean) / √(variance + ε) along the last dimension of [N, groups, elements].
Term normalizedRows(const Term &x, double epsilon)
{
    const Term centered = x - reduce("ReduceMean", x, {2}, true);
    const Term variance = reduce("ReduceMean", centered * centered, {2}, true);
    return centered / applied("Sqrt", variance + epsilon);
}

/// Groups of channels, or each channel by itself.
Term groupNormalized(L &l, const ops::NormalizationArguments &given, std::int64_t groups)
{
    const auto known = l.tensor(given.input);
    const Term x = l[given.input];
    const Term rows = reshape(x, std::vector<std::int64_t>{0, groups, -1});
    Term made = reshape(normalizedRows(rows, epsilonOf(l, given)), shapeOf(x));
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
    std::vector<std::int64_t> axes;
    for (std::size_t i = first; i < known.rank(); ++i)
        axes.push_back(static_cast<std::int64_t>(i));
    const Term x = cast(l[given.input], known.dtype == ir::DType::Float64 ? known.dtype : ir::DType::Float32);
    const double epsilon = given.epsilon ? epsilonOf(l, given) : known.dtype == ir::DType::Float64 ? 0x1p-52 : 0x1p-23;
    if (!given.epsilon && known.dtype != ir::DType::Float32 && known.dtype != ir::DType::Float64)
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
