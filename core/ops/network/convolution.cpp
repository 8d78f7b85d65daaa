// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/convolution.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/network/gradients.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/special/rules.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

std::optional<ir::DType> convolvedDType(const Call &call, const ConvolutionArguments &given)
{
    if (call.name() == "ConvInteger")
        return ir::DType::Int32;
    if (call.dialect() == "onednn")
        return call.dtype("output_dtype");
    if (given.outputQuantization.zeroPoint)
        return call.dtypeOf(given.outputQuantization.zeroPoint);
    const auto input = call.dtypeOf(given.input);
    return input ? input : call.dtypeOf(given.weight);
}

/// Returns the answer for an unknown input: the dtype, and for ONNX, where the batch is never missing, the rank and
/// the weight's channels.
Answer convolvedFromUnknown(const Call &call, const ConvolutionArguments *given, const Shape *input,
                            const Shape *weight)
{
    const Shape *like = input ? input : weight;
    const auto dtype = given ? convolvedDType(call, *given) : std::nullopt;
    std::optional<Shape> output;
    if (given && call.isOnnx() && like && like->size() > 2 && !given->channelsLast) {
        output = Shape(like->size(), ir::UnknownDim{});
        output->front() = input ? input->front() : output->front();
        if (weight && given->transposed)
            (*output)[1] = given->outputChannels(*weight);
    }
    return {Facts{tensorFact(dtype, std::move(output))},
            unknown(input ? "weight shape unknown" : "input rank unknown")};
}

/// Demands that the arguments are known, and that the input has the rank of the weight, or one less without a batch.
Met fitConvolution(const ConvolutionArguments &given, const Shape &input, const Shape &weight)
{
    if (weight.size() < 3 || (input.size() != weight.size() && input.size() + 1 != weight.size()))
        return wrong(formatted("an input of {} dimensions cannot be convolved with a weight of {}", input.size(),
                               weight.size()));
    if (!given.transposed)
        return unknown("whether it is transposed is not known");
    if (!given.windows || !given.outputPadding)
        return unknown("stride, padding or dilation unknown");
    if (std::ranges::any_of(*given.windows, isDegenerate))
        return wrong("kernel, stride and dilation are at least 1");
    return {};
}

Answer convolution(const Call &call)
{
    const auto given = convolutionArguments(call);
    const Shape *input = given ? call.shape(given->input) : nullptr;
    const Shape *weight = given ? call.shape(given->weight) : nullptr;
    if (!input || !weight)
        return convolvedFromUnknown(call, given ? &*given : nullptr, input, weight);
    CUTAWAY_RETURN_IF_ERROR(fitConvolution(*given, *input, *weight));
    const std::size_t count = given->windows->size();
    const std::size_t channel = given->channelsLast ? input->size() - 1 : input->size() - count - 1;
    const std::size_t first = given->channelsLast ? channel - count : channel + 1;
    const Dim wanted = given->inputChannels(*weight);
    if (!call.needSame((*input)[channel], wanted))
        return wrong(formatted("the input has {} channels, the weight is for {}", ir::print((*input)[channel]),
                               ir::print(wanted)));
    Shape output = *input;
    output[channel] = given->outputChannels(*weight);
    for (std::size_t i = 0; i < count; ++i) {
        output[first + i] = given->outputSizeOf(i, (*input)[first + i]);
        const bool isEmptied = *given->transposed && number(output[first + i]) == 0;
        if (!isEmptied && isTooLarge((*given->windows)[i], (*input)[first + i], output[first + i]))
            return wrong(formatted("the kernel does not fit into {}", ir::print(*input)));
        call.need({SizeNeed::Kind::AtLeast, output[first + i], one});
    }
    return {tensorFact(convolvedDType(call, *given), std::move(output))};
}

// ---- Weights packed into an object of the backend, with what else the convolution is given

Answer packedWeight(const Call &call)
{
    return {objectFact({{"weight", call[0u]},
                        {"stride", call["stride"]},
                        {"padding", call["padding"]},
                        {"dilation", call["dilation"]},
                        {"output_padding", call["output_padding"]},
                        {"groups", call["groups"]},
                        {"transposed", boolFact(call.name().contains("transpose"))}})};
}

/// Reads pickled weights: [[dimensions, stride…, padding…, dilation…, output padding…, groups, flags], weight].
ObjectFact withPickledFields(const SequenceFact &tensors)
{
    const auto numbers = tensors.each().size() == 2 ? asInts(tensors.each()[0]) : std::nullopt;
    const auto count = numbers && !numbers->empty() ? number(numbers->front()) : std::nullopt;
    if (!count || *count < 1 || *count > 3 || numbers->size() < 3 + 4 * static_cast<std::size_t>(*count))
        return {};
    const auto from = [&](std::int64_t group) {
        std::vector<Fact> items;
        for (std::int64_t i = 0; i < *count; ++i)
            items.emplace_back(intFact((*numbers)[static_cast<std::size_t>(1 + group * *count + i)]));
        return listFact(std::move(items));
    };
    const auto last = static_cast<std::size_t>(1 + 4 * *count);
    const auto flags = number((*numbers)[last + 1]);
    return objectFact({{"weight", tensors.each()[1]},
                       {"stride", from(0)},
                       {"padding", from(1)},
                       {"dilation", from(2)},
                       {"output_padding", from(3)},
                       {"groups", intFact((*numbers)[last])},
                       {"transposed", flags ? boolFact(*flags % 2 == 1) : boolFact()}});
}

struct PackedConvolution {
    Shape weight; ///< [out, in / groups, K1, …]; for a transposed convolution [in, out / groups, K1, …]
    ConvolutionArguments arguments;
};

/// The fields of packed weights, also of pickled ones.
struct PackedFields {
    Fact object;

    static PackedFields of(const Fact &object)
    {
        const Fact *pickled = heldBy(object, "tensors");
        const auto *tensors = pickled ? pickled->as<SequenceFact>() : nullptr;
        return {tensors ? Fact(withPickledFields(*tensors)) : object};
    }
    Fact operator[](std::string_view name) const
    {
        const Fact *found = heldBy(object, name);
        return found ? *found : Fact(NoneFact{});
    }
    /// Returns the last `count` numbers of a list; unknown ones if the field has another form.
    std::vector<Dim> numbers(std::string_view name, std::size_t count, std::int64_t defaultValue) const
    {
        const Fact field = (*this)[name];
        auto values = asInts(field);
        if (values && values->size() > count)
            values->erase(values->begin(), values->end() - static_cast<std::ptrdiff_t>(count));
        if (values && values->size() == count)
            return *values;
        return std::vector<Dim>(count, field.as<NoneFact>() ? Dim(defaultValue) : Dim(ir::UnknownDim{}));
    }
    /// Whether the input is padded with zeros by the convolution itself, not before it in another mode.
    bool padsZeros() const
    {
        const Fact *mode = heldBy(object, "padding_mode");
        return !mode || (mode->as<TextFact>() && mode->as<TextFact>()->text == "zeros");
    }
};

/// Reads packed weights of `count` dimensions. A weight for one dimension may have been packed as one for two.
std::optional<PackedConvolution> unpacked(const Fact &object, std::size_t count, bool isTransposed)
{
    const PackedFields field = PackedFields::of(object);
    const Fact weight = field["weight"].as<NoneFact>() ? field["w"] : field["weight"];
    const TensorFact *tensor = asTensor(weight);
    const auto transposed =
        field["transposed"].as<NoneFact>() ? std::optional(isTransposed) : asBool(field["transposed"]);
    if (!tensor || !tensor->shape || tensor->shape->size() < count + 2 || !transposed)
        return std::nullopt;
    PackedConvolution made{*tensor->shape, {}};
    made.weight.erase(made.weight.begin() + 2, made.weight.end() - static_cast<std::ptrdiff_t>(count));
    const auto strides = field.numbers("stride", count, 1), dilations = field.numbers("dilation", count, 1);
    const auto paddings = field.padsZeros() ? field.numbers("padding", count, 0) : std::vector<Dim>(count, zero);
    made.arguments.windows.emplace();
    for (std::size_t i = 0; i < count; ++i)
        made.arguments.windows->push_back({made.weight[2 + i], strides[i], dilations[i], paddings[i], paddings[i]});
    made.arguments.transposed = transposed;
    made.arguments.outputPadding = field.numbers("output_padding", count, 0);
    made.arguments.groups =
        field["groups"].as<NoneFact>() ? Dim(one) : asInt(field["groups"]).value_or(ir::UnknownDim{});
    return made;
}

Answer packedConvolution(const Call &call)
{
    const auto dtype = call.name().contains("dynamic") ? std::optional(ir::DType::Float32) : call.dtypeOf(0u);
    const Shape *input = call.shape(0u);
    if (!input || input->size() < 3)
        return onlyType(dtype, "input rank unknown");
    const auto packed = unpacked(call[1u], input->size() - 2, call.name().contains("transpose"));
    Shape output(input->size(), ir::UnknownDim{});
    output[0] = (*input)[0];
    if (!packed)
        return {Facts{tensorFact(dtype, std::move(output))}, unknown("the packed weight is not read")};
    output[1] = packed->arguments.outputChannels(packed->weight);
    for (std::size_t i = 2; i < output.size(); ++i)
        output[i] = packed->arguments.outputSizeOf(i - 2, (*input)[i]);
    return {tensorFact(dtype, std::move(output))};
}

Cost packedCost(const Call &call, std::span<const Fact> results)
{
    const Shape *input = call.shape(0u);
    const auto packed = input && input->size() > 2
        ? unpacked(call[1u], input->size() - 2, call.name().contains("transpose"))
        : std::nullopt;
    const Dim moved =
        packed && *packed->arguments.transposed ? elementsOf(*input) : onePerResult(call, results).otherFlops;
    if (!packed)
        return {ir::UnknownDim{}};
    return {times(times(moved, product(std::span(packed->weight).subspan(1))), std::int64_t{2})};
}

/// Returns the gradients of input, weight and bias that `output_mask` selects.
Answer convolutionBackward(const Call &call)
{
    const auto given = convolutionArguments(call);
    const TensorFact *gradient = call.tensor("grad_output"), *input = given ? call.tensor(given->input) : nullptr,
                     *weight = given ? call.tensor(given->weight) : nullptr;
    if (!gradient || !input || !weight)
        return unknown("arguments' shapes unknown");
    TensorFact bias = tensorFact(gradient->dtype);
    if (gradient->shape && gradient->shape->size() > 1)
        bias.shape = Shape{(*gradient->shape)[1]};
    return wantedGradients(call,
                           {tensorFact(input->dtype, input->shape), tensorFact(weight->dtype, weight->shape), bias});
}

/// conv_tbc has the time first: input [T, B, C], weight [K, C, out].
Answer convolutionTimeBatchChannel(const Call &call)
{
    const Shape *input = call.shape("self"), *weight = call.shape("weight");
    if (!input || !weight)
        return unknown("shapes unknown");
    if (input->size() != 3 || weight->size() != 3)
        return wrong("conv_tbc wants an input and a weight of three dimensions");
    const Dim padding = call.size("pad").value_or(ir::UnknownDim{});
    const Dim time = positions((*input)[0], {(*weight)[0], one, one, padding, padding});
    return {tensorFact(call.dtypeOf("self"), Shape{time, (*input)[1], (*weight)[2]})};
}

Answer deformableConvolution(const Call &call)
{
    const auto given = convolutionArguments(call);
    const Shape *input = given ? call.shape(given->input) : nullptr;
    const Shape *weight = given ? call.shape(given->weight) : nullptr;
    if (!input || !weight || !given->windows || input->size() != 4 || weight->size() != 4)
        return unknown("shapes of input and weight unknown");
    Shape output{(*input)[0], (*weight)[0]};
    for (std::size_t i = 0; i < 2; ++i)
        output.push_back(positions((*input)[2 + i], (*given->windows)[i]));
    return {tensorFact(call.dtypeOf(given->input), std::move(output))};
}

/// Returns 2 per multiply-add: each element of the result (of the input, if transposed) needs in / groups * kernel.
Dim multiplyAdds(const Call &call, std::span<const Fact> results)
{
    const auto given = convolutionArguments(call);
    const Shape *weight = given ? call.shape(given->weight) : nullptr;
    const TensorFact *result = results.empty() ? nullptr : asTensor(results[0]);
    if (!weight || weight->size() < 2 || !given->transposed)
        return ir::UnknownDim{};
    const Shape *moved = *given->transposed ? call.shape(given->input)
        : result && result->shape           ? &*result->shape
                                            : nullptr;
    if (!moved)
        return ir::UnknownDim{};
    const Dim each = product(std::span(*weight).subspan(1));
    return times(times(elementsOf(*moved), each), std::int64_t{2});
}

/// PyTorch computes a convolution of complex numbers as three convolutions of real numbers.
Cost convolutionCost(const Call &call, std::span<const Fact> results)
{
    const auto given = convolutionArguments(call);
    const auto dtype = given ? call.dtypeOf(given->input) : std::nullopt;
    const std::int64_t count = dtype && ir::isComplex(*dtype) && call.name() != "convolution" ? 3 : 1;
    return {times(multiplyAdds(call, results), count)};
}

Cost otherConvolutionCost(const Call &call, std::span<const Fact> results)
{
    return {zero, multiplyAdds(call, results)};
}

Cost timeBatchChannelCost(const Call &call, std::span<const Fact> results)
{
    const Shape *weight = call.shape("weight");
    const Dim each = weight && weight->size() == 3 ? times((*weight)[0], (*weight)[1]) : Dim(ir::UnknownDim{});
    return {zero, times(times(onePerResult(call, results).otherFlops, each), std::int64_t{2})};
}

/// Counts a convolution of the same size for each of the gradients of the input and the weight, nothing for that of the
/// bias.
Cost backwardCost(const Call &call, std::span<const Fact> results)
{
    const auto given = convolutionArguments(call);
    const Shape *gradient = call.shape("grad_output"), *input = given ? call.shape(given->input) : nullptr,
                *weight = given ? call.shape(given->weight) : nullptr;
    if (!gradient || !input || !weight || weight->empty() || results.size() < 2 || !given->transposed)
        return {ir::UnknownDim{}, zero};
    const Shape &moved = *given->transposed ? *input : *gradient;
    const std::int64_t wanted = (asTensor(results[0]) ? 2 : 0) + (asTensor(results[1]) ? 2 : 0);
    return {times(times(elementsOf(moved), product(std::span(*weight).subspan(1))), wanted), zero};
}

/// Convolves each channel by itself along the last dimension. The inputs of the previous call come before the first
/// input; the state, the second result, keeps kernel size - 1 of them.
Answer causalConvolution(const Call &call)
{
    const Shape *input = call.shape(0u), *weight = call.shape(1u);
    if (!input || input->empty() || !weight || weight->empty())
        return onlyDType(call, "shape of the input or the weight unknown");
    Shape state = *input;
    state.back() = minus(weight->back(), one);
    const auto dtype = call.dtypeOf(0u);
    return {tensorFact(dtype, *input), tensorFact(call.has(3u) ? call.dtypeOf(3u) : dtype, std::move(state))};
}

Cost causalConvolutionCost(const Call &call, std::span<const Fact>)
{
    const Shape *input = call.shape(0u), *weight = call.shape(1u);
    if (!input || !weight || weight->empty())
        return {ir::UnknownDim{}};
    return {times(times(elementsOf(*input), weight->back()), std::int64_t{2})};
}

constexpr Operator convolutionRows[] = {
    Operator("aten::conv1d aten::conv2d aten::conv3d", Category::Convolution, Pattern::Combining, convolution,
             convolutionCost,
             {.kind = kind::conv,
              .compute = compute::convolution,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::_convolution", Category::Convolution, Pattern::Combining, convolution, convolutionCost,
             {.kind = kind::conv,
              .compute = compute::convolution,
              .formula = "convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, "
                         "groups)",
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower,
              .isOfTracing = true}),
    Operator("aten::convolution aten::cudnn_convolution", Category::Convolution, Pattern::Combining, convolution,
             convolutionCost, {.kind = kind::conv, .compute = compute::convolution, .cudaAutocast = CastTo::Lower}),
    Operator("aten::_convolution_mode", Category::Convolution, Pattern::Combining, convolution, convolutionCost,
             {.compute = compute::convolution}),
    Operator("aten::cudnn_convolution_relu aten::cudnn_convolution_add_relu "
             "aten::miopen_convolution_relu aten::miopen_convolution_add_relu aten::miopen_depthwise_convolution "
             "aten::_mps_convolution aten::_nnpack_spatial_convolution aten::_slow_conv2d_forward aten::slow_conv3d "
             "aten::slow_conv3d_forward aten::slow_conv_dilated2d aten::slow_conv_dilated3d aten::_conv_depthwise2d "
             "aten::conv_depthwise3d mkldnn::_convolution_pointwise onednn::qconv_pointwise onednn::qconv1d_pointwise "
             "onednn::qconv2d_pointwise onednn::qconv3d_pointwise "
             "com.microsoft::FusedConv com.microsoft::NhwcConv com.microsoft::NhwcFusedConv",
             Category::Convolution, Pattern::Combining, convolution, convolutionCost, {.parameters = {1, 2}}),
    Operator("com.microsoft::QLinearConv com.ms.internal.nhwc::QLinearConv", Category::Convolution, Pattern::Combining,
             convolution, convolutionCost, {.parameters = {3, 8}}),
    Operator("onnx::ConvInteger", Category::Convolution, Pattern::Combining, convolution, convolutionCost,
             {.compute = compute::convolutionOfWholes, .demand = demand::convolution, .parameters = {1}}),
    Operator("onnx::QLinearConv", Category::Convolution, Pattern::Combining, convolution, convolutionCost,
             {.compute = compute::quantizedConvolution, .demand = demand::convolution, .parameters = {3, 8}}),
    Operator(
        "aten::convolution_overrideable aten::mkldnn_convolution aten::miopen_convolution aten::thnn_conv2d onnx::Conv",
        Category::Convolution, Pattern::Combining, convolution, convolutionCost,
        {.kind = kind::conv, .compute = compute::convolution, .demand = demand::convolution, .parameters = {1, 2}}),
    Operator("com.microsoft.nchwc::Conv com.ms.internal.nhwc::Conv", Category::Convolution, Pattern::Combining,
             convolution, convolutionCost, {.kind = kind::conv}),
    Operator("aten::conv_transpose1d aten::conv_transpose2d aten::conv_transpose3d", Category::Convolution,
             Pattern::Combining, convolution, convolutionCost,
             {.kind = kind::convTranspose,
              .compute = compute::convolution,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::slow_conv_transpose2d aten::slow_conv_transpose3d aten::miopen_convolution_transpose "
             "aten::_mps_convolution_transpose com.microsoft::ConvTransposeWithDynamicPads "
             "com.microsoft::QLinearConvTranspose "
             "com.ms.internal.nhwc::QLinearConvTranspose",
             Category::Convolution, Pattern::Combining, convolution, convolutionCost),
    Operator("aten::cudnn_convolution_transpose", Category::Convolution, Pattern::Combining, convolution,
             convolutionCost, {.cudaAutocast = CastTo::Lower}),
    Operator("onnx::ConvTranspose", Category::Convolution, Pattern::Combining, convolution, convolutionCost,
             {.kind = kind::convTranspose,
              .compute = compute::convolution,
              .demand = demand::convolution,
              .parameters = {1, 2}}),
    Operator("com.ms.internal.nhwc::ConvTranspose", Category::Convolution, Pattern::Combining, convolution,
             convolutionCost, {.kind = kind::convTranspose}),
    Operator("aten::convolution_backward aten::convolution_backward_overrideable", Category::Convolution,
             Pattern::Combining, convolutionBackward, backwardCost),
    Operator("prim::mkldnn_convolution", Category::Convolution, Pattern::Combining, nullptr, nullptr,
             {.kind = kind::conv}),
    Operator("com.microsoft::CausalConvWithState", Category::Convolution, Pattern::Combining, causalConvolution,
             causalConvolutionCost),
    Operator("aten::conv_tbc", Category::Convolution, Pattern::Combining, convolutionTimeBatchChannel,
             timeBatchChannelCost, {.cpuAutocast = CastTo::Lower, .cudaAutocast = CastTo::Lower}),
    Operator("torchvision::deform_conv2d", Category::Convolution, Pattern::Combining, deformableConvolution,
             otherConvolutionCost, {.compute = compute::deformableConvolution}),
    Operator("onnx::DeformConv", Category::Convolution, Pattern::Combining, convolution, otherConvolutionCost,
             {.compute = compute::deformableConvolution, .demand = demand::convolution}),
    Operator("quantized::conv1d quantized::conv2d quantized::conv3d _quantized::conv2d _quantized::conv3d",
             Category::Convolution, Pattern::Combining, packedConvolution, packedCost, {.kind = kind::conv}),
    Operator(
        "quantized::conv1d_relu quantized::conv2d_relu quantized::conv3d_relu quantized::conv2d_add "
        "quantized::conv2d_add_relu quantized::conv1d_dynamic quantized::conv2d_dynamic quantized::conv3d_dynamic "
        "quantized::conv_transpose1d_dynamic quantized::conv_transpose2d_dynamic quantized::conv_transpose3d_dynamic "
        "_quantized::conv2d_relu _quantized::conv3d_relu mkldnn_prepacked::conv2d_run prepacked::conv2d_clamp_run "
        "prepacked::conv2d_transpose_clamp_run",
        Category::Convolution, Pattern::Combining, packedConvolution, packedCost),
    Operator("quantized::conv_transpose1d quantized::conv_transpose2d quantized::conv_transpose3d "
             "_quantized::conv_transpose1d "
             "_quantized::conv_transpose2d",
             Category::Convolution, Pattern::Combining, packedConvolution, packedCost, {.kind = kind::convTranspose}),
    Operator(
        "quantized::conv_prepack quantized::conv1d_prepack quantized::conv2d_prepack quantized::conv3d_prepack "
        "quantized::conv_transpose1d_prepack quantized::conv_transpose2d_prepack quantized::conv_transpose3d_prepack "
        "_quantized::conv2d_prepack _quantized::conv3d_prepack _quantized::conv_transpose1d_prepack "
        "_quantized::conv_transpose2d_prepack _quantized::conv_transpose3d_prepack mkldnn_prepacked::conv2d_prepack "
        "prepacked::conv2d_clamp_prepack prepacked::conv2d_transpose_clamp_prepack",
        Category::Quantization, Pattern::Other, packedWeight),
};

} // namespace

std::span<const Operator> convolutionOperators() { return convolutionRows; }

} // namespace cutaway::ops
