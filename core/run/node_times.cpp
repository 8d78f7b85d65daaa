// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/node_times.h"

#include "core/run/timing.h"

#include <algorithm>

namespace cutaway::run {

NodeTimes::NodeTimes(std::shared_ptr<const Timing> timing, const ir::Graph &graph) : m_timing(std::move(timing))
{
    if (!m_timing)
        return;
    m_parts.resize(graph.nodeCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        m_isThere.push_back(!graph.at(ir::NodeId{i}).removed);
    for (std::size_t part = 0; part < m_timing->nodes.size(); ++part) {
        std::optional<ir::NodeId> lead;
        for (const ir::NodeId node : m_timing->nodes[part].nodes) {
            if (!isThere(node))
                continue;
            lead = lead.value_or(node);
            m_parts[node.index].push_back(part);
        }
        m_leads.push_back(lead);
    }
}

std::span<const std::size_t> NodeTimes::partsOf(ir::NodeId node) const
{
    return node.index < m_parts.size() ? std::span(m_parts[node.index]) : std::span<const std::size_t>();
}

std::optional<double> NodeTimes::of(ir::NodeId node) const
{
    const auto parts = partsOf(node);
    if (parts.empty())
        return std::nullopt;
    double seconds = 0;
    for (const std::size_t part : parts)
        if (m_leads[part] == node)
            seconds += m_timing->nodes[part].measured.time.median;
    return seconds;
}

std::vector<ir::NodeId> NodeTimes::togetherWith(ir::NodeId lead) const
{
    std::vector<ir::NodeId> all;
    for (const std::size_t part : partsOf(lead))
        if (m_leads[part] == lead)
            std::ranges::copy_if(m_timing->nodes[part].nodes, std::back_inserter(all),
                                 [&](ir::NodeId node) { return isThere(node) && !std::ranges::contains(all, node); });
    return all;
}

} // namespace cutaway::run
