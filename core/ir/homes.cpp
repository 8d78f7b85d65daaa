// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/homes.h"

#include "core/ir/context.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>
#include <ranges>

namespace cutaway::ir {

namespace {

constexpr int mostRounds = 8; ///< limit of rounds; after two of them most graphs no longer change

/// The innermost module that contains all scopes that were added; nothing before the first one.
class SharedScope {
public:
    explicit SharedScope(const Context &context) : m_context(context) { }

    void add(ScopeId scope)
    {
        if (!m_path) {
            m_path = pathOf(scope);
            return;
        }
        const std::vector<ScopeId> other = pathOf(scope);
        const auto [end, otherEnd] = std::ranges::mismatch(*m_path, other);
        m_path->erase(end, m_path->end());
    }

    std::optional<ScopeId> scope() const
    {
        if (!m_path)
            return std::nullopt;
        return m_path->empty() ? ScopeId{} : m_path->back();
    }

private:
    /// Returns the scopes of the calls that contain a scope, from the outermost to itself.
    std::vector<ScopeId> pathOf(ScopeId scope) const
    {
        std::vector<ScopeId> path;
        for (; scope.index != 0; scope = m_context.at(scope).parent)
            path.push_back(scope);
        std::ranges::reverse(path);
        return path;
    }

    const Context &m_context;
    std::optional<std::vector<ScopeId>> m_path;
};

class HomeFinder {
public:
    HomeFinder(const Graph &graph, RegionId region) : m_graph(graph), m_region(region), m_nodes(graph.at(region).nodes)
    {
        m_homes.reserve(m_nodes.size());
        m_places.reserve(m_nodes.size());
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            m_homes.push_back(graph.at(m_nodes[i]).scope);
            m_places.emplace(m_nodes[i].index, i);
        }
    }

    std::vector<ScopeId> find()
    {
        // A node first gets the module of its readers, and keeps it only while its producers and readers are in that
        // module, too. If a node leaves the module, producers that only it reads leave with it.
        std::vector<std::uint32_t> homeless;
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
            if (m_homes[i].index == 0)
                homeless.push_back(i);
        if (homeless.size() == m_nodes.size())
            return m_homes;
        for (const std::uint32_t i : std::views::reverse(homeless))
            m_homes[i] = ofReaders(i);
        bool isSettled = false;
        for (int round = 0; round < mostRounds && !isSettled; ++round) {
            isSettled = true;
            const auto stay = [&](std::uint32_t i, ScopeId home) {
                isSettled = isSettled && home == m_homes[i];
                m_homes[i] = home;
            };
            for (const std::uint32_t i : homeless)
                if (m_homes[i].index != 0)
                    stay(i, withMakers(i));
            for (const std::uint32_t i : std::views::reverse(homeless))
                if (m_homes[i].index != 0)
                    stay(i, withReaders(i));
        }
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
            if (const auto guest = whereGuest(i))
                m_homes[i] = *guest;
        return m_homes;
    }

private:
    /// Returns the module of the node in this region that is `node` or contains it; the root if there is none.
    ScopeId homeAround(NodeId node) const
    {
        while (m_graph.at(node).parent != m_region) {
            const std::optional<NodeId> owner = m_graph.at(m_graph.at(node).parent).owner;
            if (!owner)
                return {};
            node = *owner;
        }
        const auto place = m_places.find(node.index);
        return place == m_places.end() ? ScopeId{} : m_homes[place->second];
    }

    void addReaders(std::uint32_t i, SharedScope &common) const
    {
        for (const ValueId output : m_graph.at(m_nodes[i]).outputs)
            for (const Use &use : m_graph.at(output).uses) {
                const auto *node = std::get_if<NodeId>(&use);
                common.add(node ? homeAround(*node) : ScopeId{});
            }
    }

    ScopeId ofReaders(std::uint32_t i) const
    {
        SharedScope common(m_graph.context());
        addReaders(i, common);
        return common.scope().value_or(ScopeId{});
    }

    ScopeId withReaders(std::uint32_t i) const
    {
        SharedScope common(m_graph.context());
        common.add(m_homes[i]);
        addReaders(i, common);
        return *common.scope();
    }

    ScopeId withMakers(std::uint32_t i) const
    {
        SharedScope common(m_graph.context());
        common.add(m_homes[i]);
        for (const Argument &argument : m_graph.at(m_nodes[i]).arguments)
            forEachValue(argument.value, [&](ValueId value) {
                const Definition &definition = m_graph.at(value).definition;
                if (const auto *made = std::get_if<NodeResult>(&definition))
                    common.add(homeAround(made->node));
                else if (std::holds_alternative<RegionInput>(definition))
                    common.add({});
            });
        return *common.scope();
    }

    /// Calls visit(ScopeId) for the homes of a node's readers and producers until visit() returns false, which it does
    /// at once for most nodes. Returns whether all calls returned true.
    template <class Visit>
    bool forEachNeighbour(std::uint32_t i, const Visit &visit) const
    {
        for (const ValueId output : m_graph.at(m_nodes[i]).outputs)
            for (const Use &use : m_graph.at(output).uses) {
                const auto *node = std::get_if<NodeId>(&use);
                if (!visit(node ? homeAround(*node) : ScopeId{}))
                    return false;
            }
        bool goesOn = true;
        for (const Argument &argument : m_graph.at(m_nodes[i]).arguments)
            forEachValue(argument.value, [&](ValueId value) {
                const auto *made = std::get_if<NodeResult>(&m_graph.at(value).definition);
                goesOn = goesOn && (!made || visit(homeAround(made->node)));
            });
        return goesOn;
    }

    /// Returns a module around a node's neighbours, in which the node is to be drawn; nothing if it stays in its own
    /// module, as it does if a neighbour is there too, in the module around that, or in another module directly in the
    /// latter. A module that an encoder and a decoder share is recorded in one of them; drawn there, its use by the
    /// other would look like a cycle.
    std::optional<ScopeId> whereGuest(std::uint32_t i) const
    {
        const Context &context = m_graph.context();
        const ScopeId own = context.at(m_homes[i]).parent;
        if (own.index == 0)
            return std::nullopt;
        SharedScope common(context);
        const bool isGuest = forEachNeighbour(i, [&](ScopeId scope) {
            common.add(scope);
            return scope.index != 0 && scope != own && scope != m_homes[i] && context.at(scope).parent != own;
        });
        if (!isGuest)
            return std::nullopt;
        const auto isElsewhere = [&](ScopeId there) {
            return there.index != 0 && !isWithin(there, own) && !isWithin(own, there);
        };
        const ScopeId there = common.scope().value_or(ScopeId{}), caller = context.at(there).parent;
        return isElsewhere(caller) ? std::optional(caller) : isElsewhere(there) ? std::optional(there) : std::nullopt;
    }

    bool isWithin(ScopeId scope, ScopeId module) const
    {
        while (scope.index != 0 && scope != module)
            scope = m_graph.context().at(scope).parent;
        return scope == module;
    }

    const Graph &m_graph;
    const RegionId m_region;
    const std::vector<NodeId> &m_nodes;
    std::vector<ScopeId> m_homes;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> m_places; ///< by node: its position in m_nodes
};

} // namespace

std::vector<ScopeId> homesOf(const Graph &graph, RegionId region) { return HomeFinder(graph, region).find(); }

std::vector<ScopeId> homesOf(const Graph &graph)
{
    std::vector<ScopeId> homes(graph.nodeCount());
    for (RegionId region{0}; region.index < graph.regionCount(); ++region.index) {
        const std::vector<ScopeId> within = homesOf(graph, region);
        for (std::size_t i = 0; i < within.size(); ++i)
            homes[graph.at(region).nodes[i].index] = within[i];
    }
    return homes;
}

} // namespace cutaway::ir
