// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/pooling.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/torch/determinism.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

/// Returns the result and, for operators that have them, the indices of the maxima.
Facts withIndices(const Call &call, std::optional<ir::DType> dtype, std::optional<Shape> shape)
{
    const TensorFact values = tensorFact(dtype, std::move(shape));
    if (call.resultCount() < 2)
        return {values};
    return {values, tensorFact(ir::DType::Int64, values.shape)};
}

/// Returns what is known without the input's rank: the dtype, and in ONNX, where the batch is never missing, the rank.
Answer pooledFromUnknown(const Call &call, const PoolArguments &given)
{
    const auto kernels = call.isOnnx() ? asInts(call["kernel_shape"]) : std::nullopt;
    return {withIndices(call, call.dtypeOf(given.input),
                        kernels ? std::optional(Shape(kernels->size() + 2, ir::UnknownDim{})) : std::nullopt),
            unknown("input rank unknown")};
}

Answer pool(const Call &call)
{
    const PoolArguments given = poolArguments(call);
    const Shape *input = call.shape(given.input);
    if (!input)
        return pooledFromUnknown(call, given);
    const std::size_t count = *given.spatialRank;
    if (count == 0 || input->size() < count + 1)
        return wrong(formatted("an input of {} dimensions cannot be pooled", input->size()));
    if (given.windows && std::ranges::any_of(*given.windows, isDegenerate))
        return wrong("kernel, stride and dilation are at least 1");
    if (!given.windows || !given.ceilMode) {
        Shape output = *input;
        std::fill_n(output.begin() + static_cast<std::ptrdiff_t>(given.firstSpatial(input->size())), count,
                    Dim(ir::UnknownDim{}));
        return {withIndices(call, call.dtypeOf(given.input), std::move(output)),
                unknown("kernel, stride or padding unknown")};
    }
    Shape output = *input;
    const std::size_t first = given.firstSpatial(input->size());
    for (std::size_t i = 0; i < count; ++i) {
        const Window &window = (*given.windows)[i];
        output[first + i] = positions((*input)[first + i], window, given.rounding());
        if (isTooLarge(window, (*input)[first + i], output[first + i]))
            return wrong(formatted("the kernel does not fit into {}", ir::print(*input)));
        call.need({SizeNeed::Kind::AtLeast, output[first + i], one});
    }
    return withIndices(call, call.dtypeOf(0u), std::move(output));
}

/// Returns a result whose size the arguments give: adaptive pools, global ones, fractional pools, unpooling.
Answer poolToSize(const Call &call)
{
    const PoolArguments given = poolArguments(call);
    const Shape *input = call.shape(given.input);
    if (!input)
        return pooledFromUnknown(call, given);
    if (!given.outputSize || !*given.outputSize)
        return unknown("output size unknown");
    if (input->size() <= *given.spatialRank)
        return wrong(formatted("an input of {} dimensions cannot be pooled", input->size()));
    Shape output = *input;
    std::ranges::copy(**given.outputSize,
                      output.begin() + static_cast<std::ptrdiff_t>(given.firstSpatial(input->size())));
    return withIndices(call, call.dtypeOf(0u), std::move(output));
}

/// ONNX: the result has the size that the optional input gives, or the size that the original windows moved over.
Answer maxUnpool(const Call &call)
{
    const PoolArguments given = poolArguments(call);
    const Shape *input = call.shape(given.input);
    if (!input || input->size() < 3)
        return onlyDType(call, "input rank unknown");
    if (call.has(given.outputSizes)) {
        const auto sizes = call.sizes(given.outputSizes);
        Shape output = sizes ? *sizes : Shape(input->size(), ir::UnknownDim{});
        return {tensorFact(call.dtypeOf(0u), std::move(output))};
    }
    if (!given.windows)
        return unknown("kernel_shape unknown");
    Shape output = *input;
    for (std::size_t i = 0; i < given.windows->size(); ++i)
        output[2 + i] = unwindowed((*input)[2 + i], (*given.windows)[i]);
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

Answer likeSecond(const Call &call)
{
    const TensorFact *input = call.tensor("self") ? call.tensor("self") : call.tensor(1u);
    return input ? Answer{tensorFact(input->dtype, input->shape)} : unknown("input shape unknown");
}

/// Counts the elements of each window of the input.
Cost poolCost(const Call &call, std::span<const Fact> results)
{
    const TensorFact *result = results.empty() ? nullptr : asTensor(results[0]);
    const auto windows = poolArguments(call).windows;
    if (!result || !result->shape || !windows)
        return {zero, ir::UnknownDim{}};
    Dim each = one;
    for (const Window &window : *windows)
        each = times(each, window.kernel);
    return {zero, times(elementsOf(*result->shape), each)};
}

constexpr Operator poolingRows[] = {
    Operator("aten::max_pool1d aten::max_pool2d", Category::Reduction, Pattern::Combining, pool, poolCost,
             {.kind = kind::maxPool,
              .compute = compute::maxPool,
              .demand = demand::pool,
              .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::max_pool1d_with_indices aten::max_pool2d_with_indices aten::max_pool3d_with_indices onnx::MaxPool",
             Category::Reduction, Pattern::Combining, pool, poolCost,
             {.kind = kind::maxPool, .compute = compute::maxPool, .demand = demand::pool}),
    Operator("quantized::max_pool1d quantized::max_pool2d com.microsoft.nchwc::MaxPool com.ms.internal.nhwc::MaxPool",
             Category::Reduction, Pattern::Combining, pool, poolCost, {.kind = kind::maxPool}),
    Operator("aten::max_pool3d", Category::Reduction, Pattern::Combining, pool, poolCost,
             {.kind = kind::maxPool,
              .compute = compute::maxPool,
              .onQuantized = OnQuantized::KeepsSteps,
              .cpuAutocast = CastTo::Float32}),
    Operator("aten::avg_pool1d aten::avg_pool2d onnx::AveragePool", Category::Reduction, Pattern::Combining, pool,
             poolCost,
             {.kind = kind::avgPool,
              .compute = compute::averagePool,
              .demand = demand::pool,
              .onQuantized = OnQuantized::RoundsAgain}),
    Operator("com.microsoft.nchwc::AveragePool com.ms.internal.nhwc::AveragePool", Category::Reduction,
             Pattern::Combining, pool, poolCost, {.kind = kind::avgPool}),
    Operator("aten::avg_pool3d", Category::Reduction, Pattern::Combining, pool, poolCost,
             {.kind = kind::avgPool,
              .compute = compute::averagePool,
              .onQuantized = OnQuantized::RoundsAgain,
              .cpuAutocast = CastTo::Float32}),
    Operator("onnx::LpPool", Category::Reduction, Pattern::Combining, pool, poolCost,
             {.compute = compute::lpPool, .demand = demand::pool}),
    Operator("aten::mkldnn_max_pool2d aten::mkldnn_max_pool3d aten::quantized_max_pool1d aten::quantized_max_pool2d "
             "aten::quantized_max_pool3d aten::_mps_max_pool2d com.microsoft::NhwcMaxPool "
             "com.microsoft::MaxpoolWithMask com.ms.internal.nhwc::LpPool",
             Category::Reduction, Pattern::Combining, pool, poolCost),
    Operator("com.microsoft::QLinearAveragePool com.ms.internal.nhwc::QLinearAveragePool", Category::Reduction,
             Pattern::Combining, pool, poolCost),
    Operator(
        "aten::adaptive_avg_pool1d aten::adaptive_avg_pool2d aten::_adaptive_avg_pool2d aten::_adaptive_avg_pool3d",
        Category::Reduction, Pattern::Combining, poolToSize, onePerArgument,
        {.kind = kind::adaptiveAvgPool,
         .compute = compute::adaptiveAveragePool,
         .onQuantized = OnQuantized::RoundsAgain}),
    Operator("aten::adaptive_avg_pool3d", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument,
             {.kind = kind::adaptiveAvgPool,
              .compute = compute::adaptiveAveragePool,
              .onQuantized = OnQuantized::RoundsAgain,
              .cpuAutocast = CastTo::Float32}),
    Operator("aten::mkldnn_adaptive_avg_pool2d", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument),
    Operator("aten::adaptive_max_pool1d aten::adaptive_max_pool2d", Category::Reduction, Pattern::Combining, poolToSize,
             onePerArgument, {.kind = kind::adaptiveMaxPool, .compute = compute::adaptiveMaxPool}),
    Operator("aten::adaptive_max_pool3d", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument,
             {.kind = kind::adaptiveMaxPool, .compute = compute::adaptiveMaxPool, .cpuAutocast = CastTo::Float32}),
    Operator("aten::fractional_max_pool2d aten::fractional_max_pool3d", Category::Reduction, Pattern::Combining,
             poolToSize, onePerArgument, {.cpuAutocast = CastTo::Float32}),
    Operator("aten::max_unpool2d aten::max_unpool3d", Category::Reduction, Pattern::Combining, poolToSize, nullptr,
             {.compute = compute::maxUnpool, .variesOnCuda = variesAlways, .cpuAutocast = CastTo::Float32}),
    Operator("onnx::MaxUnpool", Category::Reduction, Pattern::Combining, maxUnpool, nullptr,
             {.compute = compute::maxUnpool, .demand = demand::unpooling}),
    Operator("com.ms.internal.nhwc::MaxUnpool", Category::Reduction, Pattern::Combining),
    Operator("onnx::GlobalAveragePool", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument,
             {.kind = kind::adaptiveAvgPool, .compute = compute::adaptiveAveragePool}),
    Operator("com.microsoft.nchwc::GlobalAveragePool com.ms.internal.nhwc::GlobalAveragePool", Category::Reduction,
             Pattern::Combining, poolToSize, onePerArgument, {.kind = kind::adaptiveAvgPool}),
    Operator("onnx::GlobalMaxPool", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument,
             {.kind = kind::adaptiveMaxPool, .compute = compute::adaptiveMaxPool}),
    Operator("com.microsoft.nchwc::GlobalMaxPool com.ms.internal.nhwc::GlobalMaxPool", Category::Reduction,
             Pattern::Combining, poolToSize, onePerArgument, {.kind = kind::adaptiveMaxPool}),
    Operator("onnx::GlobalLpPool", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument,
             {.compute = compute::globalLpPool}),
    Operator("com.ms.internal.nhwc::GlobalLpPool", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument),
    Operator("com.microsoft::QLinearGlobalAveragePool", Category::Reduction, Pattern::Combining, poolToSize,
             onePerArgument),
    Operator("aten::max_pool2d_backward aten::max_pool2d_with_indices_backward aten::avg_pool2d_backward "
             "aten::adaptive_max_pool3d_backward",
             Category::Reduction, Pattern::Combining, likeSecond, onePerResult),
    Operator("aten::max_pool3d_with_indices_backward aten::avg_pool3d_backward aten::_adaptive_avg_pool2d_backward "
             "aten::_adaptive_avg_pool3d_backward aten::adaptive_max_pool2d_backward "
             "aten::fractional_max_pool2d_backward aten::fractional_max_pool3d_backward",
             Category::Reduction, Pattern::Combining, likeSecond, onePerResult, {.variesOnCuda = variesAlways}),
};

} // namespace

std::span<const Operator> poolingOperators() { return poolingRows; }

} // namespace cutaway::ops
