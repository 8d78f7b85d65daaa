// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/rewriter.h"

#include <vector>

namespace cutaway::passes {

/// Puts nodes of one region, given in their order, into the region of a new node where the last of them stands. Its
/// operator is of the dialect cutaway, its results are what others read of theirs. Nobody else may read them, and
/// nothing that they read may be made, between the first and the last of them.
ir::NodeId group(Rewriter &rewriter, const std::vector<ir::NodeId> &nodes, std::string_view name,
                 std::string_view label = {});

} // namespace cutaway::passes
