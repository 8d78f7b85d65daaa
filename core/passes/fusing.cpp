// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/fusing.h"

namespace cutaway::passes {

ir::NodeRef fuse(rewrite::Rewriter &rewriter, std::vector<ir::NodeId> nodes, const ir::NodeRef &last,
                 rewrite::Rewriter::Make make)
{
    rewriter.from(std::move(nodes));
    const ir::NodeRef made = rewriter.insertBefore(last, std::move(make));
    const ir::ValueRef result = last.output(0);
    rewriter.replaceUses(result, rewriter.addOutput(made, result->type, result.name()));
    return made;
}

} // namespace cutaway::passes
