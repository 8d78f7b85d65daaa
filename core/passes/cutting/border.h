// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <functional>
#include <vector>

namespace cutaway::passes {

/// Where a part of a function meets the rest, in the order of the body.
struct Border {
    std::vector<ir::ValueId> from; ///< what it reads that follows from the function's inputs and is made outside
    std::vector<ir::ValueId> to;   ///< what the rest or the results read of it
};

/// Finds the border of the part that `isInside` holds for: nodes of the body, each with all nodes of its regions.
Border borderOf(const ir::Function &function, const std::function<bool(const ir::NodeRef &)> &isInside);

/// Finds the border of these nodes and of what passes have made of them.
Border borderOf(const ir::Function &function, const std::vector<ir::NodeId> &nodes);

} // namespace cutaway::passes
