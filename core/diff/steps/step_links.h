// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/step_difference.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::diff {

/// Finds the effect of a step on the nodes: which new or changed nodes correspond to which earlier ones, and which
/// values are read in place of removed ones. See step_links.cpp.
class StepLinks {
public:
    /// The graphs are two states of one history, with `step` between them. O(nodes of the step and their operands).
    StepLinks(const ir::Graph &before, const ir::Graph &after, const StepDifference &step);

    /// Returns the nodes of the later graph that were made from a node of the earlier one, or took in what it did.
    /// There are none if the node stays as it is, or is gone without a trace.
    const std::vector<ir::NodeId> &madeFrom(ir::NodeId before) const;
    /// Returns the nodes of the earlier graph that a node of the later one was made from, or took in. There are none if
    /// the node is new, or was there already.
    const std::vector<ir::NodeId> &originsOf(ir::NodeId after) const;
    /// Returns the values of the later graph that are read where results of the removed node `gone` were read.
    const std::vector<ir::ValueId> &readInsteadOf(ir::NodeId gone) const;
    /// Whether a changed node has another operator, or operands that do not just follow from nodes that are gone or
    /// new.
    bool isOther(ir::NodeId changed) const { return m_other.contains(changed); }

private:
    class Finding;

    std::unordered_map<ir::NodeId, std::vector<ir::NodeId>> m_made, m_origins;
    std::unordered_map<ir::NodeId, std::vector<ir::ValueId>> m_instead;
    std::unordered_set<ir::NodeId> m_other;
};

} // namespace cutaway::diff
