// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <concepts>

namespace cutaway::passes {

/// Makes a node in place of `last`, which has one result and stays until the caller removes it. `nodes` are those that
/// the new node is made from, `last` among them.
ir::NodeRef fuse(rewrite::Rewriter &rewriter, std::vector<ir::NodeId> nodes, const ir::NodeRef &last,
                 rewrite::Rewriter::Make make);

/// The function that runs a pass: it makes an object of the class `Change` from the rewriter, and from the settings if
/// the class takes them.
template <class Change>
Result<void> runOf(rewrite::Rewriter &rewriter, const Settings &settings)
{
    if constexpr (std::constructible_from<Change, rewrite::Rewriter &, const Settings &>)
        Change(rewriter, settings).run();
    else
        Change(rewriter).run();
    return {};
}

} // namespace cutaway::passes
