// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/run/saved_profile.h"

#include <optional>
#include <utility>
#include <vector>

namespace cutaway::run {

/// A time in two profiles.
struct TimeChange {
    protocol::Spread before, after;

    /// after / before; nothing where one of them is not there.
    std::optional<double> ratio() const;
    /// Whether the ranges from 5 to 95 % of the runs have nothing in common.
    bool isBeyondNoise() const;
};

/// What the same nodes took. Where one side has fused what the other has not, all of it stands together, and each
/// spread is the sum of its rows': wider, if anything, than that of their sums.
struct NodesChange {
    std::vector<std::size_t> a, b; ///< of SavedProfile::nodes; one of them may be empty
    TimeChange time;
};

struct ProfileComparison {
    TimeChange whole;
    std::vector<NodesChange> nodes; ///< in the order of A, then what only B has
};

/// Nodes of the two models that are the same.
using SameNodes = std::vector<std::pair<ir::NodeId, ir::NodeId>>;

/// By their ids, in profiles of one model. Errors (Usage): a node that is another one in B.
Result<SameNodes> sameIds(const SavedProfile &a, const SavedProfile &b);
/// By what a comparison of the models has found.
SameNodes sameNodes(const diff::Difference &difference);

ProfileComparison compareProfiles(const SavedProfile &a, const SavedProfile &b, const SameNodes &same);

} // namespace cutaway::run
