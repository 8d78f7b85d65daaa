// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::analysis {

/// The cost of code and, where a figure is not known, a lower bound: the cost of the nodes whose cost is known, as
/// often as they certainly run.
struct BoundedCost {
    ops::Cost cost;
    std::optional<ops::Cost> atLeast = {}; ///< a lower bound; nothing if `cost` is known

    /// Returns the cost, with the lower bound in place of each figure that is not known; a figure without a known bound
    /// is 0.
    ops::Cost lowerBound() const;
};

/// Returns the known figures of `cost`, and 0 in place of the others.
ops::Cost knownPart(const ops::Cost &cost);
/// Returns the figures of `cost` that are known, and those of `bound` in place of the others.
ops::Cost boundedBy(const ops::Cost &cost, const ops::Cost &bound);
bool isKnownCost(const ops::Cost &cost);

// Return the cost of code that runs after other code, or `count` times.
BoundedCost plus(const BoundedCost &a, const BoundedCost &b);
BoundedCost times(const BoundedCost &cost, const ir::Dim &count);

} // namespace cutaway::analysis
