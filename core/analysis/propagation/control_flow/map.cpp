// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/control_flow.h"
#include "core/analysis/propagation/control_flow/iteration.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/sequences.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

/// Returns the inputs of a SequenceMap's region for the items at `index`; for any index if `index` is nothing.
Facts itemsAt(const Facts &inputs, const std::optional<ir::Dim> &index)
{
    Facts items;
    for (const Fact &input : inputs)
        items.push_back(input.as<ops::SequenceFact>() ? ops::itemOf(input, index) : input);
    return items;
}

Outcome mapEach(const ir::NodeRef &node, const Facts &inputs, std::int64_t length, Walk &walk)
{
    std::vector<std::vector<Fact>> lists(node.outputCount());
    Outcome outcome;
    for (std::int64_t i = 0; i < length; ++i) {
        Facts items = walk.enter(node->regions[0], itemsAt(inputs, ir::Dim(i)));
        for (std::size_t k = 0; k < lists.size() && k < items.size(); ++k)
            lists[k].push_back(std::move(items[k]));
        outcome.cost = plus(outcome.cost, walk.costOf(node->regions[0]));
    }
    for (std::vector<Fact> &list : lists)
        outcome.results.emplace_back(ops::listFact(std::move(list)));
    return outcome;
}

Outcome mapAny(const ir::NodeRef &node, const Facts &inputs, const ir::Dim &length, Walk &walk)
{
    Outcome outcome;
    for (Fact &item : walk.enter(node->regions[0], itemsAt(inputs, std::nullopt)))
        outcome.results.emplace_back(ops::manyOf(std::move(item), length));
    outcome.cost = times(walk.costOf(node->regions[0]), length);
    outcome.reason = reasonOf(length, outcome.cost);
    return outcome;
}

} // namespace

/// map([over], [more]): the region sees one slice of each tensor that is mapped over.
Outcome runMap(const ir::NodeRef &node, Walk &walk)
{
    Facts over;
    if (!node->arguments.empty())
        appendOpened(over, walk.of(node->arguments[0].value));
    const ir::Dim length = over.empty() ? ir::Dim(ir::UnknownDim{}) : sizeAlong(over.front(), 0);
    Facts inputs = argumentsFrom(node, 0, walk);
    for (std::size_t i = 0; i < std::min(over.size(), inputs.size()); ++i)
        inputs[i] = withoutAxis(inputs[i], 0);
    Facts ends = walk.enter(node->regions[0], inputs);
    for (Fact &end : ends)
        end = withAxis(end, 0, length);
    BoundedCost cost = times(walk.costOf(node->regions[0]), length);
    std::string reason = reasonOf(length, cost);
    return {std::move(ends), std::move(cost), {}, std::move(reason)};
}

/// SequenceMap(sequence, more…): the region sees an item of each sequence, and other tensors as they are.
Outcome runSequenceMap(const ir::NodeRef &node, Walk &walk)
{
    const Facts inputs = inputsOf(node, walk);
    const ir::Dim length = inputs.empty() ? ir::Dim(ir::UnknownDim{}) : ops::lengthOf(inputs.front());
    const auto count = ops::number(length);
    return count && *count <= maxUnrolledIterations ? mapEach(node, inputs, *count, walk)
                                                    : mapAny(node, inputs, length, walk);
}

} // namespace cutaway::analysis
