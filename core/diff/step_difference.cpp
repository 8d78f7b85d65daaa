// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/step_difference.h"

#include "core/ir/scope_tree.h"

#include <algorithm>
#include <iterator>

namespace cutaway::diff {

namespace {

bool isThere(const ir::Graph &graph, ir::NodeId id) { return id.index < graph.nodeCount() && !graph.at(id).removed; }

bool isSame(const ir::Graph &before, const ir::Graph &after, ir::NodeId id)
{
    const ir::Node &a = before.at(id);
    const auto sameType = [&](ir::ValueId value) { return before.at(value).type == after.at(value).type; };
    if (before.sharesNode(after, id))
        return std::ranges::all_of(a.outputs, sameType);
    const ir::Node &b = after.at(id);
    return a.op == b.op && a.arguments == b.arguments && a.scope == b.scope && a.name == b.name
        && a.regions == b.regions && a.outputs == b.outputs && std::ranges::all_of(a.outputs, sameType);
}

} // namespace

StepDifference within(const StepDifference &difference, const ir::Graph &after, ir::ScopeId scope)
{
    const auto kept = [&](const std::vector<ir::NodeId> &nodes) {
        std::vector<ir::NodeId> inside;
        std::ranges::copy_if(nodes, std::back_inserter(inside), [&](ir::NodeId node) {
            return ir::isWithin(after.context(), after.at(node).scope, scope);
        });
        return inside;
    };
    return {.removed = kept(difference.removed), .added = kept(difference.added), .changed = kept(difference.changed)};
}

StepDifference stepDifference(const ir::Graph &before, const ir::Graph &after)
{
    StepDifference difference;
    for (std::uint32_t i = 0; i < std::max(before.nodeCount(), after.nodeCount()); ++i) {
        const ir::NodeId id{i};
        const bool was = isThere(before, id), is = isThere(after, id);
        if (was && !is)
            difference.removed.push_back(id);
        else if (!was && is)
            difference.added.push_back(id);
        else if (was && !isSame(before, after, id))
            difference.changed.push_back(id);
    }
    return difference;
}

} // namespace cutaway::diff
