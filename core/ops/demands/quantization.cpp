// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/quantize_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

namespace cutaway::ops::demand {

namespace {

using ir::Dim;
using ir::Shape;

/// Demands that the scale has the shape of the data, except along the axis, where it has one element for each block.
Met blockedScale(const Call &call, const Shape &data, const Shape &scale, std::int64_t axis)
{
    const auto at = dimension(axis, data.size());
    if (scale.size() != data.size() || !at)
        return wrong(formatted("the scale has the shape {}, the data {}", ir::print(scale), ir::print(data)));
    const std::int64_t block = quantizeArguments(call).block.value_or(0);
    if (call.opset() >= 21 && !call.has("block_size"))
        return wrong(formatted("the scale has the shape {}, and there is no block_size", ir::print(scale)));
    Shape expected = data;
    expected[*at] = block > 0 ? ceilDivide(data[*at], block) : Dim(ir::UnknownDim{});
    return expectShape(call, 1u, "the scale", expected,
                       formatted("one for each block of {} along dimension {}", block, *at));
}

} // namespace

Met quantization(const Call &call)
{
    const Shape *data = call.shape(0u), *scale = call.shape(1u), *zeroPoint = call.shape(2u);
    if (scale && zeroPoint && !(mayBeScalar(*scale) && mayBeScalar(*zeroPoint)) && !mayBe(*zeroPoint, *scale))
        return wrong(
            formatted("the zero point has the shape {}, the scale {}", ir::print(*zeroPoint), ir::print(*scale)));
    if (!data || !scale || mayBeScalar(*scale))
        return {};
    const std::int64_t axis = quantizeArguments(call).axis.value_or(1);
    if (scale->size() > 1)
        return blockedScale(call, *data, *scale, axis);
    const auto at = dimension(axis, data->size());
    if (!at)
        return wrong(formatted("there is no axis {} of {} for the {} scales", axis, ir::print(*data),
                               ir::print(scale->front())));
    return expectShape(call, 1u, "the scale", {(*data)[*at]},
                       formatted("as axis {} of the data {} has {}", axis, ir::print(*data), ir::print((*data)[*at])));
}

} // namespace cutaway::ops::demand
