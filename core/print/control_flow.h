// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// A node's argument of this name, or the one at `position` if it has no name; nullptr if there is neither.
const ir::Operand *argumentOf(const ir::NodeRef &node, std::string_view name, std::size_t position);

/// What a prim::Loop is given.
struct Loop {
    ir::Operand tripCount;
    ir::Operand condition; ///< whether it runs at all
    std::vector<ir::Operand> initial;
};

/// Nothing if the node does not have one value everywhere for each of its variables.
std::optional<Loop> loopOf(const ir::NodeRef &node);

/// Whether the node has two branches with a value for each of its results.
bool isBranching(const ir::NodeRef &node);

} // namespace cutaway::print
