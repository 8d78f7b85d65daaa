// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cutaway::run {

struct Timing;

/// The measured times of the nodes of a graph. As ids are never reused, the profile may be of an earlier or later
/// state. Nodes that the backend has fused count once, for the first of them that the graph contains: their lead.
class NodeTimes {
public:
    NodeTimes() = default;
    NodeTimes(std::shared_ptr<const Timing> timing, const ir::Graph &graph);

    /// Returns the measurement; nullptr if nothing was measured.
    const std::shared_ptr<const Timing> &timing() const { return m_timing; }
    /// Returns the median seconds of a node, together with the nodes fused with it; 0 if another of these nodes is
    /// their lead; nothing if it was not timed.
    std::optional<double> of(ir::NodeId node) const;
    /// Returns the indices in Timing::nodes of all entries with this node.
    std::span<const std::size_t> partsOf(ir::NodeId node) const;
    /// Returns the node that leads a part; nothing if the graph contains none of the part's nodes.
    std::optional<ir::NodeId> leadOf(std::size_t part) const { return m_leads[part]; }
    /// Returns all nodes in the entries that `lead` leads, including itself, each once.
    std::vector<ir::NodeId> togetherWith(ir::NodeId lead) const;

private:
    bool isThere(ir::NodeId node) const { return node.index < m_parts.size() && m_isThere[node.index]; }

    std::shared_ptr<const Timing> m_timing;
    std::vector<std::vector<std::size_t>> m_parts; ///< by NodeId: the result of partsOf()
    std::vector<bool> m_isThere;                   ///< by NodeId: whether the graph has the node
    std::vector<std::optional<ir::NodeId>> m_leads;
};

} // namespace cutaway::run
