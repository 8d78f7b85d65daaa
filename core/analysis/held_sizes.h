// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

namespace cutaway::analysis {

/// A node that keeps a size as it is in the file, although the user gives another one.
struct HeldSize {
    ir::NodeId node;
    std::string message; ///< "its target [1, 1000] is a constant: dimension 0 stays 1, where the given sizes make 4"
};

/// Finds the nodes that keep sizes which are replaced (Given::replaced): reshapes, expansions and slices with constant
/// sizes, and nodes that cannot be computed any more (`shapes`), with the operands that stay as they are. Only nodes
/// that run are found, in their order. Propagates once more, with the file's sizes.
std::vector<HeldSize> heldSizes(const ir::Model &model, ir::FunctionId function, const Given &given,
                                const Shapes &shapes, const Task &task = {});

} // namespace cutaway::analysis
