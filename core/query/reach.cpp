// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The two directions are searched separately, from value to value. A node with regions is no step itself: paths go
// through its operands, the outer values that its regions read, and the results of the regions. So a node in a loop is
// reached from the loop's inputs, and not from everything else in it.
#include "core/query/reach.h"

#include "core/base/overloaded.h"
#include "core/ir/node_ref.h"
#include "core/ops/operator.h"

namespace cutaway::query {

namespace {

class Reach {
public:
    explicit Reach(const ir::Graph &graph)
        : m_graph(graph),
          m_isReached(graph.nodeCount()),
          m_isSeen(graph.valueCount()),
          m_isEntered(graph.nodeCount())
    {
    }

    std::vector<bool> downstream(const Ends &from)
    {
        for (const ir::ValueId value : from.values)
            see(value);
        for (const ir::NodeId node : from.nodes)
            seeAll(m_graph.at(node).outputs);
        while (const auto value = next())
            follow(*value);
        return std::move(m_isReached);
    }

    std::vector<bool> upstream(const Ends &of)
    {
        for (const ir::ValueId value : of.values)
            see(value);
        for (const ir::NodeId node : of.nodes)
            readBy(node);
        while (const auto value = next())
            trace(*value);
        return std::move(m_isReached);
    }

private:
    void see(ir::ValueId value)
    {
        if (m_isSeen[value.index])
            return;
        m_isSeen[value.index] = true;
        m_open.push_back(value);
    }

    void seeAll(const auto &values)
    {
        for (const ir::ValueId value : values)
            see(value);
    }

    void seeAllIn(const ir::Operand &operand)
    {
        ir::forEachValue(operand, [this](ir::ValueId value) { see(value); });
    }

    std::optional<ir::ValueId> next()
    {
        if (m_open.empty())
            return {};
        const ir::ValueId value = m_open.back();
        m_open.pop_back();
        return value;
    }

    bool repeats(ir::NodeId owner) const
    {
        const ir::NodeRef node(m_graph, owner);
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        return !row || row->traits.repeatsRegions; // an operator without a row may repeat its regions
    }

    /// Whether the results of the node are those of its regions, index by index.
    bool returnsDirectly(ir::NodeId owner, const ir::Region &region) const
    {
        return region.outputs.size() == m_graph.at(owner).outputs.size() && !repeats(owner);
    }

    // ---- downwards

    void follow(ir::ValueId value)
    {
        for (const ir::Use &use : m_graph.at(value).uses)
            std::visit(Overloaded{[&](ir::NodeId node) {
                                      m_isReached[node.index] = true;
                                      seeAll(m_graph.at(node).outputs);
                                      enter(node);
                                  },
                                  [&](ir::RegionId region) { leave(region, value); }},
                       use);
    }

    void enter(ir::NodeId owner)
    {
        if (m_isEntered[owner.index])
            return;
        m_isEntered[owner.index] = true;
        for (const ir::RegionId region : m_graph.at(owner).regions)
            seeAll(m_graph.at(region).inputs);
    }

    void leave(ir::RegionId id, ir::ValueId value)
    {
        const ir::Region &region = m_graph.at(id);
        if (!region.owner)
            return;
        const ir::Node &owner = m_graph.at(*region.owner);
        m_isReached[region.owner->index] = true;
        const bool isDirect = returnsDirectly(*region.owner, region);
        for (std::size_t i = 0; i < owner.outputs.size(); ++i) {
            bool has = !isDirect;
            if (isDirect)
                ir::forEachValue(region.outputs[i], [&](ir::ValueId returned) { has = has || returned == value; });
            if (has)
                see(owner.outputs[i]);
        }
        if (repeats(*region.owner))
            enter(*region.owner);
    }

    // ---- upwards

    void trace(ir::ValueId value)
    {
        std::visit(Overloaded{[&](const ir::NodeResult &result) { makerOf(result); },
                              [&](const ir::RegionInput &input) { comesInto(input.region); }, [](const auto &) {}},
                   m_graph.at(value).definition);
    }

    void makerOf(const ir::NodeResult &result)
    {
        const ir::Node &node = m_graph.at(result.node);
        m_isReached[result.node.index] = true;
        readArguments(result.node);
        for (const ir::RegionId id : node.regions) {
            const ir::Region &region = m_graph.at(id);
            if (returnsDirectly(result.node, region))
                seeAllIn(region.outputs[result.index]);
            else
                for (const ir::Operand &output : region.outputs)
                    seeAllIn(output);
        }
    }

    void comesInto(ir::RegionId id)
    {
        const auto owner = m_graph.at(id).owner;
        if (!owner || m_isEntered[owner->index])
            return;
        m_isEntered[owner->index] = true;
        readArguments(*owner);
        if (repeats(*owner))
            returnedIn(*owner);
    }

    void readBy(ir::NodeId node)
    {
        readArguments(node);
        returnedIn(node);
    }

    void readArguments(ir::NodeId node)
    {
        for (const ir::Argument &argument : m_graph.at(node).arguments)
            seeAllIn(argument.value);
    }

    void returnedIn(ir::NodeId owner)
    {
        for (const ir::RegionId region : m_graph.at(owner).regions)
            for (const ir::Operand &output : m_graph.at(region).outputs)
                seeAllIn(output);
    }

    const ir::Graph &m_graph;
    std::vector<bool> m_isReached; ///< by NodeId: whether a path leads to the node
    std::vector<bool> m_isSeen;    ///< by ValueId: whether the value was visited
    std::vector<bool> m_isEntered; ///< by NodeId: whether the inputs of its regions were visited
    std::vector<ir::ValueId> m_open;
};

} // namespace

std::vector<bool> downstream(const ir::Graph &graph, const Ends &from) { return Reach(graph).downstream(from); }

std::vector<bool> upstream(const ir::Graph &graph, const Ends &of) { return Reach(graph).upstream(of); }

} // namespace cutaway::query
