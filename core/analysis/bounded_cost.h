// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::analysis {

/// What code costs, and where that is not known, what it costs at least: the nodes that are known, as often as they
/// certainly run.
struct BoundedCost {
    ops::Cost cost;
    std::optional<ops::Cost> atLeast = {}; ///< nothing: `cost` is known

    /// The cost with its lower bound where a figure is not known; a bound that is not known either is 0.
    ops::Cost lowerBound() const;
};

/// The figures that are known; 0 for the others.
ops::Cost knownPart(const ops::Cost &cost);
/// The figures of `cost` that are known, the others from `bound`.
ops::Cost boundedBy(const ops::Cost &cost, const ops::Cost &bound);
bool isKnownCost(const ops::Cost &cost);

BoundedCost plus(const BoundedCost &a, const BoundedCost &b);
BoundedCost times(const BoundedCost &cost, const ir::Dim &count);

} // namespace cutaway::analysis
