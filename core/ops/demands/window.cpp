// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

namespace cutaway::ops::demand {

namespace {

using ir::Dim;
using ir::Shape;

/// Demands that ONNX's attributes of windows have a number for each spatial dimension.
Met fitWindows(const Call &call, std::size_t dimensions)
{
    if (!call.isOnnx())
        return {};
    const std::string reason = formatted("as there {} {} spatial dimension{}", dimensions == 1 ? "is" : "are",
                                         dimensions, dimensions == 1 ? "" : "s");
    for (const std::string_view attribute : {"kernel_shape", "strides", "dilations", "output_padding"})
        CUTAWAY_RETURN_IF_ERROR(expectLength(call, attribute, dimensions, reason));
    return expectLength(call, "pads", 2 * dimensions, reason);
}

/// Demands that a scale or a zero point is one for all, or one for each filter.
Met fitQuantization(const Call &call, Position at, std::string_view name, const Dim &each)
{
    const Shape *shape = call.shape(at);
    if (!shape || mayBeScalar(*shape))
        return {};
    return expectShape(call, at, name, {each}, "one for each filter, or one for all");
}

} // namespace

Met convolution(const Call &call)
{
    const auto given = convolutionArguments(call);
    const Shape *weight = given ? call.shape(given->weight) : nullptr;
    if (!weight || weight->size() < 3 || !given->transposed)
        return {};
    CUTAWAY_RETURN_IF_ERROR(fitWindows(call, weight->size() - 2));
    if (call.isOnnx() && call.has("pads") && call.has("auto_pad") && call.text("auto_pad") != "NOTSET")
        return wrong(formatted("it has pads and auto_pad {}", call.text("auto_pad")));
    if (const Shape *input = call.isOnnx() ? call.shape(given->input) : nullptr;
        input && input->size() != weight->size())
        return wrong(formatted("the input is {} and the weight {}", ir::print(*input), ir::print(*weight)));
    const auto kernel = call.isOnnx() ? call.sizes("kernel_shape") : std::nullopt;
    const Shape spatial(weight->begin() + 2, weight->end());
    if (kernel && !kernel->empty() && !mayBe(Shape(kernel->begin(), kernel->end()), spatial))
        return wrong(formatted("kernel_shape is {}, the weight has {}", ir::print(*kernel), ir::print(spatial)));
    if (!mayDivide(weight->front(), given->groups))
        return wrong(formatted("{} {} cannot be divided into {} groups", ir::print(weight->front()),
                               *given->transposed ? "channels" : "filters", ir::print(given->groups)));
    const Dim filters = given->outputChannels(*weight);
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, given->bias, "the bias", {filters},
                                        formatted("as the weight has {} filters", ir::print(filters))));
    CUTAWAY_RETURN_IF_ERROR(fitQuantization(call, given->weightQuantization.scale, "the weight's scale", filters));
    return fitQuantization(call, given->weightQuantization.zeroPoint, "the weight's zero point", filters);
}

Met pool(const Call &call)
{
    const PoolArguments given = poolArguments(call);
    if (!given.spatialRank || *given.spatialRank == 0)
        return {};
    CUTAWAY_RETURN_IF_ERROR(fitWindows(call, *given.spatialRank));
    if (!given.windows)
        return {};
    for (const Window &window : *given.windows) {
        const auto extent = number(times(window.kernel, window.dilation));
        for (const Dim &padding : {window.before, window.after}) {
            const auto known = window.autoPad == AutoPad::NotSet ? number(padding) : std::nullopt;
            if (!extent || !known)
                continue;
            // torch.nn.functional allows a padding of at most half of the kernel, ONNX less than all of it.
            const auto kernel = number(window.kernel);
            if (call.isOnnx() ? *known >= *extent : kernel && *known > *kernel / 2)
                return wrong(formatted("a padding of {} at a kernel of {}: some windows would hold nothing else",
                                       *known, ir::print(window.kernel)));
        }
    }
    return {};
}

} // namespace cutaway::ops::demand
