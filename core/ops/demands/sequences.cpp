// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

#include <algorithm>
#include <array>

namespace cutaway::ops::demand {

using ir::Dim;
using ir::Shape;

// ---- Attention

namespace {

/// Whether the heads may divide the last dimension; says so if they do not.
bool fitHeads(const Call &call, const Dim &width, const Dim &heads, std::string_view name)
{
    if (mayDivide(width, heads))
        return true;
    call.wrong(formatted("the {} of {} cannot be divided into {} heads", name, ir::print(width), ir::print(heads)));
    return false;
}

const Shape *joined(const Call &call, Position position)
{
    const Shape *shape = call.shape(position);
    return shape && shape->size() == 3 ? shape : nullptr;
}

} // namespace

void heads(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    if (!mayDivide(given.heads, given.keyHeads)) {
        call.wrong(formatted("{} heads of the query cannot share {} of the key", ir::print(given.heads),
                             ir::print(given.keyHeads)));
        return;
    }
    if (given.layout == HeadLayout::Projected) {
        const Shape *input = joined(call, given.query), *weights = call.shape(given.projection);
        if (!input || !weights || weights->size() != 2)
            return;
        if (isDifferent(input->back(), weights->front()))
            call.wrong(formatted("the input has {} columns, the weights are for {}", ir::print(input->back()),
                                 ir::print(weights->front())));
        else if (!call.has("qkv_hidden_sizes") && mayDivide(weights->back(), std::int64_t{3}))
            fitHeads(call, floorDivide(weights->back(), std::int64_t{3}), given.heads, "width");
        return;
    }
    if (given.layout != HeadLayout::HeadsJoined)
        return;
    const Shape *query = joined(call, given.query), *key = joined(call, given.key), *value = joined(call, given.value);
    (!query || fitHeads(call, query->back(), given.heads, "query's width"))
        && (!key || fitHeads(call, key->back(), given.keyHeads, "key's width"))
        && (!value || fitHeads(call, value->back(), given.keyHeads, "value's width"));
}

// ---- LSTM, GRU and RNN of ONNX

namespace {

std::int64_t gatesOf(std::string_view name) { return name == "LSTM" ? 4 : name == "GRU" ? 3 : 1; }

Dim sizeOf(const Call &call, std::size_t position, std::size_t dimension)
{
    const Shape *shape = call.shape(position);
    return shape && shape->size() == 3 ? (*shape)[dimension] : Dim(ir::UnknownDim{});
}

/// hidden_size, or what R and W say of it.
Dim hiddenSize(const Call &call, std::int64_t gates)
{
    if (const auto given = call.size("hidden_size"))
        return *given;
    const Dim recurrent = sizeOf(call, 2, 2);
    return isKnown(recurrent) ? recurrent : floorDivide(sizeOf(call, 1, 1), gates);
}

} // namespace

void recurrent(const Call &call)
{
    constexpr std::array known{std::string_view(), std::string_view("forward"), std::string_view("reverse"),
                               std::string_view("bidirectional")};
    const std::string_view direction = call.text("direction");
    if (!std::ranges::contains(known, direction)) {
        call.wrong(formatted("direction is \"{}\", none of forward, reverse and bidirectional", direction));
        return;
    }
    if (const Shape *input = call.shape(0u); input && input->size() != 3) {
        call.wrong(formatted("X has {} dimensions, expected are 3", input->size()));
        return;
    }
    const std::int64_t gates = gatesOf(call.name());
    const Dim directions = std::int64_t{direction == "bidirectional" ? 2 : 1}, hidden = hiddenSize(call, gates);
    const Dim rows = times(hidden, gates);
    const bool batchFirst = call.flag("layout").value_or(false);
    const Dim batch = sizeOf(call, 0, batchFirst ? 0 : 1);
    const Shape state = batchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    const std::string reason = formatted("as the hidden size is {} and the direction {}", ir::print(hidden),
                                         direction.empty() ? "forward" : direction);
    expectShape(call, 1u, "W", {directions, rows, sizeOf(call, 0, 2)}, reason)
        && expectShape(call, 2u, "R", {directions, rows, hidden}, reason)
        && expectShape(call, 3u, "B", {directions, times(rows, std::int64_t{2})}, reason)
        && expectShape(call, 4u, "sequence_lens", {batch}, "one for each of the batch")
        && expectShape(call, 5u, "initial_h", state, reason)
        && (call.name() != "LSTM"
            || (expectShape(call, 6u, "initial_c", state, reason)
                && expectShape(call, 7u, "P", {directions, times(hidden, std::int64_t{3})}, reason)));
}

} // namespace cutaway::ops::demand
