// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <functional>
#include <vector>

namespace cutaway::passes {

/// The values at which a part of a function meets the rest, in the order of the body.
struct Border {
    std::vector<ir::ValueId> from; ///< values that the part reads, which are made outside and follow from the inputs
    std::vector<ir::ValueId> to;   ///< values of the part that the rest or the results read
};

/// Finds the border of the part that consists of the nodes of the body for which `isInside` returns true, each with all
/// nodes of its regions.
Border borderOf(const ir::Function &function, const std::function<bool(const ir::NodeRef &)> &isInside);

/// Finds the border of `nodes` and of the nodes that passes have made of them.
Border borderOf(const ir::Function &function, const std::vector<ir::NodeId> &nodes);

} // namespace cutaway::passes
