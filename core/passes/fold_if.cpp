// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/inlining.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

namespace {

/// Which of its two regions a node surely runs.
std::optional<ir::RegionId> takenBranch(Rewriter &rewriter, ir::NodeId id)
{
    const ir::Node &node = rewriter.graph().at(id);
    const std::string &kind = rewriter.kind(id);
    if ((kind != "if" && kind != "cond") || node.regions.size() != 2 || node.arguments.empty())
        return std::nullopt;
    const auto condition = ops::asBool(rewriter.fact(node.arguments.front().value));
    return condition ? std::optional(node.regions[*condition ? 0 : 1]) : std::nullopt;
}

Result<void> runFoldIf(Rewriter &rewriter, const Settings &)
{
    for (const ir::NodeId node : rewriter.nodes())
        if (const auto branch = rewriter.isRemoved(node) ? std::nullopt : takenBranch(rewriter, node))
            replaceByRegion(rewriter, node, *branch, openedArguments(rewriter.graph().at(node), 1));
    return {};
}

} // namespace

extern const Pass foldIf;
const Pass foldIf{"fold-if", "Puts the branch that is surely taken in place of the decision.", {}, runFoldIf};

} // namespace cutaway::passes
