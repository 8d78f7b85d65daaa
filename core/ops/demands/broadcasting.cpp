// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

#include <algorithm>

namespace cutaway::ops::demand {

using ir::Shape;

void scalarBounds(const Call &call)
{
    for (const std::size_t i : {1u, 2u})
        if (const Shape *bound = call.isOnnx() ? call.shape(i) : nullptr; bound && !mayBeScalar(*bound)) {
            call.wrong(
                formatted("{} has the shape {}, expected is a scalar", i == 1 ? "min" : "max", ir::print(*bound)));
            return;
        }
}

/// Torch, and ONNX before opset 7, take one slope for all or one for each channel.
void slope(const Call &call)
{
    const Shape *input = call.shape(0u), *given = call.shape(1u);
    if (!input || !given || mayBeScalar(*given))
        return;
    if (call.isOnnx() && call.opset() >= 7) {
        if (!mayBroadcastTo(*given, *input))
            call.wrong(formatted("the slope {} cannot be broadcast to {}", ir::print(*given), ir::print(*input)));
    } else if (input->size() > 1) {
        expectShape(call, 1u, "the slope", {(*input)[1]},
                    formatted("as the input has {} channels", ir::print((*input)[1])));
    }
}

void axis(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto given = call.integer(call.isOnnx() ? "axis" : "dim");
    if (input && given && !dimension(*given, std::max<std::size_t>(input->size(), 1)))
        call.wrong(formatted("there is no axis {} of {}", *given, ir::print(*input)));
}

void blocks(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto block = call.integer("blocksize");
    if (!input || input->size() != 4 || !block)
        return;
    if (*block <= 0 || !mayDivide((*input)[2], *block) || !mayDivide((*input)[3], *block))
        call.wrong(formatted("height and width of {} cannot be divided into blocks of {}", ir::print(*input), *block));
}

void grid(const Call &call)
{
    const Shape *input = call.shape(0u), *given = call.shape(1u);
    if (!input || !given || input->size() < 3 || given->size() != input->size())
        return;
    if (isDifferent(input->front(), given->front()))
        call.wrong(formatted("{} images and {} grids", ir::print(input->front()), ir::print(given->front())));
    else if (isDifferent(given->back(), std::ssize(*input) - 2))
        call.wrong(
            formatted("places of {} numbers in images of {} dimensions", ir::print(given->back()), input->size() - 2));
}

} // namespace cutaway::ops::demand
