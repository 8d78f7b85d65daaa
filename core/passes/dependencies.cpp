// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/dependencies.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

/// Visits the values that a node reads, including those read inside its regions.
template <class Visit>
void forEachRead(const ir::NodeRef &node, const Visit &visit)
{
    for (const ir::Argument &argument : node->arguments)
        forEachValue(argument.value, visit);
    for (const ir::RegionId region : node->regions) {
        for (const ir::NodeRef inner : ir::nodesOf(node.graph(), region))
            forEachRead(inner, visit);
        for (const ir::Operand &output : node.graph().at(region).outputs)
            forEachValue(output, visit);
    }
}

} // namespace

bool mayMove(analysis::Reading &reading, const ir::NodeRef &node)
{
    bool moves = reading.isPure(node);
    const auto look = [&](ir::ValueId value) { moves = moves && !reading.written().contains(value); };
    forEachRead(node, look);
    std::ranges::for_each(node->outputs, look);
    return moves;
}

std::vector<std::vector<std::size_t>> dependencies(analysis::Reading &reading, ir::RegionId region)
{
    const auto &nodes = reading.graph().at(region).nodes;
    std::unordered_map<ir::ValueId, std::size_t> makers;
    std::vector<std::vector<std::size_t>> before(nodes.size());
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const ir::NodeRef node = reading.node(nodes[i]);
        forEachRead(node, [&](ir::ValueId value) {
            if (const auto maker = makers.find(value); maker != makers.end())
                before[i].push_back(maker->second);
        });
        if (!mayMove(reading, node)) {
            if (last)
                before[i].push_back(*last);
            last = i;
        }
        for (const ir::ValueId output : node->outputs)
            makers.emplace(output, i);
        std::ranges::sort(before[i]);
        before[i].erase(std::ranges::unique(before[i]).begin(), before[i].end());
    }
    return before;
}

} // namespace cutaway::passes
