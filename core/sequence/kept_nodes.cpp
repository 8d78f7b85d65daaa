// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/kept_nodes.h"

#include "core/ir/names.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>
#include <variant>

namespace cutaway::sequence {

namespace {

/// The limit of readers of one value that are checked: a weight may have thousands.
constexpr std::size_t mostReaders = 32;

/// Returns the nodes of all regions.
auto nodesEverywhere(const ir::Graph &graph)
{
    return std::views::iota(std::uint32_t{0}, std::uint32_t{graph.nodeCount()})
        | std::views::transform([&graph](std::uint32_t index) { return ir::NodeRef(graph, ir::NodeId{index}); })
        | std::views::filter([](const ir::NodeRef &node) { return !node->removed; });
}

std::unordered_map<std::string, ir::NodeId> nodesByName(const ir::Graph &graph)
{
    std::unordered_map<std::string, ir::NodeId> nodes;
    for (const ir::NodeRef node : nodesEverywhere(graph))
        nodes.emplace(ir::nameOf(node), node);
    return nodes;
}

/// Returns the name of a node in the file: its own, or that of its first result; "" if neither has one.
std::string_view nameInFile(const ir::NodeRef &node)
{
    return node.name().empty() && node.outputCount() > 0 ? node.output(0).name() : node.name();
}

std::vector<ir::ValueId> readBy(const ir::Node &node)
{
    std::vector<ir::ValueId> values;
    for (const ir::Argument &argument : node.arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) { values.push_back(value); });
    return values;
}

std::vector<ir::ValueId> resultsOf(const ir::Graph &graph)
{
    std::vector<ir::ValueId> values;
    for (const ir::Operand &output : graph.at(ir::Graph::body).outputs)
        ir::forEachValue(output, [&](ir::ValueId value) { values.push_back(value); });
    return values;
}

} // namespace

KeptNodes::KeptNodes(const ir::Model &before, const ir::Model &after)
    : m_modelBefore(before),
      m_modelAfter(after),
      m_before(before.functions.front().graph),
      m_after(after.functions.front().graph),
      m_namedBefore(nodesByName(m_before)),
      m_namedAfter(nodesByName(m_after))
{
    for (ir::ValueId id{0}; id.index < m_before.valueCount(); ++id.index)
        if (const auto &made = m_before.at(id).definition;
            std::holds_alternative<ir::RegionInput>(made) || std::holds_alternative<ir::Weight>(made))
            m_given.emplace(m_before.at(id).name, id);
}

bool KeptNodes::isOpen() const { return m_kept.size() < std::min(m_namedBefore.size(), m_namedAfter.size()); }

bool KeptNodes::areMost() const { return 2 * m_kept.size() > std::min(m_namedBefore.size(), m_namedAfter.size()); }

void KeptNodes::take(ir::NodeId before, ir::NodeId after)
{
    if (m_earlier.contains(after) || !m_takenBefore.insert(before).second)
        return;
    m_earlier.emplace(after, before);
    m_kept.push_back({before, after});
}

void KeptNodes::takeSameNames()
{
    std::unordered_map<std::string_view, ir::NodeId> before;
    for (const ir::NodeRef node : nodesEverywhere(m_before))
        before.emplace(nameInFile(node), node);
    before.erase("");
    for (const ir::NodeRef node : nodesEverywhere(m_after))
        if (const auto found = before.find(nameInFile(node));
            found != before.end() && m_before.at(found->second).op == node->op)
            take(found->second, node);
}

void KeptNodes::takeSamePlaces()
{
    takeProducers(resultsOf(m_before), resultsOf(m_after));
    std::size_t readers = 0;
    for (; readers < m_kept.size() && isOpen(); ++readers) // takeReadBy() appends to m_kept what it finds
        takeReadBy(m_kept[readers]);
    for (ir::NodeId id{0}; id.index < m_after.nodeCount() && isOpen(); ++id.index)
        takeByOperands(id);
    for (; readers < m_kept.size() && isOpen(); ++readers)
        takeReadBy(m_kept[readers]);
}

void KeptNodes::takeReadBy(diff::KeptNode reader)
{
    takeProducers(readBy(m_before.at(reader.before)), readBy(m_after.at(reader.after)));
}

/// Takes the nodes that make the values at the same positions of two lists.
void KeptNodes::takeProducers(const std::vector<ir::ValueId> &before, const std::vector<ir::ValueId> &after)
{
    if (before.size() != after.size())
        return;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto *was = std::get_if<ir::NodeResult>(&m_before.at(before[i]).definition);
        const auto *is = std::get_if<ir::NodeResult>(&m_after.at(after[i]).definition);
        if (was && is && was->index == is->index && haveSameTypes(was->node, is->node))
            take(was->node, is->node);
    }
}

void KeptNodes::takeByOperands(ir::NodeId after)
{
    const ir::Node &node = m_after.at(after);
    if (node.removed || m_earlier.contains(after))
        return;
    std::vector<std::optional<ir::ValueId>> operands;
    std::ranges::transform(readBy(node), std::back_inserter(operands), [this](ir::ValueId id) { return earlier(id); });
    if (operands.empty() || !operands.front())
        return;
    for (const ir::Use &use : std::views::take(m_before.at(*operands.front()).uses, mostReaders)) {
        const auto *reader = std::get_if<ir::NodeId>(&use);
        if (reader && !m_takenBefore.contains(*reader) && m_before.at(*reader).op == node.op
            && haveSameTypes(*reader, after) && std::ranges::equal(readBy(m_before.at(*reader)), operands))
            return take(*reader, after);
    }
}

bool KeptNodes::haveSameTypes(ir::NodeId before, ir::NodeId after) const
{
    return std::ranges::equal(
        m_before.at(before).outputs, m_after.at(after).outputs, {},
        [this](ir::ValueId id) { return m_before.at(id).type; },
        [this](ir::ValueId id) { return m_after.at(id).type; });
}

/// Returns the value of the earlier graph that corresponds to `after`, a value of the later graph; nothing if none
/// does.
std::optional<ir::ValueId> KeptNodes::earlier(ir::ValueId after) const
{
    const ir::Value &value = m_after.at(after);
    if (const auto *made = std::get_if<ir::NodeResult>(&value.definition)) {
        const auto found = m_earlier.find(made->node);
        if (found == m_earlier.end() || made->index >= m_before.at(found->second).outputs.size())
            return std::nullopt;
        return m_before.at(found->second).outputs[made->index];
    }
    const auto found = m_given.find(value.name);
    return found == m_given.end() ? std::nullopt : std::optional(found->second);
}

void KeptNodes::take(const Mapping &mapping)
{
    for (const bool mayDiffer : {false, true})
        for (const NodeOrigin &pair : mapping.pairs) {
            const auto before = pair.from.size() == 1 ? m_namedBefore.find(pair.from.front()) : m_namedBefore.end();
            const auto after = m_namedAfter.find(pair.node);
            if (before == m_namedBefore.end() || after == m_namedAfter.end())
                continue;
            if (mayDiffer || m_before.at(before->second).op == m_after.at(after->second).op)
                take(before->second, after->second);
        }
    for (const NodeOrigin &pair : mapping.pairs)
        takeOrigins(pair);
}

void KeptNodes::takeOrigins(const NodeOrigin &pair)
{
    const auto after = m_namedAfter.find(pair.node);
    if (after == m_namedAfter.end() || m_earlier.contains(after->second))
        return;
    diff::MadeNode made{after->second, {}};
    for (const std::string &name : pair.from)
        if (const auto before = m_namedBefore.find(name); before != m_namedBefore.end())
            made.before.push_back(before->second);
    m_made.push_back(std::move(made));
}

} // namespace cutaway::sequence
