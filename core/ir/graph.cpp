// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/graph.h"

#include "core/ir/context.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cutaway::ir {

namespace {

void replaceValue(Operand &operand, ValueId from, ValueId to)
{
    if (auto *value = std::get_if<ValueId>(&operand.v)) {
        if (*value == from)
            *value = to;
    } else if (auto *list = std::get_if<List>(&operand.v)) {
        for (Operand &item : list->items)
            replaceValue(item, from, to);
    } else if (auto *dict = std::get_if<Dict>(&operand.v)) {
        for (Operand &item : dict->items)
            replaceValue(item, from, to);
    }
}

} // namespace

Graph::Graph(std::shared_ptr<Context> context) : m_context(std::move(context)) { m_regions.append(Region{}); }

ValueId Graph::addInput(RegionId region, NameId name, TypeId type)
{
    Region &r = m_regions.edit(region.index);
    const ValueId id{
        m_values.append({name, type, RegionInput{region, static_cast<std::uint32_t>(r.inputs.size())}, {}})};
    r.inputs.push_back(id);
    return id;
}

ValueId Graph::addWeight(RegionId region, NameId name, TypeId type, TensorId tensor)
{
    return {m_values.append({name, type, Weight{region, tensor}, {}})};
}

RegionId Graph::addRegion(NodeId owner, NameId name)
{
    const RegionId id{m_regions.append({name, owner, {}, {}, {}})};
    m_nodes.edit(owner.index).regions.push_back(id);
    return id;
}

NodeId Graph::addNode(RegionId region, NodeDraft draft)
{
    const NodeId id{m_nodes.size()};
    for (const Argument &argument : draft.arguments)
        addUses(argument.value, id);
    m_nodes.append({draft.op,
                    draft.name,
                    draft.scope,
                    draft.location,
                    region,
                    false,
                    std::move(draft.arguments),
                    {},
                    {},
                    std::move(draft.origins),
                    std::move(draft.metadata)});
    return id;
}

NodeId Graph::append(RegionId region, NodeDraft draft)
{
    const NodeId id = addNode(region, std::move(draft));
    m_regions.edit(region.index).nodes.push_back(id);
    return id;
}

NodeId Graph::insertBefore(NodeId next, NodeDraft draft)
{
    const RegionId region = at(next).parent;
    const NodeId id = addNode(region, std::move(draft));
    auto &nodes = m_regions.edit(region.index).nodes;
    const auto place = std::ranges::find(nodes, next);
    assert(place != nodes.end());
    nodes.insert(place, id);
    return id;
}

ValueId Graph::addOutput(NodeId node, NameId name, TypeId type)
{
    Node &n = m_nodes.edit(node.index);
    const ValueId id{m_values.append({name, type, NodeResult{node, static_cast<std::uint32_t>(n.outputs.size())}, {}})};
    n.outputs.push_back(id);
    return id;
}

void Graph::setOutputs(RegionId region, std::vector<Operand> outputs)
{
    Region &r = m_regions.edit(region.index);
    for (const Operand &old : r.outputs)
        dropUses(old, region);
    for (const Operand &output : outputs)
        addUses(output, region);
    r.outputs = std::move(outputs);
}

void Graph::setArguments(NodeId node, std::vector<Argument> arguments)
{
    Node &n = m_nodes.edit(node.index);
    for (const Argument &old : n.arguments)
        dropUses(old.value, node);
    for (const Argument &argument : arguments)
        addUses(argument.value, node);
    n.arguments = std::move(arguments);
}

void Graph::setType(ValueId value, TypeId type) { m_values.edit(value.index).type = type; }

void Graph::setName(ValueId value, NameId name) { m_values.edit(value.index).name = name; }

void Graph::setScope(NodeId node, ScopeId scope) { m_nodes.edit(node.index).scope = scope; }

void Graph::replaceUses(ValueId from, ValueId to)
{
    if (from == to)
        return;
    const auto uses = std::exchange(m_values.edit(from.index).uses, {});
    for (const Use &use : uses) {
        if (const auto *node = std::get_if<NodeId>(&use)) {
            for (Argument &argument : m_nodes.edit(node->index).arguments)
                replaceValue(argument.value, from, to);
        } else {
            for (Operand &output : m_regions.edit(std::get<RegionId>(use).index).outputs)
                replaceValue(output, from, to);
        }
    }
    auto &target = m_values.edit(to.index).uses;
    target.insert(target.end(), uses.begin(), uses.end());
}

void Graph::remove(NodeId node)
{
    auto &siblings = m_regions.edit(at(node).parent.index).nodes;
    siblings.erase(std::ranges::find_last(siblings, node).begin()); // passes and readers remove what they just made
    // From the last node of the last region backwards, so that users go before makers.
    const std::vector<RegionId> regions = at(node).regions;
    for (const RegionId region : regions) {
        setOutputs(region, {});
        while (!at(region).nodes.empty())
            remove(at(region).nodes.back());
    }
    setArguments(node, {});
    assert(std::ranges::all_of(at(node).outputs, [&](ValueId v) { return at(v).uses.empty(); }));
    m_nodes.edit(node.index).removed = true;
}

void Graph::reorder(RegionId region, std::vector<NodeId> order)
{
    assert(std::ranges::is_permutation(order, at(region).nodes));
    m_regions.edit(region.index).nodes = std::move(order);
}

void Graph::addUses(const Operand &operand, Use user)
{
    forEachValue(operand, [&](ValueId value) { m_values.edit(value.index).uses.push_back(user); });
}

void Graph::dropUses(const Operand &operand, Use user)
{
    forEachValue(operand, [&](ValueId value) {
        auto &uses = m_values.edit(value.index).uses;
        uses.erase(std::ranges::find(uses, user));
    });
}

} // namespace cutaway::ir
