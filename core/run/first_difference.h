// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// The nodes between which the values of two states of a graph begin to differ.
struct FirstDifference {
    std::optional<ir::NodeId> lastEqual; ///< a node of both states after a change, up to which they agree; nullopt:
                                         ///< there is none
    std::optional<ir::NodeId> firstDifferent; ///< the first node with other values; nullopt: only the results differ
    double largest = 0;                       ///< absolute difference there; infinite: of other shapes
    std::vector<ir::NodeId> changed;          ///< nodes of the later state between the two that a pass made or changed
};

/// Finds by halves where two states, of which the later one has other results, part: each question runs both with one
/// more value, so it takes about log2(nodes) runs of each. Compared are tensors of the body that come from what changed
/// and whose nodes are the same in both. If equal and different values alternate, it is a different one right after an
/// equal one. Errors: those of the backend.
Result<FirstDifference> firstDifference(Backend &backend, const ir::Model &before, const ir::Model &after,
                                        ir::FunctionId function, const Inputs &inputs, double tolerance,
                                        const Task &task = {});

} // namespace cutaway::run
