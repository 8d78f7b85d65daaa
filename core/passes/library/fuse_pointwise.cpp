// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/dependencies.h"
#include "core/passes/grouping.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

// Nodes are visited backwards. A pointwise node joins the group of its readers if they are all in one group; else it
// begins a group of its own. So every group has one result, and no path leaves and re-enters it.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;

bool isPointwise(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    const ops::Operator *row = rewriter.row(node);
    if (!row || row->pattern != ops::Pattern::Pointwise || node.outputCount() != 1 || !node->regions.empty())
        return false;
    const ops::Fact result = rewriter.fact(node.output(0));
    return ops::asTensor(result) && mayMove(rewriter, node);
}

/// Returns the group that contains all readers of a node, by its last node; nothing if there is none.
std::optional<NodeId> groupOfReaders(const NodeRef &node, const std::map<NodeId, NodeId> &groups)
{
    std::optional<NodeId> found;
    for (const ir::Use &use : node.output(0)->uses) {
        const auto *reader = std::get_if<NodeId>(&use);
        const auto group = reader ? groups.find(*reader) : groups.end();
        if (group == groups.end() || node.graph().at(*reader).parent != node->parent
            || (found && *found != group->second))
            return std::nullopt;
        found = group->second;
    }
    return found;
}

Result<void> runFusePointwise(rewrite::Rewriter &rewriter, const Settings &)
{
    std::map<NodeId, NodeId> groups; // by node: the last node of its group
    std::map<NodeId, std::vector<NodeId>> members;
    for (const NodeRef node : std::views::reverse(rewriter.nodes()))
        if (isPointwise(rewriter, node)) {
            const NodeId last = groupOfReaders(node, groups).value_or(node);
            groups.emplace(node, last);
            members[last].push_back(node);
        }
    for (auto &[last, nodes] : members)
        if (nodes.size() > 1) {
            std::ranges::reverse(nodes);
            group(rewriter, nodes, "fused");
        }
    return {};
}

} // namespace

extern const Pass fusePointwise;
const Pass fusePointwise{"fuse-pointwise",
                         "Groups pointwise operators of which one result is read outside the group.",
                         {},
                         runFusePointwise,
                         false};

} // namespace cutaway::passes
