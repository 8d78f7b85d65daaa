// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::diff {

/// The nodes that a step of a history added, removed or changed, by id. Each list is ascending.
struct StepDifference {
    std::vector<ir::NodeId> removed, added;
    /// Nodes with another operator, other arguments, scope or name, or other types of results.
    std::vector<ir::NodeId> changed;
    bool isEmpty() const { return removed.empty() && added.empty() && changed.empty(); }
    bool operator==(const StepDifference &) const = default;
};

/// Returns the part of a difference that lies in a module's call. `after` still has the removed nodes.
StepDifference within(const StepDifference &difference, const ir::Graph &after, ir::ScopeId scope);

/// Compares two graphs of one history. Exact. Looks at every id and compares the nodes that are not shared.
StepDifference stepDifference(const ir::Graph &before, const ir::Graph &after);

} // namespace cutaway::diff
