// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

namespace cutaway::analysis {

/// A node that keeps a size of the file although the user gives another one.
struct HeldSize {
    ir::NodeId node;
    std::string message; ///< "its target [1, 1000] is a constant: dimension 0 stays 1, where the given sizes make 4"
};

/// Finds the nodes that keep sizes which are replaced (Given::replaced): reshapes, expansions and slices with constant
/// sizes, and nodes that are impossible in `shapes`, but not with the file's sizes. An impossible node is only found if
/// it runs; its message names the operands whose sizes do not change. The result is in the order of node ids.
/// Propagates once more, with the file's sizes.
std::vector<HeldSize> heldSizes(const ir::Model &model, ir::FunctionId function, const Given &given,
                                const Shapes &shapes, const Task &task = {});

} // namespace cutaway::analysis
