// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <functional>

namespace cutaway::passes {

using IsSupported = std::function<bool(const ir::NodeRef &node)>;

/// Moves the nodes of the body that are supported and may be moved into groups of at least `least` nodes, see group().
/// A group is convex: no path leaves it and comes back.
void partitionBy(rewrite::Rewriter &rewriter, const IsSupported &isSupported, std::int64_t least);

} // namespace cutaway::passes
