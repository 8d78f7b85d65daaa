// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

namespace cutaway::ops::demand {

using ir::Dim;
using ir::Shape;

namespace {

/// Demands that the number of heads divides the last dimension.
Met fitHeads(const Dim &width, const Dim &heads, std::string_view name)
{
    if (mayDivide(width, heads))
        return {};
    return wrong(formatted("the {} of {} cannot be divided into {} heads", name, ir::print(width), ir::print(heads)));
}

const Shape *joined(const Call &call, Position position)
{
    const Shape *shape = call.shape(position);
    return shape && shape->size() == 3 ? shape : nullptr;
}

} // namespace

Met heads(const Call &call)
{
    const AttentionArguments given = attentionArguments(call);
    if (!mayDivide(given.heads, given.keyHeads))
        return wrong(formatted("{} heads of the query cannot share {} of the key", ir::print(given.heads),
                               ir::print(given.keyHeads)));
    if (given.layout == HeadLayout::Projected) {
        const Shape *input = joined(call, given.query), *weights = call.shape(given.projection);
        if (!input || !weights || weights->size() != 2)
            return {};
        if (isDifferent(input->back(), weights->front()))
            return wrong(formatted("the input has {} columns, the weights are for {}", ir::print(input->back()),
                                   ir::print(weights->front())));
        if (!call.has("qkv_hidden_sizes") && mayDivide(weights->back(), std::int64_t{3}))
            return fitHeads(floorDivide(weights->back(), std::int64_t{3}), given.heads, "width");
        return {};
    }
    if (given.layout != HeadLayout::HeadsJoined)
        return {};
    const Shape *query = joined(call, given.query), *key = joined(call, given.key), *value = joined(call, given.value);
    if (query)
        CUTAWAY_RETURN_IF_ERROR(fitHeads(query->back(), given.heads, "query's width"));
    if (key)
        CUTAWAY_RETURN_IF_ERROR(fitHeads(key->back(), given.keyHeads, "key's width"));
    return value ? fitHeads(value->back(), given.keyHeads, "value's width") : Met();
}

} // namespace cutaway::ops::demand
