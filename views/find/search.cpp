// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/find/search.h"

#include "core/ir/context.h"
#include "core/ir/model.h"

#include <QStringList>
#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace cutaway::views {
namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

class Search {
public:
    Search(const ir::Function &function, const QString &text, std::size_t limit)
        : m_graph(function.graph),
          m_context(function.graph.context()),
          m_limit(limit)
    {
        for (const QString &word : text.split(' ', Qt::SkipEmptyParts))
            m_words.push_back(lower(word.toStdString()));
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
    bool matches(const std::string &text) const
    {
        const std::string haystack = lower(text);
        return std::ranges::all_of(m_words, [&](const std::string &w) { return haystack.contains(w); });
    }

    void add(const Selection &hit)
    {
        if (m_hits.size() < m_limit)
            m_hits.push_back(hit);
    }

    std::string text(ir::NameId name) const { return std::string(m_context.text(name)); }

    void searchModules()
    {
        std::set<layout::ScopeSubject> seen;
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const ir::Node &node = m_graph.at(ir::NodeId{i});
            if (!node.removed && node.scope != ir::ScopeId{})
                seen.insert({node.scope, node.parent});
        }
        for (const layout::ScopeSubject &module : seen) {
            const ir::Scope &scope = m_context.at(module.scope);
            if (matches(text(scope.path) + ' ' + text(scope.className)))
                add(module);
        }
    }

    /// Inputs and weights; what nodes make is found by its node.
    void searchValues()
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const ir::ValueId id{i};
            const ir::Value &value = m_graph.at(id);
            if (std::holds_alternative<ir::NodeResult>(value.definition) || !matches(text(value.name)))
                continue;
            if (std::holds_alternative<ir::RegionInput>(value.definition))
                add(layout::InputSubject{id});
            else if (!value.uses.empty())
                add(id);
        }
    }

    void searchRegion(ir::RegionId region)
    {
        for (ir::NodeId id : m_graph.at(region).nodes) {
            const ir::Node &node = m_graph.at(id);
            std::string all =
                m_context.print(node.op) + ' ' + text(node.name) + ' ' + text(m_context.at(node.scope).path);
            for (ir::ValueId output : node.outputs)
                all += ' ' + text(m_graph.at(output).name);
            if (matches(all))
                add(id);
            for (ir::RegionId inner : node.regions)
                searchRegion(inner);
        }
    }

    const ir::Graph &m_graph;
    const ir::Context &m_context;
    std::size_t m_limit;
    std::vector<std::string> m_words;
    std::vector<Selection> m_hits;
};

} // namespace

std::vector<Selection> search(const ir::Function &function, const QString &text, std::size_t limit)
{
    return Search(function, text, limit).hits();
}

std::optional<Selection> named(const ir::Function &function, std::string_view name)
{
    const ir::Graph &graph = function.graph;
    const ir::Context &context = graph.context();
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        if (!node.removed && context.text(node.name) == name)
            return ir::NodeId{i};
    }
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
        if (context.text(graph.at(ir::ValueId{i}).name) == name)
            return ir::ValueId{i};
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        for (ir::ScopeId s = node.scope; !node.removed && s != ir::ScopeId{}; s = context.at(s).parent)
            if (context.text(context.at(s).path) == name)
                return layout::ScopeSubject{s, node.parent};
    }
    return {};
}

} // namespace cutaway::views
