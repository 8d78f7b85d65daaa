// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/node_moves.h"

#include <utility>

namespace cutaway::rewrite {

using ir::NodeId;
using ir::RegionId;

void NodeMoves::placeBefore(const ir::Graph &graph, NodeId node, NodeId next)
{
    m_placedBefore[next].push_back(node);
    m_placed.insert(node);
    m_disordered.insert(graph.at(next).parent);
}

void NodeMoves::dissolve(const ir::Graph &graph, RegionId region, std::span<const NodeId> nodes, NodeId next)
{
    for (const NodeId node : nodes)
        if (m_placed.insert(node).second)
            m_placedBefore[next].push_back(node);
    m_dissolved.emplace(region, next);
    m_disordered.insert(region);
    m_disordered.insert(graph.at(next).parent);
}

void NodeMoves::moveInto(const ir::Graph &graph, RegionId region, const std::vector<NodeId> &nodes)
{
    m_movedInto[region] = nodes;
    m_disordered.insert(region);
    for (const NodeId node : nodes) {
        m_moved.insert(node);
        m_disordered.insert(graph.at(node).parent);
    }
}

void NodeMoves::putBefore(NodeId node, std::vector<NodeId> &order) const
{
    const auto before = m_placedBefore.find(node);
    if (before == m_placedBefore.end())
        return;
    for (const NodeId earlier : before->second) {
        putBefore(earlier, order);
        order.push_back(earlier);
    }
}

/// Returns the nodes of a region, each preceded by the nodes placed before it.
std::vector<NodeId> NodeMoves::orderOf(const ir::Graph &graph, RegionId region) const
{
    std::vector<NodeId> order;
    for (const NodeId node : graph.at(region).nodes) {
        if (m_placed.contains(node))
            continue;
        putBefore(node, order);
        if (!m_moved.contains(node))
            order.push_back(node);
    }
    if (const auto moved = m_movedInto.find(region); moved != m_movedInto.end())
        order.insert(order.end(), moved->second.begin(), moved->second.end());
    return order;
}

void NodeMoves::apply(ir::Graph &graph)
{
    std::vector<ir::RegionOrder> orders;
    for (const RegionId region : m_disordered)
        orders.push_back({region, orderOf(graph, region)});
    graph.reorder(std::move(orders));
    for (ir::ValueId id{0}; !m_dissolved.empty() && id.index < graph.valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph.at(id).definition))
            if (const auto region = m_dissolved.find(weight->region); region != m_dissolved.end())
                graph.moveWeight(id, graph.at(region->second).parent);
    *this = {};
}

} // namespace cutaway::rewrite
