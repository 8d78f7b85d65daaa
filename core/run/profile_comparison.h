// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/run/saved_profile.h"
#include "core/run/time_change.h"

#include <utility>
#include <vector>

namespace cutaway::run {

/// The times of matching nodes. If one side fused nodes that the other did not, all of them are one entry. Each spread
/// is the sum of its rows' spreads, which is at least as wide as the spread of their sum.
struct NodesChange {
    std::vector<std::size_t> a, b; ///< indices into SavedProfile::nodes of both sides; one list may be empty
    TimeChange time;
};

/// The difference of the times of B from those of A.
struct ProfileComparison {
    TimeChange whole;
    std::vector<NodesChange> nodes; ///< in the order of A, then nodes that only B has
};

/// Pairs of matching nodes of the two models.
using SameNodes = std::vector<std::pair<ir::NodeId, ir::NodeId>>;

/// Matches nodes by id, for profiles of one model. Errors (Usage): an id is another node in B.
Result<SameNodes> sameIds(const SavedProfile &a, const SavedProfile &b);
/// Matches nodes by the result of a model diff.
SameNodes sameNodes(const diff::Difference &difference);

/// Compares two profiles. `same`: the pairs of nodes that are compared; other nodes are in entries of one side.
ProfileComparison compareProfiles(const SavedProfile &a, const SavedProfile &b, const SameNodes &same);

} // namespace cutaway::run
