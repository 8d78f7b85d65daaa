// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/dead_code.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <unordered_set>

namespace cutaway::formats::torchscript {

namespace {

class Sweep {
public:
    Sweep(ir::Graph &graph, const ir::Operand &result, OperatorCalls &operators)
        : m_graph(graph),
          m_operators(operators)
    {
        forEachValue(result, [this](ir::ValueId value) { m_kept.insert(value); });
    }

    /// Users stand behind what they use, so one walk from the end finds all.
    void sweep(ir::RegionId region, ir::NodeId first)
    {
        const std::vector<ir::NodeId> nodes = m_graph.at(region).nodes;
        for (std::size_t i = nodes.size(); i-- > 0 && nodes[i] >= first;) {
            const ir::NodeRef node(m_graph, nodes[i]);
            dropUnreadResults(node);
            for (const ir::RegionId inner : node->regions)
                sweep(inner, first);
            if (isDead(node))
                m_graph.remove(node);
        }
    }

private:
    bool isRead(ir::ValueId value) const { return !m_graph.at(value).uses.empty() || m_kept.contains(value); }

    /// A branch need not compute results that are not read.
    void dropUnreadResults(const ir::NodeRef &node)
    {
        if (node.opName() != "If" || std::ranges::all_of(node->outputs, [this](ir::ValueId v) { return isRead(v); }))
            return;
        for (const ir::RegionId region : node->regions) {
            std::vector<ir::Operand> outputs = m_graph.at(region).outputs;
            for (std::size_t i = 0; i < outputs.size() && i < node.outputCount(); ++i)
                if (!isRead(node.output(i)))
                    outputs[i] = ir::None{};
            m_graph.setOutputs(region, std::move(outputs));
        }
    }

    bool isDead(const ir::NodeRef &node) const
    {
        return std::ranges::none_of(node->outputs, [this](ir::ValueId v) { return isRead(v); }) && !hasEffect(node);
    }

    bool hasEffect(const ir::NodeRef &node) const
    {
        const std::string_view name = node.opName();
        if (!node->regions.empty() && name != "fork" && name != "awaitable")
            return std::ranges::any_of(node->regions, [this](ir::RegionId region) {
                return std::ranges::any_of(ir::nodesOf(m_graph, region),
                                           [this](const ir::NodeRef &inner) { return hasEffect(inner); });
            });
        return m_operators.hasEffect(node.dialect(), name);
    }

    ir::Graph &m_graph;
    OperatorCalls &m_operators;
    std::unordered_set<ir::ValueId> m_kept;
};

} // namespace

void removeDeadCode(ir::Graph &graph, ir::RegionId region, ir::NodeId first, const ir::Operand &result,
                    OperatorCalls &operators)
{
    Sweep(graph, result, operators).sweep(region, first);
}

} // namespace cutaway::formats::torchscript
