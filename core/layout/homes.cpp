// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/homes.h"

#include "core/ir/context.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <unordered_map>

namespace cutaway::layout {

namespace {

/// The innermost module that contains all added ones; nothing before the first.
class SharedScope {
public:
    explicit SharedScope(const ir::Context &context) : m_context(context) { }

    void add(ir::ScopeId scope)
    {
        if (!m_path) {
            m_path = pathOf(scope);
            return;
        }
        const std::vector<ir::ScopeId> other = pathOf(scope);
        const auto [end, otherEnd] = std::ranges::mismatch(*m_path, other);
        m_path->erase(end, m_path->end());
    }

    std::optional<ir::ScopeId> scope() const
    {
        if (!m_path)
            return std::nullopt;
        return m_path->empty() ? ir::ScopeId{} : m_path->back();
    }

private:
    /// The modules from the outermost inwards.
    std::vector<ir::ScopeId> pathOf(ir::ScopeId scope) const
    {
        std::vector<ir::ScopeId> path;
        for (; scope.index != 0; scope = m_context.at(scope).parent)
            path.push_back(scope);
        std::ranges::reverse(path);
        return path;
    }

    const ir::Context &m_context;
    std::optional<std::vector<ir::ScopeId>> m_path;
};

class HomeFinder {
public:
    HomeFinder(const ir::Graph &graph, ir::RegionId region)
        : m_graph(graph),
          m_region(region),
          m_nodes(graph.at(region).nodes)
    {
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            m_homes.push_back(graph.at(m_nodes[i]).scope);
            m_places.emplace(m_nodes[i].index, i);
        }
    }

    std::vector<ir::ScopeId> find()
    {
        // First a node takes the module of its readers, which come after it; it keeps that only if its producers are
        // there too.
        std::vector<std::uint32_t> homeless;
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
            if (m_homes[i].index == 0)
                homeless.push_back(i);
        if (homeless.size() == m_nodes.size())
            return m_homes;
        for (const std::uint32_t i : std::views::reverse(homeless))
            m_homes[i] = ofReaders(i);
        for (const std::uint32_t i : homeless)
            if (m_homes[i].index != 0)
                m_homes[i] = withMakers(i);
        return m_homes;
    }

private:
    /// Module of the node of this region that is `node` or contains it; the root if there is none.
    ir::ScopeId homeAround(ir::NodeId node) const
    {
        while (m_graph.at(node).parent != m_region) {
            const std::optional<ir::NodeId> owner = m_graph.at(m_graph.at(node).parent).owner;
            if (!owner)
                return {};
            node = *owner;
        }
        const auto place = m_places.find(node.index);
        return place == m_places.end() ? ir::ScopeId{} : m_homes[place->second];
    }

    ir::ScopeId ofReaders(std::uint32_t i) const
    {
        SharedScope common(m_graph.context());
        for (const ir::ValueId output : m_graph.at(m_nodes[i]).outputs)
            for (const ir::Use &use : m_graph.at(output).uses) {
                const auto *node = std::get_if<ir::NodeId>(&use);
                common.add(node ? homeAround(*node) : ir::ScopeId{});
            }
        return common.scope().value_or(ir::ScopeId{});
    }

    ir::ScopeId withMakers(std::uint32_t i) const
    {
        SharedScope common(m_graph.context());
        common.add(m_homes[i]);
        for (const ir::Argument &argument : m_graph.at(m_nodes[i]).arguments)
            forEachValue(argument.value, [&](ir::ValueId value) {
                const ir::Definition &definition = m_graph.at(value).definition;
                if (const auto *made = std::get_if<ir::NodeResult>(&definition))
                    common.add(homeAround(made->node));
                else if (std::holds_alternative<ir::RegionInput>(definition))
                    common.add({});
            });
        return *common.scope();
    }

    const ir::Graph &m_graph;
    const ir::RegionId m_region;
    const std::vector<ir::NodeId> &m_nodes;
    std::vector<ir::ScopeId> m_homes;
    std::unordered_map<std::uint32_t, std::uint32_t> m_places; ///< by node
};

} // namespace

std::vector<ir::ScopeId> homesOf(const ir::Graph &graph, ir::RegionId region)
{
    return HomeFinder(graph, region).find();
}

} // namespace cutaway::layout
