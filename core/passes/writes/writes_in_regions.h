// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

/// Moves writes out of the branches of an if and the body of a loop. A branch writes to a copy of the tensor, which
/// becomes a further result of the node; after the node, this result is written to the whole tensor. Writes to tensors
/// whose views are not all known stay. Returns whether the graph has changed; then the caller calls Rewriter::finish().
bool carryWritesOut(rewrite::Rewriter &rewriter, ir::NodeId node);

} // namespace cutaway::passes
