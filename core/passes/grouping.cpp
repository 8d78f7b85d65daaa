// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/grouping.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

bool isReadOutside(const ir::ValueRef &value, const std::unordered_set<ir::NodeId> &inside)
{
    return std::ranges::any_of(value->uses, [&](const ir::Use &use) {
        const auto *node = std::get_if<ir::NodeId>(&use);
        return !node || !inside.contains(*node);
    });
}

/// Makes nodes inside the group read the original values instead of the group's results.
void restore(rewrite::Rewriter &rewriter, const std::vector<ir::NodeId> &nodes,
             const std::unordered_map<ir::ValueId, ir::ValueId> &originals)
{
    const auto original = [&](ir::ValueId value) -> ir::Operand {
        const auto found = originals.find(value);
        return found == originals.end() ? value : found->second;
    };
    for (const ir::NodeId id : nodes) {
        const ir::NodeRef node = rewriter.node(id);
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            argument.value = ir::withValues(argument.value, original);
        if (arguments != node->arguments)
            rewriter.setArguments(node, std::move(arguments));
    }
}

} // namespace

ir::NodeId group(rewrite::Rewriter &rewriter, const std::vector<ir::NodeId> &nodes, std::string_view name,
                 std::string_view label)
{
    const std::unordered_set<ir::NodeId> inside(nodes.begin(), nodes.end());
    const ir::NodeRef last = rewriter.node(nodes.back());
    rewriter.from(nodes);
    const ir::NodeId made = rewriter.insertBefore(last,
                                                  ir::NodeDraft{.op = rewriter.context().op("cutaway", name),
                                                                .name = rewriter.text(label),
                                                                .scope = last->scope,
                                                                .location = last->location,
                                                                .arguments = {},
                                                                .origins = {},
                                                                .metadata = {}});
    const ir::RegionId region = rewriter.addRegion(made, rewriter.text(label));
    std::vector<ir::Operand> outputs;
    std::unordered_map<ir::ValueId, ir::ValueId> originals;
    for (const ir::NodeId id : nodes) {
        const ir::NodeRef node = rewriter.node(id);
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            const ir::ValueRef value = node.output(i);
            if (!isReadOutside(value, inside))
                continue;
            const ir::ValueId given = rewriter.addOutput(made, value->type, value.name());
            rewriter.replaceUses(value, given);
            originals.emplace(given, value);
            outputs.emplace_back(value);
        }
    }
    restore(rewriter, nodes, originals);
    rewriter.setOutputs(region, std::move(outputs));
    rewriter.moveInto(region, nodes);
    return made;
}

} // namespace cutaway::passes
