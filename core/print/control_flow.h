// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// A node's argument of this name, else its unnamed argument at `position`; nullptr if there is neither.
const ir::Operand *argumentOf(const ir::NodeRef &node, std::string_view name, std::size_t position);

/// The inputs of a prim::Loop.
struct Loop {
    ir::Operand tripCount;
    ir::Operand condition; ///< whether the first iteration runs
    std::vector<ir::Operand> initial;
};

/// Nothing if inputs, region and results disagree in the number of loop variables.
std::optional<Loop> loopOf(const ir::NodeRef &node);

/// Whether the node has two branches with one output for each of its results.
bool isBranching(const ir::NodeRef &node);

} // namespace cutaway::print
