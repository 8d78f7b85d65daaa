// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/patterns/pattern_match.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::passes {

/// Finds where the nodes can stand that take the place of matches: after all that they read, before all that reads
/// them. Of the graph as it was when the pass began.
class MatchPlaces {
public:
    explicit MatchPlaces(analysis::Reading &reading);

    /// The nodes in execution order, as analysis::Reading::nodes() has them.
    const std::vector<ir::NodeRef> &nodes() const { return m_nodes; }
    /// Whether no match has taken the node.
    bool isFree(ir::NodeId node) const { return !m_taken.contains(node); }
    /// Whether no other node of the match runs after this one.
    bool isLast(const Match &match, ir::NodeId node) const;
    /// The node before which what replaces the match can stand; nothing if there is no such place.
    std::optional<ir::NodeId> of(const Pattern &pattern, const Match &match) const;
    /// The match is replaced there: its nodes are taken, and other places have to be before or after.
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
    std::unordered_map<ir::ValueId, std::size_t> m_madeAt; ///< results of matches: where they will be made
    std::unordered_map<ir::ValueId, std::size_t> m_readAt; ///< what matches read: where first
};

/// The results of a match, in the order in which the pattern returns them.
std::vector<ir::ValueId> resultsOf(const Pattern &pattern, const Match &match);

/// What a match reads: the operands that the pattern's inputs are.
std::vector<ir::Operand> inputsOf(const Pattern &pattern, const Match &match);

} // namespace cutaway::passes
