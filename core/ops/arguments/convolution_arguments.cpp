// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"

namespace cutaway::ops {

using ir::Dim;
using ir::Shape;

Dim ConvolutionArguments::outputChannels(const Shape &weight) const
{
    return *transposed ? times(weight[1], groups) : weight[0];
}

Dim ConvolutionArguments::inputChannels(const Shape &weight) const
{
    return *transposed ? weight[0] : times(weight[1], groups);
}

Dim ConvolutionArguments::outputSizeOf(std::size_t i, const Dim &inputSize) const
{
    const Window &window = (*windows)[i];
    if (!*transposed)
        return positions(inputSize, window);
    if (outputSize && *outputSize && (*outputSize)->size() >= windows->size())
        return (**outputSize)[(*outputSize)->size() - windows->size() + i];
    return unwindowed(inputSize, window, (*outputPadding)[i]);
}

namespace {

ConvolutionArguments onnxConvolution(const Call &call)
{
    ConvolutionArguments made;
    made.input = 0;
    made.weight = 1;
    if (call.name().starts_with("QLinearConv")) { // QLinearConv, QLinearConvTranspose
        made.inputQuantization = {1, 2};
        made.weight = 3;
        made.weightQuantization = {4, 5};
        made.outputQuantization = {6, 7};
        made.bias = 8;
    } else if (call.name() == "ConvInteger") {
        made.inputQuantization.zeroPoint = 2;
        made.weightQuantization.zeroPoint = 3;
    } else {
        const bool hasPadsOrOffsets = call.name() == "ConvTransposeWithDynamicPads" || call.name() == "DeformConv";
        made.bias = hasPadsOrOffsets ? 3 : 2;
    }
    return made;
}

ConvolutionArguments torchConvolution(const Call &call)
{
    ConvolutionArguments made;
    made.input = call.position({"input", "self", "X", "qx"});
    made.weight = call.position({"weight", "W", "qw"});
    made.bias = call.position({"bias", "B"});
    made.inputQuantization = {call.position({"x_scale"}), call.position({"x_zero_point"})};
    made.weightQuantization = {call.position({"w_scale"}), call.position({"w_zero_point"})};
    made.outputQuantization = {call.position({"output_scale"}), call.position({"output_zero_point"})};
    return made;
}

/// Returns the windows of torchvision's deformable convolution, which has an argument of its own for each dimension:
/// stride_h, stride_w, pad_h, …
Windows deformableWindows(const Call &call, const std::vector<Dim> &kernels)
{
    constexpr std::string_view names[2][3] = {{"stride_h", "pad_h", "dilation_h"}, {"stride_w", "pad_w", "dilation_w"}};
    Windows windows;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const auto at = [&](std::size_t k) { return call.size(names[i][k]).value_or(ir::UnknownDim{}); };
        windows.push_back({kernels[i], at(0), at(2), at(1), at(1)});
    }
    return windows;
}

/// Takes the padding of ONNX Runtime's ConvTransposeWithDynamicPads from the input at `position`, if it is given; the
/// padding is unknown if the elements of that input are not known.
void takePadding(const Call &call, std::size_t position, Windows &windows)
{
    const auto pads = call.sizes(position);
    const bool isKnown = pads && pads->size() == 2 * windows.size();
    for (std::size_t i = 0; i < windows.size() && call.has(position); ++i) {
        windows[i].before = isKnown ? (*pads)[i] : Dim(ir::UnknownDim{});
        windows[i].after = isKnown ? (*pads)[windows.size() + i] : Dim(ir::UnknownDim{});
    }
}

void setWindows(const Call &call, const Shape &weight, ConvolutionArguments &made)
{
    const std::vector<Dim> kernels(weight.begin() + 2, weight.end());
    const bool isDeformable = call.position({"stride_h"}) && kernels.size() == 2;
    made.windows = isDeformable ? deformableWindows(call, kernels) : windowsOf(call, kernels);
    if (made.windows && call.name() == "ConvTransposeWithDynamicPads")
        takePadding(call, 2, *made.windows);
    made.outputPadding = perDimension(call["output_padding"], kernels.size(), zero);
}

/// Returns the number of channels of the input, which is the number of groups of aten::_conv_depthwise2d: the operator
/// has no argument for it.
Dim inputChannelsOf(const Call &call, const ConvolutionArguments &given)
{
    const Shape *input = call.shape(given.input);
    const std::size_t behind = given.windows ? given.windows->size() + 1 : 0;
    return input && behind > 0 && input->size() >= behind ? (*input)[input->size() - behind] : Dim(ir::UnknownDim{});
}

} // namespace

std::optional<ConvolutionArguments> convolutionArguments(const Call &call)
{
    ConvolutionArguments made = call.isOnnx() ? onnxConvolution(call) : torchConvolution(call);
    if (!made.weight || call.name() == "conv_tbc")
        return std::nullopt;
    if (const Shape *weight = call.shape(made.weight); weight && weight->size() >= 2)
        setWindows(call, *weight, made);
    if (const Fact &groups = call[call.isOnnx() ? "group" : "groups"]; !groups.as<NoneFact>())
        made.groups = asInt(groups).value_or(ir::UnknownDim{});
    else if (call.name().contains("depthwise"))
        made.groups = inputChannelsOf(call, made);
    if (call.name().contains("ranspose")) // ConvTranspose, conv_transpose2d
        made.transposed = true;
    else if (!call.isOnnx() && call.has("transposed"))
        made.transposed = call.flag("transposed");
    if (call.isOnnx() && call.has("output_shape"))
        made.outputSize = call.sizes("output_shape");
    made.channelsLast = hasChannelsLast(call);
    return made;
}

} // namespace cutaway::ops
