// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

namespace cutaway::ops::demand {

namespace {

using ir::Dim;
using ir::Shape;

/// Whether ONNX's attributes of windows may be those for so many dimensions; says so if they are not.
bool fitWindows(const Call &call, std::size_t dimensions)
{
    if (!call.isOnnx())
        return true;
    const std::string reason = formatted("as there {} {} spatial dimension{}", dimensions == 1 ? "is" : "are",
                                         dimensions, dimensions == 1 ? "" : "s");
    return expectLength(call, "kernel_shape", dimensions, reason) && expectLength(call, "strides", dimensions, reason)
        && expectLength(call, "dilations", dimensions, reason) && expectLength(call, "pads", 2 * dimensions, reason)
        && expectLength(call, "output_padding", dimensions, reason);
}

/// A scale or a zero point: one for all, or one for each filter.
bool fitQuantization(const Call &call, Position at, std::string_view name, const Dim &each)
{
    const Shape *shape = call.shape(at);
    if (!shape || mayBeScalar(*shape))
        return true;
    return expectShape(call, at, name, {each}, "one for each filter, or one for all");
}

} // namespace

void convolution(const Call &call)
{
    const auto given = convolutionArguments(call);
    const Shape *weight = given ? call.shape(given->weight) : nullptr;
    if (!weight || weight->size() < 3 || !given->transposed)
        return;
    if (!fitWindows(call, weight->size() - 2))
        return;
    if (call.isOnnx() && call.has("pads") && call.has("auto_pad") && call.text("auto_pad") != "NOTSET") {
        call.wrong(formatted("it has pads and auto_pad {}", call.text("auto_pad")));
        return;
    }
    if (const Shape *input = call.isOnnx() ? call.shape(given->input) : nullptr;
        input && input->size() != weight->size()) {
        call.wrong(formatted("the input is {} and the weight {}", ir::print(*input), ir::print(*weight)));
        return;
    }
    const auto kernel = call.isOnnx() ? call.sizes("kernel_shape") : std::nullopt;
    const Shape spatial(weight->begin() + 2, weight->end());
    if (kernel && !kernel->empty() && !mayBe(Shape(kernel->begin(), kernel->end()), spatial)) {
        call.wrong(formatted("kernel_shape is {}, the weight has {}", ir::print(*kernel), ir::print(spatial)));
        return;
    }
    if (!mayDivide(weight->front(), given->groups)) {
        call.wrong(formatted("{} {} cannot be divided into {} groups", ir::print(weight->front()),
                             *given->transposed ? "channels" : "filters", ir::print(given->groups)));
        return;
    }
    const Dim filters = given->outputChannels(*weight);
    if (expectShape(call, given->bias, "the bias", {filters},
                    formatted("as the weight has {} filters", ir::print(filters))))
        fitQuantization(call, given->weightQuantization.scale, "the weight's scale", filters)
            && fitQuantization(call, given->weightQuantization.zeroPoint, "the weight's zero point", filters);
}

void pool(const Call &call)
{
    const PoolArguments given = poolArguments(call);
    if (!given.spatialRank || *given.spatialRank == 0 || !fitWindows(call, *given.spatialRank) || !given.windows)
        return;
    for (const Window &window : *given.windows) {
        const auto extent = number(times(window.kernel, window.dilation));
        for (const Dim &padding : {window.before, window.after}) {
            const auto known = window.autoPad == AutoPad::NotSet ? number(padding) : std::nullopt;
            if (!extent || !known)
                continue;
            // torch.nn.functional takes at most half of the kernel, ONNX less than all of it.
            const auto kernel = number(window.kernel);
            if (call.isOnnx() ? *known >= *extent : kernel && *known > *kernel / 2) {
                call.wrong(formatted("a padding of {} at a kernel of {}: some windows would hold nothing else", *known,
                                     ir::print(window.kernel)));
                return;
            }
        }
    }
}

} // namespace cutaway::ops::demand
