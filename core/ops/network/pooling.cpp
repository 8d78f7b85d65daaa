// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/pooling.h"

#include "core/base/formatted.h"
#include "core/ops/network/window.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

/// "max_pool2d" has two; ONNX's take all but batch and channels.
std::size_t spatialDimensions(const Call &call, const Shape &input)
{
    const std::size_t digit = call.name().find_first_of("123");
    if (!call.isOnnx() && digit != std::string_view::npos)
        return static_cast<std::size_t>(call.name()[digit] - '0');
    return input.size() < 2 ? 0 : input.size() - 2;
}

/// The stride of PyTorch's pools is the kernel unless it is given.
std::optional<Windows> torchPoolingWindows(const Call &call, std::size_t count)
{
    const auto kernels = perDimension(call["kernel_size"], count, ir::UnknownDim{});
    auto strides = perDimension(call["stride"], count, ir::UnknownDim{});
    const auto paddings = perDimension(call["padding"], count, zero);
    const auto dilations = perDimension(call["dilation"], count, one);
    if (!kernels || !strides || !paddings || !dilations)
        return std::nullopt;
    const auto given = call["stride"].as<NoneFact>() ? std::vector<Dim>() : *asInts(call["stride"]);
    Windows windows;
    for (std::size_t i = 0; i < count; ++i)
        windows.push_back({(*kernels)[i], given.empty() ? (*kernels)[i] : (*strides)[i], (*dilations)[i],
                           (*paddings)[i], (*paddings)[i]});
    return windows;
}

std::optional<Windows> readPooling(const Call &call, std::size_t count)
{
    if (!call.isOnnx())
        return torchPoolingWindows(call, count);
    const auto kernels = perDimension(call["kernel_shape"], count, ir::UnknownDim{});
    return kernels ? onnxWindows(call, *kernels) : std::nullopt;
}

/// Where the spatial dimensions begin.
std::size_t firstSpatial(const Call &call, const Shape &input, std::size_t count)
{
    return input.size() - count - (hasChannelsLast(call) ? 1 : 0);
}

/// The result, and where each maximum was for operators that say it.
Facts withIndices(const Call &call, Shape shape)
{
    const TensorFact values = tensorFact(call.dtypeOf(0u), std::move(shape));
    if (call.resultCount() < 2)
        return {values};
    return {values, tensorFact(ir::DType::Int64, values.shape)};
}

Facts pool(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return call.unknown("the input's rank is not known");
    const std::size_t count = spatialDimensions(call, *input);
    if (count == 0 || input->size() < count + 1)
        return call.wrong(formatted("an input of {} dimensions cannot be pooled", input->size()));
    const auto windows = readPooling(call, count);
    if (windows && std::ranges::any_of(*windows, isDegenerate))
        return call.wrong("kernel, stride and dilation are at least 1");
    const bool ceils = call.has("ceil_mode");
    const auto ceil = ceils ? call.flag("ceil_mode") : std::optional(false);
    if (!windows || !ceil)
        return call.unknown("kernel, stride or padding is not known");
    Shape output = *input;
    const std::size_t first = firstSpatial(call, *input, count);
    for (std::size_t i = 0; i < count; ++i) {
        output[first + i] = positions((*input)[first + i], (*windows)[i], *ceil ? Rounding::Ceil : Rounding::Floor);
        if (isTooLarge((*windows)[i], (*input)[first + i], output[first + i]))
            return call.wrong(formatted("the kernel does not fit into {}", ir::print(*input)));
    }
    return withIndices(call, std::move(output));
}

/// The result's size is given: adaptive pools (None keeps a size), fractional pools, unpooling.
Facts poolToSize(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return call.unknown("the input's rank is not known");
    const std::size_t count = spatialDimensions(call, *input);
    const auto sizes = perDimension(call["output_size"], count, ir::UnknownDim{});
    if (!sizes)
        return call.unknown("the output size is not known");
    if (input->size() <= count)
        return call.wrong(formatted("an input of {} dimensions cannot be pooled", input->size()));
    Shape output(input->begin(), input->end() - static_cast<std::ptrdiff_t>(count));
    output.insert(output.end(), sizes->begin(), sizes->end());
    return withIndices(call, std::move(output));
}

Facts globalPool(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return call.unknown("the input's rank is not known");
    Shape output = *input;
    const std::size_t first = hasChannelsLast(call) ? 1 : 2;
    for (std::size_t i = first; i + (2 - first) < output.size(); ++i)
        output[i] = one;
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

/// ONNX: to the size that the third input says, or that the windows came from.
Facts maxUnpool(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() < 3)
        return call.unknown("the input's rank is not known");
    if (call.has(2u)) {
        const auto sizes = call.sizes(2u);
        Shape output = sizes ? *sizes : Shape(input->size(), ir::UnknownDim{});
        return {tensorFact(call.dtypeOf(0u), std::move(output))};
    }
    const auto windows = readPooling(call, input->size() - 2);
    if (!windows)
        return call.unknown("kernel_shape is not known");
    Shape output = *input;
    for (std::size_t i = 0; i < windows->size(); ++i)
        output[2 + i] = unwindowed((*input)[2 + i], (*windows)[i]);
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

Facts likeSecond(const Call &call)
{
    const TensorFact *input = call.tensor("self") ? call.tensor("self") : call.tensor(1u);
    return input ? Facts{tensorFact(input->dtype, input->shape)} : call.unknown("the input's shape is not known");
}

/// Each element of the result comes from a window of the input.
Cost poolCost(const Call &call, std::span<const Fact> results)
{
    const TensorFact *result = results.empty() ? nullptr : asTensor(results[0]);
    const Shape *input = call.shape(0u);
    const auto windows = input ? readPooling(call, spatialDimensions(call, *input)) : std::nullopt;
    if (!result || !result->shape || !windows)
        return {zero, ir::UnknownDim{}};
    Dim each = one;
    for (const Window &window : *windows)
        each = times(each, window.kernel);
    return {zero, times(elementsOf(*result->shape), each)};
}

constexpr Operator poolingRows[] = {
    {"aten::max_pool1d aten::max_pool2d aten::max_pool1d_with_indices aten::max_pool2d_with_indices "
     "aten::max_pool3d_with_indices quantized::max_pool1d quantized::max_pool2d onnx::MaxPool "
     "com.microsoft.nchwc::MaxPool com.ms.internal.nhwc::MaxPool",
     Category::Reduction,
     Pattern::Combining,
     pool,
     poolCost,
     {.kind = kind::maxPool}},
    {"aten::max_pool3d",
     Category::Reduction,
     Pattern::Combining,
     pool,
     poolCost,
     {.kind = kind::maxPool, .cpuAutocast = CastTo::Float32}},
    {"aten::avg_pool1d aten::avg_pool2d onnx::AveragePool com.microsoft.nchwc::AveragePool "
     "com.ms.internal.nhwc::AveragePool",
     Category::Reduction,
     Pattern::Combining,
     pool,
     poolCost,
     {.kind = kind::avgPool}},
    {"aten::avg_pool3d",
     Category::Reduction,
     Pattern::Combining,
     pool,
     poolCost,
     {.kind = kind::avgPool, .cpuAutocast = CastTo::Float32}},
    {"aten::mkldnn_max_pool2d aten::mkldnn_max_pool3d aten::quantized_max_pool1d aten::quantized_max_pool2d "
     "aten::quantized_max_pool3d aten::_mps_max_pool2d onnx::LpPool com.microsoft::NhwcMaxPool "
     "com.microsoft::MaxpoolWithMask com.ms.internal.nhwc::LpPool",
     Category::Reduction, Pattern::Combining, pool, poolCost},
    {"com.microsoft::QLinearAveragePool com.ms.internal.nhwc::QLinearAveragePool", Category::Reduction,
     Pattern::Combining, pool, poolCost},
    {"aten::adaptive_avg_pool1d aten::adaptive_avg_pool2d aten::_adaptive_avg_pool2d aten::_adaptive_avg_pool3d",
     Category::Reduction,
     Pattern::Combining,
     poolToSize,
     onePerArgument,
     {.kind = kind::adaptiveAvgPool}},
    {"aten::adaptive_avg_pool3d",
     Category::Reduction,
     Pattern::Combining,
     poolToSize,
     onePerArgument,
     {.kind = kind::adaptiveAvgPool, .cpuAutocast = CastTo::Float32}},
    {"aten::mkldnn_adaptive_avg_pool2d", Category::Reduction, Pattern::Combining, poolToSize, onePerArgument},
    {"aten::adaptive_max_pool1d aten::adaptive_max_pool2d",
     Category::Reduction,
     Pattern::Combining,
     poolToSize,
     onePerArgument,
     {.kind = kind::adaptiveMaxPool}},
    {"aten::adaptive_max_pool3d",
     Category::Reduction,
     Pattern::Combining,
     poolToSize,
     onePerArgument,
     {.kind = kind::adaptiveMaxPool, .cpuAutocast = CastTo::Float32}},
    {"aten::fractional_max_pool2d aten::fractional_max_pool3d",
     Category::Reduction,
     Pattern::Combining,
     poolToSize,
     onePerArgument,
     {.cpuAutocast = CastTo::Float32}},
    {"aten::max_unpool2d aten::max_unpool3d",
     Category::Reduction,
     Pattern::Combining,
     poolToSize,
     nullptr,
     {.cpuAutocast = CastTo::Float32}},
    {"onnx::MaxUnpool", Category::Reduction, Pattern::Combining, maxUnpool},
    {"com.ms.internal.nhwc::MaxUnpool", Category::Reduction, Pattern::Combining},
    {"onnx::GlobalAveragePool com.microsoft.nchwc::GlobalAveragePool com.ms.internal.nhwc::GlobalAveragePool",
     Category::Reduction,
     Pattern::Combining,
     globalPool,
     onePerArgument,
     {.kind = kind::adaptiveAvgPool}},
    {"onnx::GlobalMaxPool com.microsoft.nchwc::GlobalMaxPool com.ms.internal.nhwc::GlobalMaxPool",
     Category::Reduction,
     Pattern::Combining,
     globalPool,
     onePerArgument,
     {.kind = kind::adaptiveMaxPool}},
    {"onnx::GlobalLpPool com.ms.internal.nhwc::GlobalLpPool", Category::Reduction, Pattern::Combining, globalPool,
     onePerArgument},
    {"com.microsoft::QLinearGlobalAveragePool", Category::Reduction, Pattern::Combining, globalPool, onePerArgument},
    {"aten::max_pool2d_backward aten::max_pool2d_with_indices_backward aten::max_pool3d_with_indices_backward "
     "aten::avg_pool2d_backward aten::avg_pool3d_backward aten::_adaptive_avg_pool2d_backward "
     "aten::_adaptive_avg_pool3d_backward aten::adaptive_max_pool2d_backward aten::adaptive_max_pool3d_backward "
     "aten::fractional_max_pool2d_backward aten::fractional_max_pool3d_backward",
     Category::Reduction, Pattern::Combining, likeSecond, onePerResult},
};

} // namespace

std::span<const Operator> poolingOperators() { return poolingRows; }

} // namespace cutaway::ops
