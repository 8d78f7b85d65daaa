// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/reading/dead_nodes.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

namespace {

Result<void> runDeadCode(rewrite::Rewriter &rewriter, const Settings &)
{
    for (const ir::NodeRef &node : analysis::deadNodes(rewriter))
        rewriter.remove(node);
    return {};
}

} // namespace

extern const Pass deadCode;
const Pass deadCode{"dead-code", "Removes nodes whose results are unused and that have no effect.", {}, runDeadCode};

} // namespace cutaway::passes
