// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/node_names.h"

#include "core/ir/node_ref.h"
#include "core/protocol/made_names.h"

#include <algorithm>
#include <cctype>
#include <ranges>

namespace cutaway::plugin {

namespace {

constexpr std::size_t maxParts = 8;

/// Returns the node that produces the first value that `node` uses.
std::optional<ir::NodeRef> before(const ir::NodeRef &node)
{
    for (const ir::Argument &argument : node->arguments)
        if (const auto value = ir::valueOf(node.graph(), &argument.value))
            return value->producer();
    return std::nullopt;
}

} // namespace

NodeNames::NodeNames(const ir::Function &function) : m_graph(function.graph)
{
    for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
        const ir::NodeRef node(m_graph, ir::NodeId{i});
        if (node->removed)
            continue;
        if (const std::string_view name = node.name(); !name.empty())
            m_nodes[name] = node;
        for (const ir::ValueRef output : node.outputs())
            m_nodes.try_emplace(output.name(), node);
    }
    m_nodes.erase(std::string_view());
    addMadeNames();
}

/// Adds the names that plugins make for unnamed ONNX nodes.
void NodeNames::addMadeNames()
{
    std::unordered_map<std::string_view, std::size_t> uses, made;
    const auto forEachNode = [this](const auto &visit) {
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i)
            if (const ir::NodeRef node(m_graph, ir::NodeId{i});
                !node->removed && node.isOnnx() && node.outputCount() > 0)
                visit(node);
    };
    forEachNode([&](const ir::NodeRef &node) { ++uses[node.name()]; });
    forEachNode([&](const ir::NodeRef &node) {
        const std::string_view value = valueOf(node);
        const std::size_t nth = ++made[value];
        if (!value.empty() && (uses[node.name()] > 1 || !protocol::isPlainName(node.name())))
            m_nodes.emplace(m_made.emplace_back(protocol::madeName(value, nth)), node);
    });
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
    if (index >= nodes.size() || ir::NodeRef(m_graph, nodes[index]).opName() != op)
        return {};
    return {nodes[index]};
}

std::string_view NodeNames::valueOf(ir::NodeId node) const
{
    for (const ir::ValueRef output : ir::NodeRef(m_graph, node).outputs())
        if (!output.name().empty())
            return output.name();
    return {};
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
    for (ir::NodeRef part(m_graph, last); part.opName() != op; part = {m_graph, parts.back()}) {
        const auto previous = before(part);
        if (!previous || parts.size() == maxParts)
            return {last};
        parts.push_back(*previous);
    }
    std::ranges::reverse(parts);
    return parts;
}

} // namespace cutaway::plugin
