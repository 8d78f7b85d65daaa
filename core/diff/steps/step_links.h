// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/step_difference.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::diff {

/// Says what a step of a history made of nodes: which of the new and changed nodes stand for which of those before, and
/// what is read in place of those that are gone. See step_links.cpp.
class StepLinks {
public:
    /// The graphs are two states of one history, with `step` between them. O(nodes of the step and their operands).
    StepLinks(const ir::Graph &before, const ir::Graph &after, const StepDifference &step);

    /// The nodes of the later graph that were made from a node of the earlier one, or took in what it did. None: it
    /// stays as it is, or is gone.
    const std::vector<ir::NodeId> &madeFrom(ir::NodeId before) const;
    /// The nodes of the earlier graph that a node of the later one was made from, or took in. None: it is new, or was
    /// there.
    const std::vector<ir::NodeId> &originsOf(ir::NodeId after) const;
    /// The values of the later graph that are read where results of a node were read that is gone.
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
