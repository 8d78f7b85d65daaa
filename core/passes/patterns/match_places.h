// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/patterns/pattern_match.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::passes {

/// Finds where the nodes that replace matches can stand: after all that they read, before all that reads them. Uses the
/// graph as it was when the pass began.
class MatchPlaces {
public:
    explicit MatchPlaces(analysis::Reading &reading);

    /// Returns the nodes in execution order, as analysis::Reading::nodes() does.
    const std::vector<ir::NodeRef> &nodes() const { return m_nodes; }
    /// Whether no match has taken the node.
    bool isFree(ir::NodeId node) const { return !m_taken.contains(node); }
    /// Whether no other node of the match runs after this one.
    bool isLast(const Match &match, ir::NodeId node) const;
    /// Returns the node before which the replacement of the match can stand; nothing if there is none.
    std::optional<ir::NodeId> of(const Pattern &pattern, const Match &match) const;
    /// Records that the match is replaced by nodes before `next`: its nodes are taken, and of() only returns positions
    /// for later matches that are in order with this replacement.
    void take(const Pattern &pattern, const Match &match, ir::NodeId next);

private:
    std::size_t position(ir::NodeId node) const { return m_positions.at(node); }
    ir::NodeId around(ir::NodeId node, ir::RegionId region) const;
    std::optional<ir::NodeId> reader(const ir::Use &use, ir::RegionId region) const;
    bool isThere(ir::ValueId value, ir::RegionId region, std::size_t next) const;

    const ir::Graph &m_graph;
    std::vector<ir::NodeRef> m_nodes;
    std::unordered_map<ir::NodeId, std::size_t> m_positions;
    std::unordered_set<ir::NodeId> m_taken;
    std::unordered_map<ir::ValueId, std::size_t> m_madeAt; ///< by result of a match: the position of its new node
    /// By value that matches read: the first position at which it is read.
    std::unordered_map<ir::ValueId, std::size_t> m_readAt;
};

/// Returns the results of a match, in the order in which the pattern returns them.
std::vector<ir::ValueId> resultsOf(const Pattern &pattern, const Match &match);

/// Returns the operands of a match that the pattern's inputs stand for.
std::vector<ir::Operand> inputsOf(const Pattern &pattern, const Match &match);

} // namespace cutaway::passes
