// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::diff {

/// What a step of a history did, by the ids that are for life. Each list grows.
struct StepDifference {
    std::vector<ir::NodeId> removed, added;
    std::vector<ir::NodeId> changed; ///< another operator, arguments, scope, name or types of its results
    bool isEmpty() const { return removed.empty() && added.empty() && changed.empty(); }
    bool operator==(const StepDifference &) const = default;
};

/// Of the nodes in a module's call: `after` has all of them, removed ones too.
StepDifference within(const StepDifference &difference, const ir::Graph &after, ir::ScopeId scope);

/// Of two graphs of one history. Exact. A look at every id, and a comparison of the nodes that are not shared.
StepDifference stepDifference(const ir::Graph &before, const ir::Graph &after);

} // namespace cutaway::diff
