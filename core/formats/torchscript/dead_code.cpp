// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/dead_code.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace cutaway::formats::torchscript {

namespace {

/// What acts besides giving results, as torch's Node::hasSideEffects has it; operators that write to an argument come
/// from their schemas.
bool acts(std::string_view name)
{
    static constexpr std::array names{
        "Print", "RaiseException", "SetAttr",          "Enter",        "Exit",      "CallMethod", "CallFunction",
        "warn",  "save",           "manual_seed",      "AddStatValue", "TimePoint", "fork",       "awaitable",
        "wait",  "awaitable_wait", "set_grad_enabled",
    };
    return std::ranges::contains(names, name);
}

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
            dropUnreadResults(nodes[i]);
            for (const ir::RegionId inner : m_graph.at(nodes[i]).regions)
                sweep(inner, first);
            if (isDead(nodes[i]))
                m_graph.remove(nodes[i]);
        }
    }

private:
    bool isRead(ir::ValueId value) const { return !m_graph.at(value).uses.empty() || m_kept.contains(value); }

    /// A branch need not compute what nobody reads behind it.
    void dropUnreadResults(ir::NodeId id)
    {
        const ir::Node &node = m_graph.at(id);
        if (m_graph.context().text(m_graph.context().at(node.op).name) != "If"
            || std::ranges::all_of(node.outputs, [this](ir::ValueId v) { return isRead(v); }))
            return;
        for (const ir::RegionId region : node.regions) {
            std::vector<ir::Operand> outputs = m_graph.at(region).outputs;
            for (std::size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i)
                if (!isRead(node.outputs[i]))
                    outputs[i] = ir::None{};
            m_graph.setOutputs(region, std::move(outputs));
        }
    }

    bool isDead(ir::NodeId id) const
    {
        const ir::Node &node = m_graph.at(id);
        return std::ranges::none_of(node.outputs, [this](ir::ValueId v) { return isRead(v); }) && !hasEffect(node);
    }

    bool hasEffect(const ir::Node &node) const
    {
        const ir::Operator &op = m_graph.context().at(node.op);
        const std::string_view name = m_graph.context().text(op.name);
        if (!node.regions.empty() && name != "fork" && name != "awaitable")
            return std::ranges::any_of(node.regions, [this](ir::RegionId region) {
                return std::ranges::any_of(m_graph.at(region).nodes,
                                           [this](ir::NodeId inner) { return hasEffect(m_graph.at(inner)); });
            });
        return acts(name) || m_operators.writes(m_graph.context().text(op.dialect), name);
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
