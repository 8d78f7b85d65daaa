// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/pool_arguments.h"

namespace cutaway::ops {

using ir::Dim;

namespace {

/// Returns the number of spatial dimensions: "max_pool2d" has two; other pools use all dimensions but batch and
/// channels.
std::optional<std::size_t> spatialRankOf(const Call &call)
{
    const std::size_t digit = call.name().find_first_of("123");
    if (!call.isOnnx() && digit != std::string_view::npos)
        return static_cast<std::size_t>(call.name()[digit] - '0');
    const ir::Shape *input = call.shape(0u);
    if (!input)
        return std::nullopt;
    return input->size() < 2 ? 0 : input->size() - 2;
}

void readOnnxPool(const Call &call, PoolArguments &made)
{
    const std::size_t count = *made.spatialRank;
    if (call.name().contains("Global"))
        made.outputSize = std::vector<Dim>(count, one);
    else if (const auto kernels = perDimension(call["kernel_shape"], count, ir::UnknownDim{}))
        made.windows = windowsOf(call, *kernels);
}

void readTorchPool(const Call &call, PoolArguments &made)
{
    const std::size_t count = *made.spatialRank;
    if (call.position({"output_size"}))
        made.outputSize = perDimension(call["output_size"], count, ir::UnknownDim{});
    else if (const auto kernels = perDimension(call["kernel_size"], count, ir::UnknownDim{}))
        made.windows = windowsOf(call, *kernels, kernels);
}

} // namespace

PoolArguments poolArguments(const Call &call)
{
    PoolArguments made;
    made.input = 0;
    made.spatialRank = spatialRankOf(call);
    made.channelsLast = hasChannelsLast(call);
    if (call.name() == "MaxUnpool")
        made.outputSizes = 2;
    if (call.has("ceil_mode"))
        made.ceilMode = call.flag("ceil_mode");
    if (call.isOnnx())
        made.countIncludePad = call.flag("count_include_pad").value_or(false);
    else if (call.has("count_include_pad"))
        made.countIncludePad = call.flag("count_include_pad");
    if (call.has("divisor_override"))
        made.divisorOverride = call.integer("divisor_override");
    if (call.isOnnx() && call.has("p"))
        made.p = call.integer("p");
    if (made.spatialRank && call.isOnnx())
        readOnnxPool(call, made);
    else if (made.spatialRank)
        readTorchPool(call, made);
    return made;
}

} // namespace cutaway::ops
