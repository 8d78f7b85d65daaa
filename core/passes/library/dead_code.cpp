// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"
#include "core/passes/rewriter.h"

#include <algorithm>
#include <ranges>

namespace cutaway::passes {

namespace {

bool isDead(Rewriter &rewriter, const ir::NodeRef &node)
{
    return std::ranges::none_of(node->outputs, [&](ir::ValueId value) { return rewriter.useCount(value) > 0; })
        && rewriter.isPure(node);
}

Result<void> runDeadCode(Rewriter &rewriter, const Settings &)
{
    // In reverse order: readers before the producers they read, and contents of a node before the node.
    for (const ir::NodeRef node : std::views::reverse(rewriter.nodes()))
        if (!rewriter.isRemoved(node) && isDead(rewriter, node))
            rewriter.remove(node);
    return {};
}

} // namespace

extern const Pass deadCode;
const Pass deadCode{"dead-code", "Removes nodes whose results are unused and that have no effect.", {}, runDeadCode};

} // namespace cutaway::passes
