// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/search/search.h"

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <set>
#include <string>

namespace cutaway::views {
namespace {

class Search {
public:
    Search(const ir::Function &function, const std::vector<query::Pattern> &words)
        : m_graph(function.graph),
          m_context(function.graph.context()),
          m_words(words)
    {
    }

    std::vector<Selection> hits()
    {
        if (m_words.empty())
            return {};
        searchModules();
        searchValues();
        searchRegion(ir::Graph::body);
        return std::move(m_hits);
    }

private:
    bool matches(std::string_view text) const
    {
        const std::string haystack = query::lowerCase(text);
        return std::ranges::all_of(m_words, [&](const query::Pattern &word) { return word.occursIn(haystack); });
    }

    void add(const Selection &hit) { m_hits.push_back(hit); }

    std::string text(ir::NameId name) const { return std::string(m_context.text(name)); }

    void searchModules()
    {
        std::set<layout::ScopeSubject> seen;
        // By module: at most two of its nodes, as it matters whether there is exactly one.
        std::vector<std::vector<ir::NodeId>> inside(m_context.scopeCount());
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const ir::Node &node = m_graph.at(ir::NodeId{i});
            if (!node.removed && node.scope != ir::ScopeId{})
                seen.insert({node.scope, node.parent});
            for (ir::ScopeId s = node.scope; !node.removed && s != ir::ScopeId{}; s = m_context.at(s).parent)
                if (inside[s.index].size() < 2)
                    inside[s.index].push_back({i});
        }
        for (const layout::ScopeSubject &module : seen) {
            const ir::Scope &scope = m_context.at(module.scope);
            const std::vector<ir::NodeId> &nodes = inside[module.scope.index];
            if (nodes.size() == 1 && matches(textOf({m_graph, nodes.front()})))
                continue; // the node is found itself, so the module is not
            if (matches(text(scope.path) + ' ' + text(scope.className)))
                add(module);
        }
    }

    std::string textOf(const ir::NodeRef &node) const
    {
        std::string all = node.fullName() + ' ' + text(node->name) + ' ' + text(node.scope().path);
        for (const ir::ValueRef output : node.outputs())
            all += ' ' + text(output->name);
        return all;
    }

    /// Adds inputs and weights that match; other values are found by the nodes that make them.
    void searchValues()
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const ir::ValueRef value(m_graph, {i});
            if (value.producer() || !matches(value.name()))
                continue;
            if (std::holds_alternative<ir::RegionInput>(value->definition))
                add(layout::InputSubject{value});
            else if (!value->uses.empty())
                add(value.id());
        }
    }

    void searchRegion(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            if (matches(textOf(node)))
                add(node.id());
            for (ir::RegionId inner : node->regions)
                searchRegion(inner);
        }
    }

    const ir::Graph &m_graph;
    const ir::Context &m_context;
    const std::vector<query::Pattern> &m_words;
    std::vector<Selection> m_hits;
};

} // namespace

std::vector<Selection> search(const ir::Function &function, const std::vector<query::Pattern> &words)
{
    return Search(function, words).hits();
}

std::optional<Selection> named(const ir::Function &function, std::string_view name)
{
    const ir::Graph &graph = function.graph;
    const ir::Context &context = graph.context();
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        if (const ir::NodeRef node(graph, {i}); !node->removed && node.name() == name)
            return node.id();
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
        if (const ir::ValueRef value(graph, {i}); value.name() == name)
            return value.id();
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        for (ir::ScopeId s = node.scope; !node.removed && s != ir::ScopeId{}; s = context.at(s).parent)
            if (context.text(context.at(s).path) == name)
                return layout::ScopeSubject{s, node.parent};
    }
    return {};
}

} // namespace cutaway::views
