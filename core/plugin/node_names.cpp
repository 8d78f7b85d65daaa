// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/node_names.h"

#include "core/ir/context.h"

#include <algorithm>
#include <cctype>
#include <ranges>

namespace cutaway::plugin {

namespace {

constexpr std::size_t mostParts = 8;

bool isOperator(const ir::Graph &graph, ir::NodeId node, std::string_view op)
{
    const ir::Context &context = graph.context();
    return context.text(context.at(graph.at(node).op).name) == op;
}

/// The node that makes the first value that a node reads.
std::optional<ir::NodeId> before(const ir::Graph &graph, ir::NodeId node)
{
    for (const ir::Argument &argument : graph.at(node).arguments)
        if (const auto *value = argument.value.as<ir::ValueId>()) {
            const auto *result = std::get_if<ir::NodeResult>(&graph.at(*value).definition);
            return result ? std::optional(result->node) : std::nullopt;
        }
    return std::nullopt;
}

} // namespace

NodeNames::NodeNames(const ir::Function &function) : m_graph(function.graph)
{
    const ir::Context &context = m_graph.context();
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index) {
        const ir::Node &node = m_graph.at(id);
        if (node.removed)
            continue;
        if (const std::string_view name = context.text(node.name); !name.empty())
            m_nodes[name] = id;
        for (const ir::ValueId output : node.outputs)
            m_nodes.try_emplace(context.text(m_graph.at(output).name), id);
    }
    m_nodes.erase(std::string_view());
}

std::vector<ir::NodeId> NodeNames::find(std::string_view name, std::string_view op) const
{
    constexpr std::string_view fused = "fused ";
    if (name.starts_with(fused))
        name.remove_prefix(fused.size());
    const auto node = maker(name);
    return node ? partsUpTo(*node, op) : std::vector<ir::NodeId>();
}

std::vector<ir::NodeId> NodeNames::at(std::uint64_t index, std::string_view op) const
{
    const auto &nodes = m_graph.at(ir::Graph::body).nodes;
    if (index >= nodes.size() || !isOperator(m_graph, nodes[index], op))
        return {};
    return {nodes[index]};
}

std::optional<ir::NodeId> NodeNames::exact(std::string_view name) const
{
    const auto found = m_nodes.find(name);
    return found == m_nodes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ir::NodeId> NodeNames::maker(std::string_view name) const
{
    for (std::size_t length = name.size(); length > 0; --length) {
        if (length < name.size() && std::isalnum(static_cast<unsigned char>(name[length])) != 0)
            continue;
        if (const auto found = exact(name.substr(0, length)))
            return found;
    }
    return std::nullopt;
}

std::vector<ir::NodeId> NodeNames::withId(std::uint64_t id) const
{
    const ir::NodeId node{static_cast<std::uint32_t>(id)};
    return id < m_graph.nodeCount() && !m_graph.at(node).removed ? std::vector{node} : std::vector<ir::NodeId>();
}

std::vector<ir::NodeId> NodeNames::partsUpTo(ir::NodeId last, std::string_view op) const
{
    std::vector<ir::NodeId> parts{last};
    while (!isOperator(m_graph, parts.back(), op)) {
        const auto previous = before(m_graph, parts.back());
        if (!previous || parts.size() == mostParts)
            return {last};
        parts.push_back(*previous);
    }
    std::ranges::reverse(parts);
    return parts;
}

} // namespace cutaway::plugin
