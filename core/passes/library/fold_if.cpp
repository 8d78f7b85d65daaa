// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/program/control_flow.h"
#include "core/passes/inlining.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

namespace {

/// Returns the region that a node certainly runs; nothing if that is not known.
std::optional<ir::RegionId> takenBranch(rewrite::Rewriter &rewriter, const ir::NodeRef &node)
{
    const ops::OperatorKind kind = rewriter.kind(node);
    if ((kind != ops::kind::ifElse && kind != ops::kind::cond) || node->regions.size() != 2 || node->arguments.empty())
        return std::nullopt;
    const auto condition = ops::asBool(rewriter.proven(node->arguments.front().value));
    return condition ? std::optional(node->regions[*condition ? 0 : 1]) : std::nullopt;
}

Result<void> runFoldIf(rewrite::Rewriter &rewriter, const Settings &)
{
    for (const ir::NodeRef node : rewriter.nodes())
        if (const auto branch = rewriter.isRemoved(node) ? std::nullopt : takenBranch(rewriter, node))
            replaceByRegion(rewriter, node, *branch, openedArguments(node, 1));
    return {};
}

} // namespace

extern const Pass foldIf;
const Pass foldIf{"fold-if", "Replaces a conditional whose outcome is known by the branch taken.", {}, runFoldIf};

} // namespace cutaway::passes
