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
    const Term x = d["input"];
    if (ops::normalizationArguments(d.call()).useInputStats != false || !d.has("running_mean") || !d.has("running_var"))
        return {};
    return {d.makeAll("_native_batch_norm_legit_no_training",
                      {x, d["weight"], d["bias"], d["running_mean"], d["running_var"], d["momentum"], d["eps"]}, 3)
                .front()};
}

Parts layerNorm(D &d)
{
    return {d.makeAll("native_layer_norm", {d["input"], d["normalized_shape"], d["weight"], d["bias"], d["eps"]}, 3)
                .front()};
}

Parts groupNorm(D &d)
{
    const Term x = d["input"];
    const auto known = d.tensor(x);
    if (!known || known->rank() < 2)
        return {};
    const ir::Dim image = ops::product(std::span(known->shape).subspan(2));
    const Term lying = d.isRowMajor(x) ? x : d.make("clone", {x, {"memory_format", ir::MemoryFormat::Contiguous}});
    return {d.makeAll("native_group_norm",
                      {lying, d["weight"], d["bias"], d.size(known->shape[0]), d.size(known->shape[1]), d.size(image),
                       d["num_groups"], d["eps"]},
                      3)
                .front()};
}

/// Each channel of each image by itself: as one image of N·C channels.
Parts instanceNorm(D &d)
{
    const Term x = d["input"];
    const auto known = d.tensor(x);
    if (!known || known->rank() < 2 || d.flag("use_input_stats") != true || d.has("running_mean"))
        return {};
    ir::Shape joined = known->shape;
    joined[1] = ops::times(joined[0], joined[1]);
    joined[0] = ops::one;
    const Term normal =
        d.makeAll("_native_batch_norm_legit.no_stats",
                  {d.reshape(x, joined), {"training", true}, {"momentum", d["momentum"]}, {"eps", d["eps"]}}, 3)
            .front();
    Term made = d.reshape(normal, known->shape);
    ir::Shape channels(known->rank(), ops::one);
    channels[1] = known->shape[1];
    if (d.has("weight"))
        made = made * d.reshape(d["weight"], channels);
    return {d.has("bias") ? made + d.reshape(d["bias"], channels) : made};
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
    const Term x = d["input"], weight = d["weight"];
    const auto known = d.tensor(x);
    const auto normalized = d.call().sizes("normalized_shape");
    if (!known || !normalized)
        return {};
    const Term wide = d.widened(x);
    const auto eps = d.has("eps") ? d.number("eps") : epsilonOf(d.dtype(wide));
    if (!eps)
        return {};
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < normalized->size(); ++i)
        dims.push_back(-static_cast<std::int64_t>(i) - 1);
    const Term scale = applied("rsqrt", d.mean(wide * wide, dims, true) + *eps);
    const Term normal = wide * scale;
    return {d.cast(weight.isNone() ? normal : normal * weight, known->dtype)};
}

Parts softmaxInto(D &d, AtenName target)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto given = ops::softmaxArguments(d.call());
    if (!known || d["dim"].isNone() || (given.dtype && !*given.dtype))
        return {};
    return {d.make(target, {given.dtype ? d.cast(x, **given.dtype) : x, d["dim"], false})};
}

/// v·g / |v|, the length taken over all dimensions but one.
Parts weightNorm(D &d)
{
    const Term v = d["v"], g = d["g"];
    const auto known = d.tensor(v);
    const auto dim = d.integer("dim");
    if (!known || !dim || *dim < -1 || *dim >= static_cast<std::int64_t>(known->rank()))
        return {};
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(known->rank()); ++i)
        if (i != *dim)
            others.push_back(i);
    const Term length = applied("sqrt", d.sum(v * v, others, *dim >= 0));
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
    if (!given.epsilon || !*given.epsilon)
        return {};
    if (given.isOfEachPlace) {
        const auto x = n.tensor(0), ofPlaces = n.tensor(4);
        if (x && ofPlaces && ofPlaces->rank() + 1 != x->rank())
            return n.refuse(formatted("spatial = 0 asks for parameters of each place of {}, and they are of {}",
                                      ir::print(x->shape), ir::print(ofPlaces->shape)));
        const Term deviation = applied("sqrt", n.input(4) + **given.epsilon);
        return {(n.input(0) - n.input(3)) / deviation * n.input(1) + n.input(2)};
    }
    return {n.d.make("batch_norm",
                     {n.input(0), n.input(1), n.input(2), n.input(3), n.input(4), false, ir::Operand(0.1),
                      ir::Operand(**given.epsilon), false})};
}

Parts instanceNorm(N &n)
{
    return {n.d.make("instance_norm",
                     {n.input(0), n.input(1), n.input(2), ir::Operand(), ir::Operand(), true, ir::Operand(0.1),
                      ir::Operand(n.real("epsilon", 1e-5)), false})};
}

/// From the mean of the square of what is taken off it, by dimensions that stay.
Term deviationOf(N &n, const Term &centred, const Numbers &axes)
{
    return applied("sqrt", n.d.mean(centred * centred, axes, true));
}

/// (x - mean) / (deviation + 1e-9)
Parts meanVarianceNorm(N &n)
{
    const auto axes = n.hasAttribute("axes") ? n.integers("axes") : std::optional(Numbers{0, 2, 3});
    if (!axes)
        return {};
    const Term centred = n.input(0) - n.d.mean(n.input(0), *axes, true);
    return {centred / (deviationOf(n, centred, *axes) + 1e-9)};
}

/// Divides vectors by their length; one without a length stays as it is.
Parts lpNorm(N &n)
{
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!axis)
        return {};
    const Numbers dims{static_cast<std::int64_t>(*axis)};
    const Term x = n.input(0);
    const Term length =
        n.integer("p", 2) == 1 ? n.d.sum(applied("abs", x), dims, true) : applied("sqrt", n.d.sum(x * x, dims, true));
    const Term zero = n.d.term(std::int64_t{0});
    return {where(compared("eq", length, zero), n.d.make("zeros_like", {x}), x / length)};
}

/// Channels are averaged together with those beside them, of which there is one more after them where the number is
/// even.
Parts localResponse(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t size = n.integer("size", 0);
    if (!x || x->rank() < 2 || size < 1)
        return {};
    const Term squares = n.input(0) * n.input(0);
    const bool isImage = x->rank() == 4; // else all that is after the channels is one dimension
    const ir::Dim one = std::int64_t{1};
    const ir::Shape behind(x->shape.begin() + 2, x->shape.end());
    const Term apart = isImage ? n.d.unsqueeze(squares, 1)
                               : n.d.reshape(squares, {x->shape[0], one, x->shape[1], ops::product(behind)});
    Numbers pads(isImage ? 4 : 2);
    pads.push_back((size - 1) / 2);
    pads.push_back(size / 2);
    const Term wide = n.d.make("constant_pad_nd", {apart, AtenMaker::list(pads), ir::Operand(0.0)});
    const Numbers kernel = isImage ? Numbers{size, 1, 1} : Numbers{size, 1};
    const Term average = n.d.make(isImage ? AtenName("avg_pool3d") : AtenName("avg_pool2d"),
                                  {wide, AtenMaker::list(kernel), AtenMaker::list(Numbers(kernel.size(), 1))});
    const Term mean = isImage ? n.d.make("squeeze.dim", {average, 1}) : n.d.reshape(average, x->shape);
    const Term base = mean * n.real("alpha", 1e-4) + n.real("bias", 1);
    return {n.input(0) / n.d.make("pow.Tensor_Scalar", {base, ir::Operand(n.real("beta", 0.75))})};
}

/// torch wants scale and bias of the shape that is normalized; what broadcasts to it comes afterwards.
Parts layerNorm(N &n)
{
    const auto x = n.tensor(0), scale = n.tensor(1);
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!x || !scale || !axis)
        return {};
    const ir::Shape normalized(x->shape.begin() + static_cast<std::ptrdiff_t>(*axis), x->shape.end());
    const auto bias = n.tensor(2);
    const bool fits = scale->shape == normalized && (!bias || bias->shape == normalized);
    const std::vector<AtenMaker::With> arguments{n.input(0), n.d.sizes(normalized), fits ? n.input(1) : n.d.term({}),
                                                 fits ? n.input(2) : n.d.term({}),
                                                 ir::Operand(n.real("epsilon", 1e-5))};
    std::vector<Term> made = n.resultCount() > 1 ? n.d.makeAll("native_layer_norm", arguments, 3)
                                                 : std::vector{n.d.make("layer_norm", arguments)};
    if (!fits)
        made[0] = n.has(2) ? made[0] * n.input(1) + n.input(2) : made[0] * n.input(1);
    made.resize(n.resultCount(), n.d.term({}));
    return {made.begin(), made.end()};
}

/// Before operator set 21 each group has a scale and a bias, then each channel.
Term ofEachChannel(N &n, std::size_t position, std::int64_t groups)
{
    const auto given = n.tensor(position);
    const auto x = n.tensor(0);
    const auto channels = ops::number(x->shape[1]);
    if (!given || given->rank() != 1 || ops::number(given->shape[0]) != groups || channels == groups)
        return n.input(position);
    if (!channels) {
        n.d.fail();
        return n.input(position);
    }
    const Term column = n.d.unsqueeze(n.input(position), 1);
    return n.d.reshape(n.d.expand(column, {groups, *channels / groups}), {*channels});
}

Parts groupNorm(N &n)
{
    const auto x = n.tensor(0);
    const auto scale = n.tensor(1);
    const std::int64_t groups = n.integer("num_groups", 1);
    if (!x || !scale || x->rank() < 2 || scale->shape.size() != 1 || groups < 1)
        return {};
    return {n.d.make("group_norm",
                     {n.input(0), groups, ofEachChannel(n, 1, groups), ofEachChannel(n, 2, groups),
                      ir::Operand(n.real("epsilon", 1e-5))})};
}

Parts rmsNorm(N &n)
{
    const auto x = n.tensor(0), scale = n.tensor(1);
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!x || !scale || !axis || n.resultCount() > 1)
        return {};
    const ir::Shape normalized(x->shape.begin() + static_cast<std::ptrdiff_t>(*axis), x->shape.end());
    const bool fits = scale->shape == normalized;
    const Term made = n.d.make(
        "rms_norm",
        {n.input(0), n.d.sizes(normalized), fits ? n.input(1) : n.d.term({}), ir::Operand(n.real("epsilon", 1e-5))});
    return {fits ? made : made * n.input(1)};
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
Term filledLike(L &l, const Term &like, double number)
{
    return l.expand(l.scalar(number, like.dtype), l.shapeOf(like));
}

Results batchNormRule(L &l)
{
    const auto given = ops::normalizationArguments(l.call());
    if (given.useInputStats != false || !l.call().has(given.mean) || !l.call().has(given.variance))
        return l.refuse("statistics of the input, as in training");
    for (std::size_t i = 1; i < l.resultCount(); ++i)
        if (l.isRead(i) && ops::number(l.result(i).shape.empty() ? ops::zero : l.result(i).shape.front()) != 0)
            return l.refuse("statistics as results");
    const Term x = l[given.input], mean = l.cast(l[given.mean], x.dtype);
    const auto orElse = [&](ops::Position position, double number) {
        return l.call().has(position) ? l.cast(l[position], x.dtype) : filledLike(l, mean, number);
    };
    const Term made =
        l.make("BatchNormalization",
               {x, orElse(given.weight, 1), orElse(given.bias, 0), mean, l.cast(l[given.variance], x.dtype)},
               {{"epsilon", epsilonOf(l, given)}});
    return {made, Lowered(), Lowered(), Lowered(), Lowered()};
}

/// A vector of channels, so that it is broadcast along all dimensions after them.
Term perChannel(L &l, const Term &vector, std::size_t rank)
{
    std::vector<std::int64_t> sizes(rank - 1, 1);
    sizes.front() = -1;
    return l.reshape(vector, sizes);
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
    const Term x = l.cast(l[given.input], isDouble ? known.dtype : ir::DType::Float32);
    const Term mean = l.reduce("ReduceMean", x, axes, true), centered = x - mean;
    const Term variance = l.reduce("ReduceMean", centered * centered, axes, true);
    const Term scale = applied("Reciprocal", applied("Sqrt", variance + epsilonOf(l, given)));
    Term made = centered * scale;
    if (l.call().has(given.weight))
        made = made * l.cast(perChannel(l, l[given.weight], known.rank()), x.dtype);
    if (l.call().has(given.bias))
        made = made + l.cast(perChannel(l, l[given.bias], known.rank()), x.dtype);
    Results results{made, l.reshape(mean, {-1}), l.reshape(scale, {-1})};
    if (l.resultCount() < 5) {
        l.note("a batch normalization in training keeps no running statistics in ONNX");
        return results;
    }
    const double momentum = l.number("momentum");
    const Term count = l.cast(l.make("Div", {l.make("Size", {x}, {}, ir::DType::Int64), l.sizeOf(x, 1)}), x.dtype);
    const Term unbiased = l.reshape(variance * (count / (count - 1)), {-1});
    const auto moved = [&](ops::Position position, const Term &now) {
        return l.cast(l[position], x.dtype) * (1 - momentum) + now * momentum;
    };
    results.emplace_back(moved(given.mean, l.reshape(mean, {-1})));
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
        weight = l.expand(l.scalar(1, input.dtype), l.shapeTerm(sizes));
        if (!l.isRefused() && ops::product(sizes) == ir::Dim(ir::UnknownDim{}))
            return l.refuse("the sizes that are normalized are not known");
    }
    std::vector<std::int64_t> axes;
    for (std::size_t i = axis; i < x.rank(); ++i)
        axes.push_back(static_cast<std::int64_t>(i));
    const Term mean = l.reduce("ReduceMean", input, axes, true);
    const auto made = l.makeAll("LayerNormalization", {input - mean, weight, l.optional(given.bias)},
                                {{"axis", static_cast<std::int64_t>(axis)}, {"epsilon", epsilonOf(l, given)}},
                                l.resultCount() > 1 ? std::vector(3, input.dtype) : std::vector{input.dtype});
    return made.size() > 1 ? Results{made[0], mean, made[2]} : Results{made[0]};
}

/// (x - mean) / √(variance + ε) along the last dimension of [N, groups, elements].
Term normalizedRows(L &l, const Term &x, double epsilon)
{
    const Term centered = x - l.reduce("ReduceMean", x, {2}, true);
    const Term variance = l.reduce("ReduceMean", centered * centered, {2}, true);
    return centered / applied("Sqrt", variance + epsilon);
}

/// Groups of channels, or each channel by itself.
Term groupNormalized(L &l, const ops::NormalizationArguments &given, std::int64_t groups)
{
    const auto known = l.tensor(given.input);
    const Term x = l[given.input];
    const Term rows = l.reshape(x, std::vector<std::int64_t>{0, groups, -1});
    Term made = l.reshape(normalizedRows(l, rows, epsilonOf(l, given)), l.shapeOf(x));
    if (l.call().has(given.weight))
        made = made * l.cast(perChannel(l, l[given.weight], known.rank()), x.dtype);
    return l.call().has(given.bias) ? made + l.cast(perChannel(l, l[given.bias], known.rank()), x.dtype) : made;
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
    const Term x = l.cast(l[given.input], known.dtype == ir::DType::Float64 ? known.dtype : ir::DType::Float32);
    const double epsilon = given.epsilon ? epsilonOf(l, given) : known.dtype == ir::DType::Float64 ? 0x1p-52 : 0x1p-23;
    if (!given.epsilon && known.dtype != ir::DType::Float32 && known.dtype != ir::DType::Float64)
        return l.refuse("epsilon is not known");
    const Term made = x / applied("Sqrt", l.reduce("ReduceMean", x * x, axes, true) + epsilon);
    return {l.call().has(given.weight) ? made * l.cast(l[given.weight], x.dtype) : made};
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
