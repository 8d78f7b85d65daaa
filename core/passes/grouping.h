// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <vector>

namespace cutaway::passes {

/// Moves nodes of one region, given in their order, into the region of a new node at the position of the last one. The
/// new node's operator has the dialect cutaway; its results are those that other nodes read. Between the first and the
/// last of the nodes, no other node may read their results or compute their arguments.
ir::NodeId group(rewrite::Rewriter &rewriter, const std::vector<ir::NodeId> &nodes, std::string_view name,
                 std::string_view label = {});

} // namespace cutaway::passes
