// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// The nodes between which the values of two states of a graph begin to differ.
struct FirstDifference {
    std::optional<ir::NodeId> lastEqual;      ///< the last compared node whose values agree; nullopt if none do
    std::optional<ir::NodeId> firstDifferent; ///< the first node with other values; nullopt: only the results differ
    double largest = 0;                       ///< largest absolute error of `firstDifferent`; infinite if shapes differ
    std::vector<ir::NodeId> changed;          ///< nodes of the later state between the two that a pass made or changed
};

/// Finds by binary search where the values of two states begin to differ, if the later one has other results. Each step
/// runs both states with one more value, so it takes about log2(nodes) runs of each. It compares tensors of the body
/// that depend on changed nodes, and that unchanged nodes make. If equal and different values alternate, the result is
/// one of the places where a different value follows an equal one. Errors: those of the backend.
Result<FirstDifference> firstDifference(Backend &backend, const ir::Model &before, const ir::Model &after,
                                        ir::FunctionId function, const Inputs &inputs, double tolerance,
                                        const Task &task = {});

} // namespace cutaway::run
