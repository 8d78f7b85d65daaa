// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

#include <algorithm>

namespace cutaway::ops::demand {

using ir::Shape;

Met scalarBounds(const Call &call)
{
    for (const std::size_t i : {1u, 2u})
        if (const Shape *bound = call.isOnnx() ? call.shape(i) : nullptr; bound && !mayBeScalar(*bound))
            return wrong(
                formatted("{} has the shape {}, expected is a scalar", i == 1 ? "min" : "max", ir::print(*bound)));
    return {};
}

/// Torch, and ONNX before opset 7, take one slope for all or one for each channel.
Met slope(const Call &call)
{
    const Shape *input = call.shape(0u), *given = call.shape(1u);
    if (!input || !given || mayBeScalar(*given))
        return {};
    if (call.isOnnx() && call.opset() >= 7) {
        if (!mayBroadcastTo(*given, *input))
            return wrong(formatted("the slope {} cannot be broadcast to {}", ir::print(*given), ir::print(*input)));
    } else if (input->size() > 1) {
        return expectShape(call, 1u, "the slope", {(*input)[1]},
                           formatted("as the input has {} channels", ir::print((*input)[1])));
    }
    return {};
}

Met axis(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto given = call.integer(call.isOnnx() ? "axis" : "dim");
    if (input && given && !dimension(*given, std::max<std::size_t>(input->size(), 1)))
        return wrong(formatted("there is no axis {} of {}", *given, ir::print(*input)));
    return {};
}

Met blocks(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto block = call.integer("blocksize");
    if (!input || input->size() != 4 || !block)
        return {};
    if (*block <= 0 || !mayDivide((*input)[2], *block) || !mayDivide((*input)[3], *block))
        return wrong(
            formatted("height and width of {} cannot be divided into blocks of {}", ir::print(*input), *block));
    return {};
}

Met grid(const Call &call)
{
    const Shape *input = call.shape(0u), *given = call.shape(1u);
    if (!input || !given || input->size() < 3 || given->size() != input->size())
        return {};
    if (isDifferent(input->front(), given->front()))
        return wrong(formatted("{} images and {} grids", ir::print(input->front()), ir::print(given->front())));
    if (isDifferent(given->back(), std::ssize(*input) - 2))
        return wrong(
            formatted("places of {} numbers in images of {} dimensions", ir::print(given->back()), input->size() - 2));
    return {};
}

} // namespace cutaway::ops::demand
