// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/dependencies.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

/// What a node reads, also inside its regions.
template <class Visit>
void forEachRead(const ir::Graph &graph, ir::NodeId id, const Visit &visit)
{
    for (const ir::Argument &argument : graph.at(id).arguments)
        forEachValue(argument.value, visit);
    for (const ir::RegionId region : graph.at(id).regions) {
        for (const ir::NodeId inner : graph.at(region).nodes)
            forEachRead(graph, inner, visit);
        for (const ir::Operand &output : graph.at(region).outputs)
            forEachValue(output, visit);
    }
}

} // namespace

bool mayMove(Rewriter &rewriter, ir::NodeId node)
{
    bool moves = rewriter.isPure(node);
    const auto look = [&](ir::ValueId value) { moves = moves && !rewriter.written().contains(value); };
    forEachRead(rewriter.graph(), node, look);
    std::ranges::for_each(rewriter.graph().at(node).outputs, look);
    return moves;
}

std::vector<std::vector<std::size_t>> dependencies(Rewriter &rewriter, ir::RegionId region)
{
    const auto &nodes = rewriter.graph().at(region).nodes;
    std::unordered_map<ir::ValueId, std::size_t> makers;
    std::vector<std::vector<std::size_t>> before(nodes.size());
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        forEachRead(rewriter.graph(), nodes[i], [&](ir::ValueId value) {
            if (const auto maker = makers.find(value); maker != makers.end())
                before[i].push_back(maker->second);
        });
        if (!mayMove(rewriter, nodes[i])) {
            if (last)
                before[i].push_back(*last);
            last = i;
        }
        for (const ir::ValueId output : rewriter.graph().at(nodes[i]).outputs)
            makers.emplace(output, i);
        std::ranges::sort(before[i]);
        before[i].erase(std::ranges::unique(before[i]).begin(), before[i].end());
    }
    return before;
}

} // namespace cutaway::passes
