// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// This is torch's elimination of dead code (dead_code_elimination.cpp): nodes are marked as alive, from the results
// of a region backwards, and the others are removed. A node is alive if it has an effect, makes a value that a node
// alive reads, or writes to a value that shares memory with such a value. This is repeated until no more nodes are
// marked, because the body of a loop may read what it made in the previous iteration.
#include "core/formats/torchscript/optimizing/dead_code.h"

#include "core/formats/torchscript/optimizing/alias_sets.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::torchscript {

namespace {

constexpr int maxWalks = 50; ///< each node may need another pass, but only in code that no person would write

class DeadCode {
public:
    DeadCode(ir::Graph &graph, ir::NodeId first, OperatorCalls &operators, UnreadWrites unreadWrites)
        : m_graph(graph),
          m_first(first),
          m_operators(operators),
          m_unreadWrites(unreadWrites)
    {
    }

    void remove(ir::RegionId region, const ir::Operand &result)
    {
        forEachValue(result, [this](ir::ValueId value) { m_results.insert(value); });
        if (isAllRead(region))
            return;
        if (m_unreadWrites == UnreadWrites::Go)
            m_aliases.emplace(m_graph, region, m_first, m_operators);
        forEachValue(result, [this](ir::ValueId value) { setAlive(value); });
        for (int walks = 0; mark(region) && m_mayChangeLater; ++walks)
            if (walks == maxWalks)
                return; // then nothing is removed
        sweep(region);
        m_graph.remove(m_dead);
    }

private:
    /// Returns the nodes of a region from m_first on. They are the last ones, because ids only grow.
    std::span<const ir::NodeId> ours(ir::RegionId region) const
    {
        const std::vector<ir::NodeId> &nodes = m_graph.at(region).nodes;
        std::size_t begin = nodes.size();
        while (begin > 0 && nodes[begin - 1] >= m_first)
            --begin;
        return std::span(nodes).subspan(begin);
    }

    /// Whether a result of each node in ours() is read, and no node has regions. Then none is dead, because the last
    /// one of several dead nodes is not read. Most inlined calls pass this quick check.
    bool isAllRead(ir::RegionId region) const
    {
        return std::ranges::all_of(ours(region), [this](ir::NodeId id) {
            const ir::NodeRef node(m_graph, id);
            return node->regions.empty()
                && std::ranges::any_of(node->outputs, [this](ir::ValueId value) { return isRead(value); });
        });
    }

    bool isRead(ir::ValueId value) const { return !m_graph.at(value).uses.empty() || m_results.contains(value); }

    void setAlive(ir::ValueId value)
    {
        if (m_alive.insert(value).second && m_aliases)
            m_aliases->setRead(value);
    }

    bool setAlive(const ir::NodeRef &node)
    {
        if (!m_marked.insert(node).second)
            return false;
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [this](ir::ValueId value) { setAlive(value); });
        return true;
    }

    /// Marks nodes that are alive; returns whether any was marked. A node is alive if anything in its regions is.
    bool mark(ir::RegionId region)
    {
        bool isChanged = false;
        for (const ir::NodeId id : ours(region))
            if (hasEffect(ir::NodeRef(m_graph, id)))
                isChanged |= setAlive(ir::NodeRef(m_graph, id));
        for (const ir::NodeId id : ours(region) | std::views::reverse)
            isChanged |= markNode(ir::NodeRef(m_graph, id));
        return isChanged;
    }

    bool markNode(const ir::NodeRef &node)
    {
        bool isChanged = false;
        for (const ir::RegionId inner : node->regions) {
            markOutputs(node, inner);
            isChanged |= mark(inner);
        }
        const bool isAlive = isChanged
            || std::ranges::any_of(node->outputs, [this](ir::ValueId value) { return m_alive.contains(value); })
            || (m_aliases && m_aliases->writesToRead(node));
        // The body of a loop reads values of the previous iteration, so a written value may be read earlier in the
        // code.
        m_mayChangeLater = m_mayChangeLater || node.opName() == "Loop"
            || (m_aliases && !isAlive && m_operators.effectsOf(node).mayWrite);
        return (isAlive && setAlive(node)) || isChanged;
    }

    /// Marks the outputs of a node's region. An output of a branch or loop is alive if the node's result is; a
    /// carried value also if the body reads it. All other outputs of regions are alive.
    void markOutputs(const ir::NodeRef &node, ir::RegionId inner)
    {
        const ir::Region &region = m_graph.at(inner);
        const bool isLoop = node.opName() == "Loop", isBranch = node.opName() == "If";
        for (std::size_t i = 0; i < region.outputs.size(); ++i) {
            const std::size_t result = i - (isLoop ? 1 : 0);
            const bool isCarried = isLoop && i > 0;
            const bool isKnown = (isBranch || isCarried) && result < node.outputCount();
            const bool isReadInside = isCarried && i < region.inputs.size() && isRead(region.inputs[i]);
            if (!isKnown || isReadInside || m_alive.contains(node.output(result)))
                forEachValue(region.outputs[i], [this](ir::ValueId value) { setAlive(value); });
        }
    }

    bool hasEffect(const ir::NodeRef &node)
    {
        if (node->regions.empty() || node.opName() == "fork" || node.opName() == "awaitable")
            return m_operators.effectsOf(node).acts
                || (m_aliases ? m_aliases->writesToUnknown(node) : m_operators.effectsOf(node).mayWrite);
        if (const auto known = m_effects.find(node); known != m_effects.end())
            return known->second;
        const bool has = std::ranges::any_of(node->regions, [this](ir::RegionId region) {
            return std::ranges::any_of(ir::nodesOf(m_graph, region),
                                       [this](const ir::NodeRef &inner) { return hasEffect(inner); });
        });
        m_effects.emplace(node, has);
        return has;
    }

    void sweep(ir::RegionId region)
    {
        const auto nodes = ours(region) | std::views::reverse | std::ranges::to<std::vector>();
        for (const ir::NodeId id : nodes) {
            const ir::NodeRef node(m_graph, id);
            if (!m_marked.contains(node)) {
                m_dead.push_back(node);
                continue;
            }
            for (const ir::RegionId inner : node->regions) {
                dropUnreadOutputs(node, inner);
                sweep(inner);
            }
        }
    }

    /// Removes results of branches and carried values of loops that are not read.
    void dropUnreadOutputs(const ir::NodeRef &node, ir::RegionId inner)
    {
        const bool isLoop = node.opName() == "Loop";
        if (!isLoop && node.opName() != "If")
            return;
        const std::size_t first = isLoop ? 1 : 0;
        const ir::Region &region = m_graph.at(inner);
        std::vector<ir::Operand> outputs = region.outputs;
        bool isChanged = false;
        for (std::size_t i = first; i < outputs.size() && i - first < node.outputCount(); ++i) {
            const bool isReadInside = isLoop && i < region.inputs.size() && isRead(region.inputs[i]);
            if (isRead(node.output(i - first)) || isReadInside || outputs[i].as<ir::None>())
                continue;
            outputs[i] = ir::None{};
            isChanged = true;
        }
        if (isChanged)
            m_graph.setOutputs(inner, std::move(outputs));
    }

    ir::Graph &m_graph;
    ir::NodeId m_first;
    OperatorCalls &m_operators;
    UnreadWrites m_unreadWrites;
    std::optional<AliasSets> m_aliases;
    std::unordered_set<ir::ValueId> m_results;
    std::unordered_set<ir::ValueId> m_alive;
    std::unordered_set<ir::NodeId> m_marked;
    std::unordered_map<ir::NodeId, bool> m_effects; ///< by node with regions: whether it has an effect
    std::vector<ir::NodeId> m_dead;
    bool m_mayChangeLater = false; ///< whether another pass may find more nodes that are alive
};

} // namespace

void removeDeadCode(ir::Graph &graph, ir::RegionId region, ir::NodeId first, const ir::Operand &result,
                    OperatorCalls &operators, UnreadWrites unreadWrites)
{
    DeadCode(graph, first, operators, unreadWrites).remove(region, result);
}

} // namespace cutaway::formats::torchscript
