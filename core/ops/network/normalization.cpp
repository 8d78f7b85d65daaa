// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/normalization.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/gradients.h"
#include "core/ops/special/rules.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

bool isAnswered(const Answer &answer) { return !answer.facts.empty() && asTensor(answer.facts[0]); }

bool isHalf(std::optional<DType> dtype) { return dtype == DType::Float16 || dtype == DType::BFloat16; }

TensorFact likeTensor(const TensorFact &tensor) { return tensorFact(tensor.dtype, tensor.shape); }

/// Returns a result with the first argument's dtype and shape.
Answer normalizedInput(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    return input ? Answer{likeTensor(*input)} : unknown("input shape unknown");
}

/// Returns the dtype of statistics in PyTorch's kernels, which is the dtype of the parameters. It has to be that of the
/// input, or may be float32 if the input has half precision. Nothing for other combinations.
std::optional<DType> statisticsType(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    const auto input = call.dtypeOf(given.input);
    for (const Position position : {given.weight, given.mean})
        if (call.has(position) && call.dtypeOf(position) != input)
            return isHalf(input) && call.dtypeOf(position) == DType::Float32 ? call.dtypeOf(position) : std::nullopt;
    return input && floatType(*input) == *input ? input : std::nullopt;
}

// ---- Over the batch: one statistic per channel

std::optional<Dim> channels(const Shape &input) { return input.size() < 2 ? std::nullopt : std::optional(input[1]); }

Answer batchNorm(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    const Shape *input = call.shape(given.input), *weight = call.shape(given.weight);
    if (input && input->empty())
        return wrong("a scalar has no channels");
    if (input && input->size() > 1 && weight && weight->size() == 1 && number((*input)[1]) && number((*weight)[0])
        && isDifferent((*input)[1], (*weight)[0]))
        return wrong(
            formatted("the input has {} channels, the weight {}", ir::print((*input)[1]), ir::print((*weight)[0])));
    return normalizedInput(call);
}

/// Returns the normalized input, the mean and the inverse deviation; some operators add a reserve or the updated
/// running statistics. Without training the CPU's kernels save nothing.
Answer nativeBatchNorm(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    if (!input)
        return unknown("input shape unknown");
    const auto trains = normalizationArguments(call).useInputStats;
    TensorFact saved = tensorFact(statisticsType(call), Shape{ir::UnknownDim{}});
    if (trains && *trains && input->shape && input->shape->size() > 1)
        saved.shape.edit().front() = (*input->shape)[1];
    else if (trains && !*trains)
        saved.shape.edit().front() = std::int64_t{0};
    return {likeTensor(*input), saved, saved};
}

TensorFact reserve() { return tensorFact(DType::UInt8, Shape{std::int64_t{0}}); }

Answer batchNormImplIndex(const Call &call)
{
    Answer answer = nativeBatchNorm(call);
    if (!isAnswered(answer))
        return answer;
    answer.facts.push_back(reserve());
    answer.facts.push_back(intFact(std::int64_t{0}));
    return answer;
}

Answer batchNormWithReserve(const Call &call)
{
    Answer answer = nativeBatchNorm(call);
    if (isAnswered(answer))
        answer.facts.push_back(reserve());
    return answer;
}

/// Returns the results of the plain operator, followed by the updated running statistics.
Answer functionalBatchNorm(const Call &call)
{
    Answer answer = call.name().contains("with_update") ? batchNormWithReserve(call) : nativeBatchNorm(call);
    if (!isAnswered(answer))
        return answer;
    const NormalizationArguments given = normalizationArguments(call);
    for (const Position position : {given.mean, given.variance})
        if (const TensorFact *running = call.tensor(position))
            answer.facts.push_back(likeTensor(*running));
    return answer;
}

/// Returns two statistics per channel.
Answer channelStatistics(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto count = input ? channels(*input) : std::nullopt;
    if (!count)
        return unknown("input rank unknown");
    const TensorFact statistic = tensorFact(statisticsType(call), Shape{*count});
    return {statistic, statistic};
}

/// ONNX: returns Y, then statistics of the shape of the running mean: two or four of them, depending on the version.
Answer batchNormalization(const Call &call)
{
    Answer answer = normalizedInput(call);
    if (!isAnswered(answer))
        return answer;
    const NormalizationArguments given = normalizationArguments(call);
    const TensorFact *mean = call.tensor(given.mean);
    const Shape *input = call.shape(given.input);
    for (std::size_t i = 1; i < call.resultCount(); ++i) {
        TensorFact statistic = tensorFact(mean ? mean->dtype : std::nullopt, mean ? mean->shape : std::nullopt);
        if (!statistic.shape && input && input->size() > 1)
            statistic.shape = Shape{(*input)[1]};
        answer.facts.push_back(std::move(statistic));
    }
    return answer;
}

// ---- Over the last dimensions or over groups

/// Returns the shape of a statistic over all dimensions from `axis` on.
Shape reducedFrom(Shape shape, std::size_t axis)
{
    for (std::size_t i = axis; i < shape.size(); ++i)
        shape[i] = one;
    return shape;
}

Answer layerNorm(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    const Shape *input = call.shape(given.input);
    const auto &normalized = given.normalizedShape;
    if (input && normalized) {
        if (normalized->size() > input->size())
            return wrong(
                formatted("normalized_shape has {} dimensions, the input {}", normalized->size(), input->size()));
        const std::size_t kept = input->size() - normalized->size();
        for (std::size_t i = 0; i < normalized->size(); ++i)
            if (number((*input)[kept + i]) && number((*normalized)[i])
                && isDifferent((*input)[kept + i], (*normalized)[i]))
                return wrong(
                    formatted("normalized_shape is {}, the input {}", ir::print(*normalized), ir::print(*input)));
    }
    return normalizedInput(call);
}

/// Versions of torch differ in the result's dtype if the weight has another dtype than the input.
Answer rmsNorm(const Call &call)
{
    Answer answer = layerNorm(call);
    if (const auto weight = call.dtypeOf(normalizationArguments(call).weight);
        weight && weight != call.dtypeOf(0u) && isAnswered(answer))
        answer.facts[0] = tensorFact(std::nullopt, asTensor(answer.facts[0])->shape);
    return answer;
}

/// Returns the normalized input, then the mean and the inverse deviation, or only the inverse deviation.
Answer nativeLayerNorm(const Call &call)
{
    Answer answer = layerNorm(call);
    if (!isAnswered(answer))
        return answer;
    const Shape *input = call.shape(0u);
    const auto axis = input ? normalizationArguments(call).axisOf(input->size()) : std::nullopt;
    TensorFact statistic = tensorFact(statisticsType(call));
    if (axis)
        statistic.shape = reducedFrom(*input, *axis);
    for (std::size_t i = 1; i < call.resultCount(); ++i)
        answer.facts.push_back(statistic);
    return answer;
}

Answer nativeGroupNorm(const Call &call)
{
    Answer answer = normalizedInput(call);
    const Shape statistic{call.size("N").value_or(ir::UnknownDim{}), normalizationArguments(call).groups};
    answer.facts.resize(1);
    answer.facts.insert(answer.facts.end(), 2, tensorFact(statisticsType(call), statistic));
    return answer;
}

/// ONNX: returns Y, and mean and inverse deviation over the dimensions from `axis` on. RMS normalization has no mean.
Answer layerNormalization(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    const TensorFact *input = call.tensor(given.input);
    if (!input)
        return unknown("input shape unknown");
    const auto typeNumber = call.dtype("stash_type");
    TensorFact statistic = tensorFact(typeNumber.value_or(DType::Float32));
    if (input->shape) {
        const std::size_t rank = input->shape->size();
        const auto axis = given.axisOf(rank);
        if (!axis)
            return wrong(formatted("there is no axis {} of {}", given.axis.value_or(-1), rank));
        statistic.shape = reducedFrom(*input->shape, *axis);
    }
    const bool isScaled = !given.bias; // only RMS normalization has no bias
    TensorFact result = likeTensor(*input);
    if (const auto scale = call.dtypeOf(given.weight); scale && isScaled)
        result.dtype = scale;
    Facts results{result, statistic, statistic};
    results.resize(std::min<std::size_t>(call.name() == "LayerNormalization" ? 3 : 2, call.resultCount()));
    return results;
}

/// com.microsoft: returns the output, the mean, the inverse deviation, and the sum that was normalized.
Answer skipLayerNormalization(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    if (!input)
        return unknown("input shape unknown");
    TensorFact statistic = tensorFact(DType::Float32);
    if (input->shape)
        statistic.shape = reducedFrom(*input->shape, std::max(input->shape->size(), std::size_t{1}) - 1);
    return {likeTensor(*input), statistic, statistic, likeTensor(*input)};
}

/// com.microsoft: from token ids [B, S], tables of words [V, H] and others, returns the output [B, S, H], the mask
/// [B] and the sum of the embeddings.
Answer embedLayerNormalization(const Call &call)
{
    const Shape *ids = call.shape(0u), *words = call.shape(2u);
    if (!ids || !words || ids->size() != 2 || words->size() != 2)
        return unknown("shapes of ids and word embedding unknown");
    // Quantized: the dtype is that of the table's scale.
    const std::size_t typed = call.name() == "EmbedLayerNormalization" ? 2 : 8;
    const TensorFact output = tensorFact(call.dtypeOf(typed), Shape{(*ids)[0], (*ids)[1], (*words)[1]});
    return {output, tensorFact(DType::Int32, Shape{(*ids)[0]}), output};
}

/// com.microsoft: returns the normalized input, and the sum of input, skip and bias.
Answer skipGroupNorm(const Call &call)
{
    Answer answer = normalizedInput(call);
    if (!isAnswered(answer))
        return answer;
    const Fact sum = answer.facts[0];
    return {sum, sum};
}

Answer scaler(const Call &call)
{
    const TensorFact *input = call.tensor(0u);
    return {tensorFact(DType::Float32, input ? input->shape : std::nullopt)};
}

// ---- Weights

Answer weightNormInterface(const Call &call)
{
    const TensorFact *v = call.tensor(0u), *g = call.tensor(1u);
    return v && g ? Answer{likeTensor(*v), likeTensor(*g)} : unknown("weight shape unknown");
}

/// Returns the norms of all slices along `dim`; a single norm if it is -1.
Answer normExceptDim(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto dim = call.integer("dim");
    if (!input || !dim)
        return unknown("input's rank or the dimension unknown");
    if (*dim == -1)
        return {tensorFact(call.dtypeOf(0u), Shape{})};
    const auto kept = dimension(*dim, input->size());
    if (!kept)
        return wrong(formatted("there is no dimension {} of {}", *dim, input->size()));
    Shape output(input->size(), Dim(one));
    output[*kept] = (*input)[*kept];
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

/// Returns the gradients of input, weight and bias. The weight of a layer normalization has the normalized shape, the
/// weight of a group normalization one element per channel.
Answer gradients(const Call &call)
{
    const TensorFact *input = call.tensor("input");
    if (!input)
        return unknown("input shape unknown");
    const auto sizes =
        call.has("C") ? std::vector{call.size("C").value_or(ir::UnknownDim{})} : call.sizes("normalized_shape");
    const TensorFact weight = tensorFact(call.has("weight") ? call.dtypeOf("weight") : input->dtype, sizes);
    return wantedGradients(call, {likeTensor(*input), weight, weight});
}

Answer batchNormGradients(const Call &call)
{
    const TensorFact *input = call.tensor("input");
    if (!input)
        return unknown("input shape unknown");
    const bool hasChannels = input->shape && input->shape->size() > 1;
    const TensorFact weight = tensorFact(call.has("weight") ? call.dtypeOf("weight") : input->dtype,
                                         ir::Shape{hasChannels ? (*input->shape)[1] : ir::UnknownDim{}});
    return wantedGradients(call, {likeTensor(*input), weight, weight});
}

constexpr Operator normalizationRows[] = {
    Operator("aten::batch_norm", Category::Normalization, Pattern::Combining, batchNorm, onePerArgument,
             {.kind = kind::batchNorm,
              .compute = compute::batchNorm,
              .formula = "_native_batch_norm_legit_no_training(input, weight, bias, running_mean, running_var, "
                         "momentum, eps)[0] if not (training or running_mean is None or running_var is None) else "
                         "refused('it normalizes by the statistics of its input, as in training')",
              .demand = demand::batchNorm,
              .domains = positiveVariance}),
    Operator("quantized::batch_norm", Category::Normalization, Pattern::Combining, batchNorm, onePerArgument,
             {.kind = kind::batchNorm}),
    Operator("aten::quantized_batch_norm quantized::batch_norm1d quantized::batch_norm2d quantized::batch_norm3d "
             "quantized::batch_norm_relu quantized::batch_norm1d_relu quantized::batch_norm2d_relu "
             "quantized::batch_norm3d_relu onednn::qbatch_norm2d",
             Category::Normalization, Pattern::Combining, batchNorm, onePerArgument),
    Operator("aten::native_batch_norm aten::_native_batch_norm_legit aten::_native_batch_norm_legit_no_training "
             "aten::miopen_batch_norm",
             Category::Normalization, Pattern::Combining, nativeBatchNorm, onePerArgument,
             {.kind = kind::batchNorm,
              .compute = compute::batchNorm,
              .demand = demand::batchNorm,
              .domains = positiveVariance}),
    Operator("aten::_batch_norm_impl_index", Category::Normalization, Pattern::Combining, batchNormImplIndex,
             onePerArgument, {.kind = kind::batchNorm, .compute = compute::batchNorm, .domains = positiveVariance}),
    Operator("aten::_batch_norm_with_update aten::_batch_norm_no_update aten::cudnn_batch_norm",
             Category::Normalization, Pattern::Combining, batchNormWithReserve, onePerArgument,
             {.kind = kind::batchNorm, .compute = compute::batchNorm, .domains = positiveVariance}),
    Operator("aten::_native_batch_norm_legit_functional aten::_batch_norm_with_update_functional",
             Category::Normalization, Pattern::Combining, functionalBatchNorm, onePerArgument),
    Operator("aten::batch_norm_stats aten::batch_norm_update_stats aten::batch_norm_gather_stats "
             "aten::batch_norm_gather_stats_with_counts",
             Category::Normalization, Pattern::Combining, channelStatistics, onePerArgument),
    Operator("onnx::BatchNormalization", Category::Normalization, Pattern::Combining, batchNormalization,
             onePerArgument,
             {.kind = kind::batchNorm,
              .compute = compute::batchNorm,
              .demand = demand::batchNorm,
              .domains = positiveVariance}),
    Operator("com.microsoft::BatchNormInternal", Category::Normalization, Pattern::Combining, batchNormalization,
             onePerArgument),
    Operator("aten::layer_norm", Category::Normalization, Pattern::Combining, layerNorm, onePerArgument,
             {.kind = kind::layerNorm,
              .compute = compute::layerNorm,
              .formula = "native_layer_norm(input, normalized_shape, weight, bias, eps)[0]",
              .demand = demand::layerNorm,
              .cudaAutocast = CastTo::Float32}),
    Operator("quantized::layer_norm", Category::Normalization, Pattern::Combining, layerNorm, onePerArgument,
             {.kind = kind::layerNorm}),
    Operator("aten::rms_norm", Category::Normalization, Pattern::Combining, rmsNorm, onePerArgument,
             {.kind = kind::rmsNorm, .compute = compute::rmsNorm, .demand = demand::layerNorm}),
    Operator("aten::native_layer_norm", Category::Normalization, Pattern::Combining, nativeLayerNorm, onePerArgument,
             {.kind = kind::layerNorm,
              .compute = compute::layerNorm,
              .demand = demand::layerNorm,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::_fused_rms_norm", Category::Normalization, Pattern::Combining, nativeLayerNorm, onePerArgument,
             {.kind = kind::rmsNorm, .compute = compute::rmsNorm, .demand = demand::layerNorm}),
    Operator("aten::native_group_norm", Category::Normalization, Pattern::Combining, nativeGroupNorm, onePerArgument,
             {.kind = kind::groupNorm, .compute = compute::groupNorm}),
    Operator("aten::group_norm", Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument,
             {.kind = kind::groupNorm,
              .compute = compute::groupNorm,
              .demand = demand::groupNorm,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::instance_norm onnx::InstanceNormalization", Category::Normalization, Pattern::Combining,
             normalizedInput, onePerArgument,
             {.kind = kind::instanceNorm,
              .compute = compute::instanceNorm,
              .demand = demand::batchNorm,
              .domains = positiveVariance}),
    Operator("quantized::instance_norm com.ms.internal.nhwc::InstanceNormalization", Category::Normalization,
             Pattern::Combining, normalizedInput, onePerArgument, {.kind = kind::instanceNorm}),
    Operator("onnx::LRN", Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument,
             {.compute = compute::localResponse}),
    Operator("onnx::LpNormalization", Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument,
             {.compute = compute::lpNormalization, .demand = demand::axis}),
    Operator("onnx::MeanVarianceNormalization", Category::Normalization, Pattern::Combining, normalizedInput,
             onePerArgument, {.compute = compute::meanVarianceNormalization}),
    Operator("aten::_weight_norm", Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument,
             {.compute = compute::weightNorm}),
    Operator("aten::batch_norm_elemt aten::embedding_renorm aten::_nested_tensor_layer_norm "
             "com.microsoft::QOrderedLayerNormalization com.ms.internal.nhwc::LRN",
             Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument),
    Operator("aten::renorm", Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument,
             {.cudaAutocast = CastTo::Float32}),
    Operator("onnx::GroupNormalization", Category::Normalization, Pattern::Combining, normalizedInput, onePerArgument,
             {.kind = kind::groupNorm, .compute = compute::groupNorm, .demand = demand::groupNorm}),
    Operator("quantized::group_norm com.microsoft::GroupNorm", Category::Normalization, Pattern::Combining,
             normalizedInput, onePerArgument, {.kind = kind::groupNorm, .demand = demand::groupNorm}),
    Operator("com.ms.internal.nhwc::BatchNormalization", Category::Normalization, Pattern::Combining, normalizedInput,
             onePerArgument, {.kind = kind::batchNorm}),
    Operator("onnx::LayerNormalization", Category::Normalization, Pattern::Combining, layerNormalization,
             onePerArgument, {.kind = kind::layerNorm, .compute = compute::layerNorm, .demand = demand::layerNorm}),
    Operator("onnx::SimplifiedLayerNormalization onnx::RMSNormalization", Category::Normalization, Pattern::Combining,
             layerNormalization, onePerArgument,
             {.kind = kind::rmsNorm, .compute = compute::rmsNorm, .demand = demand::layerNorm}),
    Operator("com.microsoft::SkipLayerNormalization com.microsoft::SkipSimplifiedLayerNormalization",
             Category::Normalization, Pattern::Combining, skipLayerNormalization, onePerArgument,
             {.demand = demand::layerNorm}),
    Operator("com.microsoft::EmbedLayerNormalization com.microsoft::QEmbedLayerNormalization", Category::Normalization,
             Pattern::Combining, embedLayerNormalization, onePerResult, {.parameters = {2, 3, 4, 5, 6}}),
    Operator("com.microsoft::SkipGroupNorm", Category::Normalization, Pattern::Combining, skipGroupNorm,
             onePerArgument),
    Operator("ai.onnx.ml::Scaler", Category::Normalization, Pattern::Combining, scaler, onePerArgument,
             {.compute = compute::scaledFeatures}),
    Operator("ai.onnx.ml::Normalizer", Category::Normalization, Pattern::Combining, scaler, onePerArgument,
             {.compute = compute::normalizedRows}),
    Operator("aten::_weight_norm_interface", Category::Normalization, Pattern::Combining, weightNormInterface,
             onePerArgument),
    Operator("aten::norm_except_dim", Category::Normalization, Pattern::Combining, normExceptDim, onePerArgument),
    Operator("aten::native_layer_norm_backward aten::native_group_norm_backward", Category::Normalization,
             Pattern::Combining, gradients, onePerArgument),
    Operator("torch.nn.functional::normalize", Category::Normalization, Pattern::AlongAxis, likeFirst, unknownOther),
    Operator("aten::native_batch_norm_backward aten::batch_norm_backward", Category::Normalization, Pattern::Combining,
             batchNormGradients, onePerArgument),
};

} // namespace

std::span<const Operator> normalizationOperators() { return normalizationRows; }

} // namespace cutaway::ops
