// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Each hidden node has sources: the values of shown nodes, and the inputs of the function, that reach it through hidden
// nodes alone. Without a reduction, sums of sums would have all values that were ever added to them as sources. So
// where values are joined, a source from which another one is computed is dropped, since lines show that path anyway. A
// source that was joined only once is kept: it is the line around a block whose sum alone is hidden.

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/layout/scene.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <unordered_set>

namespace cutaway::layout {

namespace {

/// A shown value, and the number of hidden nodes on its way that join it with others.
struct Source {
    ir::ValueId value;
    std::uint32_t joins = 0;
};

/// Returns the nodes of all regions, where those inside a node come before it. Iterative, since files nest deeply.
std::vector<ir::NodeId> inOrder(const ir::Graph &graph)
{
    std::vector<ir::NodeId> order;
    std::vector<std::pair<ir::NodeId, bool>> pending;
    const auto add = [&](ir::RegionId region) {
        for (const ir::NodeId node : graph.at(region).nodes | std::views::reverse)
            pending.emplace_back(node, false);
    };
    add(ir::Graph::body);
    while (!pending.empty()) {
        const auto [node, isEntered] = pending.back();
        pending.pop_back();
        if (isEntered || graph.at(node).regions.empty()) {
            order.push_back(node);
            continue;
        }
        pending.emplace_back(node, true);
        for (const ir::RegionId region : graph.at(node).regions)
            add(region);
    }
    return order;
}

class Hider {
public:
    Hider(const ir::Function &function, const Outline &outline, const Hidden &hidden)
        : m_graph(function.graph),
          m_outline(outline),
          m_hidden(hidden),
          m_order(inOrder(m_graph)),
          m_place(m_graph.nodeCount(), 0),
          m_isHidden(m_graph.nodeCount(), false),
          m_isBound(m_graph.valueCount(), false),
          m_sources(m_graph.nodeCount())
    {
        using Kind = ir::FunctionInput::Kind;
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>();
                value && input.kind != Kind::User && input.kind != Kind::CustomObject)
                m_isBound[value->index] = true;
        for (std::uint32_t i = 0; i < m_order.size(); ++i)
            m_place[m_order[i].index] = i + 1;
    }

    Remainder hide()
    {
        Remainder remainder;
        remainder.hasPart = keptParts();
        for (const ir::NodeId node : m_order)
            if (m_isHidden[node.index])
                m_sources[node.index] = sourcesOf(node);
        remainder.reads.resize(m_graph.valueCount());
        for (ir::ValueId value{0}; value.index < m_graph.valueCount(); ++value.index)
            addReads(value, remainder.reads);
        remainder.note = note();
        return remainder;
    }

private:
    /// Returns which parts are kept, and records which nodes are hidden.
    std::vector<bool> keptParts()
    {
        const std::vector<Part> &parts = m_outline.parts;
        std::vector<bool> keeps(parts.size(), false);
        for (std::size_t i = parts.size(); i-- > 0;) { // in reverse, so that inner parts are decided first
            const Part &part = parts[i];
            const auto *node = std::get_if<ir::NodeId>(&part.subject);
            if (node && (m_hidden.but == *node || !m_hidden.kinds.contains(ops::categoryOf({m_graph, *node}))))
                keeps[i] = true;
            if (node)
                m_isHidden[node->index] = !keeps[i];
            if (keeps[i])
                keeps[part.parent] = true;
        }
        keeps[0] = true;
        for (std::size_t i = 1; i < parts.size(); ++i)
            if (std::holds_alternative<ir::RegionId>(parts[i].subject)) // a region is kept if its node is
                keeps[i] = keeps[parts[i].parent];
        return keeps;
    }

    /// Returns the values that a node and the results of its regions read: the node is hidden together with its
    /// regions.
    std::vector<ir::ValueId> operandsOf(ir::NodeId node) const
    {
        std::vector<ir::ValueId> values;
        const auto add = [&](ir::ValueId value) { values.push_back(value); };
        for (const ir::Argument &argument : m_graph.at(node).arguments)
            forEachValue(argument.value, add);
        for (const ir::RegionId region : m_graph.at(node).regions)
            for (const ir::Operand &output : m_graph.at(region).outputs)
                forEachValue(output, add);
        std::ranges::sort(values);
        values.erase(std::ranges::unique(values).begin(), values.end());
        return values;
    }

    const ir::NodeId *makerOf(ir::ValueId value) const
    {
        const auto *made = std::get_if<ir::NodeResult>(&m_graph.at(value).definition);
        return made && !m_graph.at(made->node).removed ? &made->node : nullptr;
    }

    bool isHiddenRegion(ir::RegionId region) const
    {
        const std::optional<ir::NodeId> &owner = m_graph.at(region).owner;
        return owner && m_isHidden[owner->index];
    }

    std::vector<Source> sourcesOf(ir::ValueId value) const
    {
        if (const ir::NodeId *maker = makerOf(value))
            return m_isHidden[maker->index] ? m_sources[maker->index] : std::vector<Source>{{value}};
        const auto *input = std::get_if<ir::RegionInput>(&m_graph.at(value).definition);
        if (!input || m_isBound[value.index] || isHiddenRegion(input->region))
            return {};
        return {{value}};
    }

    std::vector<Source> sourcesOf(ir::NodeId node) const
    {
        std::vector<Source> all;
        std::size_t joined = 0;
        for (const ir::ValueId operand : operandsOf(node)) {
            const std::vector<Source> sources = sourcesOf(operand);
            all.insert(all.end(), sources.begin(), sources.end());
            joined += sources.empty() ? 0 : 1;
        }
        std::ranges::sort(all, {}, [](const Source &source) { return std::pair(source.value, source.joins); });
        const auto same = std::ranges::unique(all, {}, &Source::value);
        all.erase(same.begin(), same.end());
        if (joined < 2)
            return all;
        for (Source &source : all)
            ++source.joins;
        dropImplied(all);
        return all;
    }

    /// Drops sources that were joined more than once and from which other sources are computed.
    void dropImplied(std::vector<Source> &sources) const
    {
        const auto isFar = [](const Source &source) { return source.joins > 1; };
        if (std::ranges::none_of(sources, isFar))
            return;
        // The search goes back to the first of the nodes that make far sources.
        std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
        for (const Source &source : sources | std::views::filter(isFar)) {
            const ir::NodeId *maker = makerOf(source.value);
            first = std::min(first, maker ? m_place[maker->index] : 0);
        }
        std::unordered_set<std::uint32_t> nodes, values; // nodes and values from which other sources are computed
        std::vector<ir::ValueId> pending;
        const auto addOperands = [&](ir::NodeId node) {
            const std::vector<ir::ValueId> operands = operandsOf(node);
            pending.insert(pending.end(), operands.begin(), operands.end());
        };
        for (const Source &source : sources)
            if (const ir::NodeId *maker = makerOf(source.value))
                addOperands(*maker);
        while (!pending.empty()) {
            const ir::ValueId value = pending.back();
            pending.pop_back();
            const ir::NodeId *maker = makerOf(value);
            if (maker && m_place[maker->index] >= first && nodes.insert(maker->index).second)
                addOperands(*maker);
            const auto *input = std::get_if<ir::RegionInput>(&m_graph.at(value).definition);
            if (input && values.insert(value.index).second)
                if (const std::optional<ir::NodeId> &owner = m_graph.at(input->region).owner)
                    addOperands(*owner);
        }
        std::erase_if(sources, [&](const Source &source) {
            const ir::NodeId *maker = makerOf(source.value);
            return isFar(source) && (maker ? nodes.contains(maker->index) : values.contains(source.value.index));
        });
    }

    void addReads(ir::ValueId value, std::vector<std::vector<Read>> &reads) const
    {
        const auto isSeen = [&](const ir::Use &use) {
            const auto *node = std::get_if<ir::NodeId>(&use);
            return node ? !m_isHidden[node->index] : !isHiddenRegion(std::get<ir::RegionId>(use));
        };
        if (std::ranges::none_of(m_graph.at(value).uses, isSeen))
            return;
        for (const Source &source : sourcesOf(value))
            for (const ir::Use &use : m_graph.at(value).uses)
                if (isSeen(use))
                    reads[source.value.index].push_back({use, value});
    }

    /// Returns the message "hidden: normalization, elementwise (69 nodes)".
    std::string note() const
    {
        std::string kinds;
        for (const ops::Category kind : m_hidden.kinds)
            kinds += (kinds.empty() ? "" : ", ") + std::string(ops::name(kind));
        const auto count = std::ranges::count(m_isHidden, true);
        return "hidden: " + kinds + " (" + quantity(count, "node") + ")";
    }

    const ir::Graph &m_graph;
    const Outline &m_outline;
    const Hidden &m_hidden;
    std::vector<ir::NodeId> m_order;
    std::vector<std::uint32_t> m_place; ///< by NodeId: the position in execution order, from 1
    std::vector<bool> m_isHidden;       ///< by NodeId
    std::vector<bool> m_isBound;        ///< by ValueId: whether it is a parameter, a buffer or the like, without a box
    std::vector<std::vector<Source>> m_sources; ///< by NodeId, for hidden nodes
};

} // namespace

Remainder remainderOf(const ir::Function &function, const Outline &outline, const Hidden &hidden)
{
    return Hider(function, outline, hidden).hide();
}

} // namespace cutaway::layout
