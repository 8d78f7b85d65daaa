// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/arguments/recurrent_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

namespace cutaway::ops::demand {

using ir::Dim;
using ir::Shape;

namespace {

std::int64_t gatesOf(std::string_view name) { return name == "LSTM" ? 4 : name == "GRU" ? 3 : 1; }

Dim sizeOf(const Call &call, std::size_t position, std::size_t dimension)
{
    const Shape *shape = call.shape(position);
    return shape && shape->size() == 3 ? (*shape)[dimension] : Dim(ir::UnknownDim{});
}

/// Returns hidden_size, or, if it is not given, the size that the shape of R or W implies.
Dim hiddenSize(const Call &call, std::int64_t gates)
{
    if (const auto given = call.size("hidden_size"))
        return *given;
    const Dim recurrent = sizeOf(call, 2, 2);
    return isKnown(recurrent) ? recurrent : floorDivide(sizeOf(call, 1, 1), gates);
}

/// Demands as many activation functions as all directions need together.
Met fitActivations(const Call &call, std::size_t directions)
{
    const auto *given = call["activations"].as<SequenceFact>();
    const std::size_t each = call.name() == "LSTM" ? 3 : call.name() == "GRU" ? 2 : 1, expected = each * directions;
    if (!given || given->each().empty() || given->each().size() == expected)
        return {};
    // ONNX's default activations of RNN are for two directions, but ONNX Runtime takes them also for one direction.
    if (call.name() == "RNN" && given->each().size() == 2)
        return {};
    return wrong(formatted("it has {} activation{}, expected {} {}: {} for each direction", given->each().size(),
                           given->each().size() == 1 ? "" : "s", expected == 1 ? "is" : "are", expected, each));
}

} // namespace

Met recurrent(const Call &call)
{
    const OnnxRecurrentArguments given = onnxRecurrentArguments(call);
    const std::string_view direction = call.text("direction");
    const std::int64_t gates = gatesOf(call.name());
    CUTAWAY_RETURN_IF_ERROR(fitActivations(call, static_cast<std::size_t>(given.directions())));
    const Dim directions = given.directions(), hidden = hiddenSize(call, gates);
    const Dim rows = times(hidden, gates);
    const bool batchFirst = given.isBatchFirst.value_or(false);
    const Dim batch = sizeOf(call, 0, batchFirst ? 0 : 1);
    const Shape state = batchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    const std::string reason = formatted("as the hidden size is {} and the direction {}", ir::print(hidden),
                                         direction.empty() ? "forward" : direction);
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 1u, "W", {directions, rows, sizeOf(call, 0, 2)}, reason));
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 2u, "R", {directions, rows, hidden}, reason));
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 3u, "B", {directions, times(rows, std::int64_t{2})}, reason));
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 4u, "sequence_lens", {batch}, "one for each of the batch"));
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 5u, "initial_h", state, reason));
    if (call.name() != "LSTM")
        return {};
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 6u, "initial_c", state, reason));
    return expectShape(call, 7u, "P", {directions, times(hidden, std::int64_t{3})}, reason);
}

} // namespace cutaway::ops::demand
