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
}

namespace cutaway::views {

/// What a profile says of the nodes that a graph has: ids are for life, so it may be of an earlier or a later state.
/// What a backend runs as one counts once, for the first of its nodes that is there, its lead.
class NodeTimes {
public:
    NodeTimes() = default;
    NodeTimes(std::shared_ptr<const run::Timing> timing, const ir::Graph &graph);

    /// Null: nothing was measured.
    const std::shared_ptr<const run::Timing> &timing() const { return m_timing; }
    /// Seconds, the median, of all that the node leads: 0 if it runs as part of another. Nothing: it was not timed.
    std::optional<double> of(ir::NodeId node) const;
    /// What it is timed in: places in Timing::nodes.
    std::span<const std::size_t> partsOf(ir::NodeId node) const;
    /// Nothing for what none of the nodes is.
    std::optional<ir::NodeId> leadOf(std::size_t part) const { return m_leads[part]; }
    /// With it in what it leads, itself too, each once.
    std::vector<ir::NodeId> togetherWith(ir::NodeId lead) const;

private:
    bool isThere(ir::NodeId node) const { return node.index < m_parts.size() && m_isThere[node.index]; }

    std::shared_ptr<const run::Timing> m_timing;
    std::vector<std::vector<std::size_t>> m_parts; ///< by NodeId
    std::vector<bool> m_isThere;                   ///< by NodeId
    std::vector<std::optional<ir::NodeId>> m_leads;
};

} // namespace cutaway::views
