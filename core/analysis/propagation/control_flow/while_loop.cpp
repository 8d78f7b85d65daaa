// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/control_flow.h"
#include "core/analysis/propagation/control_flow/iteration.h"

#include <algorithm>

namespace cutaway::analysis {

/// while_loop([carried], [more]): the regions condition and body, both of (carried…, more…).
Outcome runWhileLoop(const ir::NodeRef &node, Walk &walk)
{
    if (node->regions.size() < 2)
        return runInline(node, walk);
    ops::Facts inputs = argumentsFrom(node, 0, walk);
    const std::size_t carried = std::min(node.outputCount(), inputs.size());
    iterateUntilStable(walk, inputs, maxJoinedIterations, [&] {
        walk.enter(node->regions[0], inputs);
        const ops::Facts ends = walk.enter(node->regions[1], inputs, Reached::Possibly);
        for (std::size_t i = 0; i < carried; ++i)
            inputs[i] = ops::join(inputs[i], factAt(ends, i));
    });
    inputs.resize(carried);
    const ir::Dim unknown = ir::UnknownDim{};
    BoundedCost cost = times(walk.costOf(node->regions[1]), unknown);
    std::string reason = reasonOf(unknown, cost);
    return {std::move(inputs), std::move(cost), {}, std::move(reason)};
}

} // namespace cutaway::analysis
