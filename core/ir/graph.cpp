// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/graph.h"

#include "core/ir/context.h"

#include <algorithm>
#include <cassert>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cutaway::ir {

namespace {

std::vector<ValueId> valuesOf(const std::vector<Argument> &arguments)
{
    std::vector<ValueId> values;
    for (const Argument &argument : arguments)
        forEachValue(argument.value, [&](ValueId value) { values.push_back(value); });
    return values;
}

/// Whether `operand` contains every value that `other` contains.
bool readsAll(const Operand &operand, const Operand &other)
{
    std::unordered_set<ValueId> read;
    forEachValue(operand, [&](ValueId value) { read.insert(value); });
    bool all = true;
    forEachValue(other, [&](ValueId value) { all = all && read.contains(value); });
    return all;
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

void Graph::setOperator(NodeId node, OpId op) { m_nodes.edit(node.index).op = op; }

void Graph::setArguments(NodeId node, std::vector<Argument> arguments)
{
    Node &n = m_nodes.edit(node.index);
    // Updating the use lists of unchanged operands would copy shared values.
    if (valuesOf(n.arguments) != valuesOf(arguments)) {
        for (const Argument &old : n.arguments)
            dropUses(old.value, node);
        for (const Argument &argument : arguments)
            addUses(argument.value, node);
    }
    n.arguments = std::move(arguments);
}

void Graph::setType(ValueId value, TypeId type)
{
    if (at(value).type != type)
        m_values.edit(value.index).type = type;
}

void Graph::setName(ValueId value, NameId name) { m_values.edit(value.index).name = name; }

void Graph::setScope(NodeId node, ScopeId scope) { m_nodes.edit(node.index).scope = scope; }

void Graph::setName(NodeId node, NameId name) { m_nodes.edit(node.index).name = name; }

void Graph::setLocation(NodeId node, LocationId location) { m_nodes.edit(node.index).location = location; }

void Graph::replaceUses(ValueId from, const Operand &to)
{
    if (to == Operand(from))
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
    forEachValue(to, [&](ValueId value) {
        auto &target = m_values.edit(value.index).uses;
        target.insert(target.end(), uses.begin(), uses.end());
    });
}

/// Undoes everything that made the node part of the graph, except its entry in its region.
void Graph::unlink(NodeId node)
{
    const std::vector<RegionId> regions = at(node).regions;
    for (const RegionId region : regions) {
        setOutputs(region, {});
        // In reverse, so that users are removed before producers.
        const auto nodes = std::exchange(m_regions.edit(region.index).nodes, {});
        for (const NodeId inner : std::views::reverse(nodes))
            unlink(inner);
    }
    setArguments(node, {});
    m_nodes.edit(node.index).removed = true;
}

void Graph::remove(NodeId node)
{
    auto &siblings = m_regions.edit(at(node).parent.index).nodes;
    // The search starts at the end, because mostly recent nodes are removed.
    siblings.erase(std::ranges::find_last(siblings, node).begin());
    unlink(node);
    assert(std::ranges::all_of(at(node).outputs, [&](ValueId v) { return at(v).uses.empty(); }));
}

void Graph::remove(const std::vector<NodeId> &nodes)
{
    std::vector<RegionId> regions;
    for (const NodeId node : nodes) {
        unlink(node);
        if (regions.empty() || regions.back() != at(node).parent)
            regions.push_back(at(node).parent);
    }
    std::ranges::sort(regions);
    for (const RegionId region : std::ranges::subrange(regions.begin(), std::ranges::unique(regions).begin()))
        std::erase_if(m_regions.edit(region.index).nodes, [&](NodeId node) { return at(node).removed; });
    assert(std::ranges::all_of(nodes, [&](NodeId node) {
        return std::ranges::all_of(at(node).outputs, [&](ValueId v) { return at(v).uses.empty(); });
    }));
}

void Graph::reorder(RegionId region, std::vector<NodeId> order)
{
    std::vector<RegionOrder> orders;
    orders.push_back({region, std::move(order)});
    reorder(std::move(orders));
}

void Graph::reorder(std::vector<RegionOrder> orders)
{
    std::set<RegionId> left;
    [[maybe_unused]] std::size_t stayed = 0;
    for (const RegionOrder &order : orders)
        for (const NodeId node : order.nodes) {
            const RegionId parent = at(node).parent;
            if (parent == order.region) {
                ++stayed;
                continue;
            }
            left.insert(parent);
            m_nodes.edit(node.index).parent = order.region;
        }
    for (const RegionOrder &order : orders) {
        stayed -= static_cast<std::size_t>(
            std::ranges::count(at(order.region).nodes, order.region, [&](NodeId node) { return at(node).parent; }));
        left.erase(order.region);
    }
    assert(stayed == 0);
    for (const RegionId other : left)
        std::erase_if(m_regions.edit(other.index).nodes, [&](NodeId node) { return at(node).parent != other; });
    for (RegionOrder &order : orders)
        m_regions.edit(order.region.index).nodes = std::move(order.nodes);
}

void Graph::removeInput(RegionId region, std::uint32_t index)
{
    auto &inputs = m_regions.edit(region.index).inputs;
    assert(at(inputs[index]).uses.empty());
    m_values.edit(inputs[index].index).definition = NoDefinition{};
    inputs.erase(inputs.begin() + index);
    for (std::uint32_t i = index; i < inputs.size(); ++i)
        m_values.edit(inputs[i].index).definition = RegionInput{region, i};
}

void Graph::moveWeight(ValueId weight, RegionId region)
{
    std::get<Weight>(m_values.edit(weight.index).definition).region = region;
}

void Graph::setTensor(ValueId weight, TensorId tensor)
{
    std::get<Weight>(m_values.edit(weight.index).definition).tensor = tensor;
}

void Graph::removeWeight(ValueId weight)
{
    assert(std::holds_alternative<Weight>(at(weight).definition) && at(weight).uses.empty());
    m_values.edit(weight.index).definition = NoDefinition{};
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

/// Inserts each restored node after the node that it followed in the region of `earlier`.
void Graph::restoreOrder(const Graph &earlier, RegionId region, const std::vector<bool> &isRestored)
{
    std::unordered_map<NodeId, std::vector<NodeId>> behind;
    std::vector<NodeId> order;
    std::optional<NodeId> last;
    for (const NodeId node : earlier.at(region).nodes) {
        if (isRestored[node.index])
            (last ? behind[*last] : order).push_back(node);
        else if (at(node).parent == region && !at(node).removed)
            last = node;
    }
    if (order.empty() && behind.empty())
        return;
    for (const NodeId node : at(region).nodes) {
        order.push_back(node);
        if (const auto found = behind.find(node); found != behind.end())
            order.insert(order.end(), found->second.begin(), found->second.end());
    }
    m_regions.edit(region.index).nodes = std::move(order);
}

static void restoreOutputs(Graph &graph, const Graph &earlier, RegionId region)
{
    std::vector<Operand> outputs = graph.at(region).outputs;
    const std::vector<Operand> &before = earlier.at(region).outputs;
    if (outputs == before)
        return;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (i >= outputs.size())
            outputs.push_back(before[i]);
        else if (!readsAll(outputs[i], before[i]))
            outputs[i] = Operand{List{{std::move(outputs[i]), before[i]}}};
    graph.setOutputs(region, std::move(outputs));
}

static void restoreReads(Graph &graph, const Graph &earlier, NodeId node)
{
    if (graph.at(node).arguments == earlier.at(node).arguments)
        return;
    std::vector<Argument> arguments = graph.at(node).arguments;
    std::unordered_set<ValueId> read;
    for (const Argument &argument : arguments)
        forEachValue(argument.value, [&](ValueId value) { read.insert(value); });
    for (const Argument &argument : earlier.at(node).arguments)
        forEachValue(argument.value, [&](ValueId value) {
            if (!std::holds_alternative<Weight>(graph.at(value).definition) && read.insert(value).second)
                arguments.push_back({argument.name, Operand{value}});
        });
    graph.setArguments(node, std::move(arguments));
}

void Graph::restoreDefinition(const Graph &earlier, ValueId value)
{
    Definition definition = earlier.at(value).definition;
    if (auto *input = std::get_if<RegionInput>(&definition)) {
        auto &inputs = m_regions.edit(input->region.index).inputs;
        input->index = static_cast<std::uint32_t>(inputs.size());
        inputs.push_back(value);
    }
    m_values.edit(value.index).definition = definition;
}

void Graph::restore(const Graph &earlier)
{
    std::vector<bool> isRestored(earlier.nodeCount(), false);
    for (NodeId id{0}; id.index < earlier.nodeCount(); ++id.index) {
        const Node &before = earlier.at(id);
        if (before.removed || sharesNode(earlier, id))
            continue;
        if (!at(id).removed) {
            restoreReads(*this, earlier, id);
            continue;
        }
        isRestored[id.index] = true;
        Node &node = m_nodes.edit(id.index);
        node.removed = false;
        node.parent = before.parent;
        setArguments(id, before.arguments);
    }
    for (ValueId id{0}; id.index < earlier.valueCount(); ++id.index)
        if (std::holds_alternative<NoDefinition>(at(id).definition))
            restoreDefinition(earlier, id);
    for (RegionId id{0}; id.index < earlier.regionCount(); ++id.index) {
        restoreOrder(earlier, id, isRestored);
        restoreOutputs(*this, earlier, id);
    }
}

} // namespace cutaway::ir
