// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/cost_tables.h"

#include "core/analysis/module_sums.h"
#include "core/base/text.h"
#include "core/ir/homes.h"
#include "core/ir/names.h"
#include "core/layout/module_rows.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <unordered_map>
#include <utility>

namespace cutaway::report {

namespace {

using analysis::Analysis;
using analysis::Roofline;

class Tables {
public:
    Tables(const ir::Model &model, const Analysis &analysis, const Roofline *estimate)
        : m_model(model),
          m_graph(model.at(analysis.function).graph),
          m_context(*model.context),
          m_analysis(analysis),
          m_estimate(estimate),
          m_homes(ir::homesOf(m_graph)),
          m_outline(layout::outlineOf(m_model.at(analysis.function), false)),
          m_scopes(m_context.scopeCount()),
          m_found(m_outline.found.size()),
          m_isHidden(m_graph.nodeCount())
    {
        for (const analysis::Stop &stop : analysis.shapes.stops)
            if (stop.hidesCost)
                m_isHidden[stop.node.index] = true;
    }

    CostTables make()
    {
        addRegion(ir::Graph::body, std::nullopt);
        noteHidden();
        addModules();
        std::ranges::stable_sort(m_tables.operators, std::greater{}, &OperatorRow::count);
        return std::move(m_tables);
    }

private:
    std::string text(ir::NameId id) const { return sanitized(m_context.text(id)); }

    void addRegion(ir::RegionId region, std::optional<ir::NodeId> owner)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            m_tables.nodes.push_back(row(node, owner));
            addToOperator(m_tables.nodes.back(), node->op);
            addToScopes(m_tables.nodes.back(), owner);
            addToFound(m_tables.nodes.back(), owner);
            for (const ir::RegionId inner : node->regions)
                addRegion(inner, node);
        }
    }

    NodeRow row(const ir::NodeRef &node, std::optional<ir::NodeId> owner) const
    {
        std::string result;
        for (const ir::ValueId output : node->outputs)
            result += (result.empty() ? "" : ", ") + sanitized(ops::print(m_analysis.shapes.of(output)));
        return {node,
                sanitized(nameOf(node)),
                sanitized(node.fullName()),
                text(node.scope().path),
                std::move(result),
                sanitized(sourceOf(node).value_or("")),
                ops::categoryOf(node),
                owner,
                m_analysis.costOf(node),
                m_analysis.shapes.boundOf(node),
                m_estimate ? m_estimate->nodes[node.id().index] : std::nullopt,
                secondsAtLeast(node)};
    }

    double secondsAtLeast(ir::NodeId node) const
    {
        if (!m_estimate)
            return 0;
        const auto bound = m_estimate->atLeast.find(node);
        return bound == m_estimate->atLeast.end() ? 0 : bound->second;
    }

    void add(CostSum &sum, const NodeRow &node) const
    {
        const bool isMoved = ops::isKnown(node.cost.bytesRead) && ops::isKnown(node.cost.bytesWritten);
        sum.cost = ops::plus(sum.cost, node.atLeast);
        // Counts the node if its own operations are unknown; those of its regions do not matter here.
        sum.uncounted += m_isHidden[node.id.index];
        sum.unmoved += !isMoved;
        sum.seconds += node.time ? node.time->seconds : node.secondsAtLeast;
        sum.untimed += !node.time;
    }

    void addToOperator(const NodeRow &node, ir::OpId op)
    {
        const auto [place, isNew] = m_operators.emplace(op, m_tables.operators.size());
        if (isNew)
            m_tables.operators.push_back({node.op, node.category, 0, 0, {}});
        OperatorRow &row = m_tables.operators[place->second];
        ++row.count;
        if (!node.within) {
            ++row.inBody;
            add(row.sum, node);
        }
    }

    /// Returns the scopes around a node, as they are drawn, innermost first.
    std::vector<ir::ScopeId> scopesAround(ir::NodeId node) const
    {
        std::vector<ir::ScopeId> scopes{m_homes[node.index]};
        while (scopes.back() != ir::ScopeId{})
            scopes.push_back(m_context.at(scopes.back()).parent);
        return scopes;
    }

    /// Adds a node to the sums of the scopes around it. A node in a region is not added to the scopes that are also
    /// around the region's owner: the cost of the owner includes it, times the number of runs.
    void addToScopes(const NodeRow &node, std::optional<ir::NodeId> owner)
    {
        const auto counted = owner ? scopesAround(*owner) : std::vector<ir::ScopeId>();
        for (const ir::ScopeId scope : scopesAround(node.id)) {
            if (std::ranges::find(counted, scope) != counted.end())
                return;
            add(m_scopes[scope.index], node);
        }
    }

    /// Returns the found parts around a node, as indices into Outline::found, innermost first.
    std::vector<std::uint32_t> partsAround(ir::NodeId node) const
    {
        std::vector<std::uint32_t> found;
        if (m_found.empty())
            return found;
        for (std::uint32_t i = m_outline.partOfNode[node.index]; i != 0; i = m_outline.parts[i].parent)
            if (std::holds_alternative<layout::FoundSubject>(m_outline.parts[i].subject))
                found.push_back(m_outline.parts[i].found);
        return found;
    }

    /// Adds a node to the sums of the found parts around it. A node in a region is not added to the parts that are also
    /// around the region's owner, as in addToScopes().
    void addToFound(const NodeRow &node, std::optional<ir::NodeId> owner)
    {
        const auto counted = owner ? partsAround(*owner) : std::vector<std::uint32_t>();
        for (const std::uint32_t part : partsAround(node.id)) {
            if (std::ranges::contains(counted, part))
                return;
            add(m_found[part], node);
        }
    }

    /// Counts each node in a region, if the node's own operations are unknown, as `uncounted` in every sum that
    /// includes the region's owner.
    void noteHidden()
    {
        for (const analysis::Stop &stop : m_analysis.shapes.stops) {
            const auto owner = m_graph.at(m_graph.at(stop.node).parent).owner;
            if (!owner || !stop.hidesCost || !stop.isReached)
                continue;
            ir::NodeId outermost = *owner;
            std::set<ir::ScopeId> scopes;
            std::set<std::uint32_t> found;
            for (std::optional<ir::NodeId> around = owner; around;
                 around = m_graph.at(m_graph.at(*around).parent).owner) {
                const auto more = scopesAround(*around);
                scopes.insert(more.begin(), more.end());
                const auto parts = partsAround(*around);
                found.insert(parts.begin(), parts.end());
                outermost = *around;
            }
            for (const ir::ScopeId scope : scopes)
                ++m_scopes[scope.index].uncounted;
            for (const std::uint32_t part : found)
                ++m_found[part].uncounted;
            ++m_tables.operators[m_operators.at(m_graph.at(outermost).op)].sum.uncounted;
        }
    }

    void addModules()
    {
        const ir::Function &function = m_model.at(m_analysis.function);
        const std::vector<layout::ModuleRow> rows =
            layout::moduleRows(m_model, function, analysis::moduleSums(m_model, function), &m_outline);
        std::vector<std::pair<std::uint32_t, int>> next{{0, 0}}; // the rows still to add, with their depths
        while (!next.empty()) {
            const auto [row, depth] = next.back();
            next.pop_back();
            m_tables.modules.push_back(moduleRow(rows[row], depth));
            for (const std::uint32_t child : std::views::reverse(rows[row].children))
                next.emplace_back(child, depth + 1);
        }
    }

    ModuleRow moduleRow(const layout::ModuleRow &row, int depth) const
    {
        ModuleRow made{.depth = depth, .nodes = row.nodes, .parameters = row.parameters, .parameterBytes = row.bytes};
        if (const auto *module = std::get_if<layout::ScopeSubject>(&row.subject)) {
            const ir::Scope &scope = m_context.at(module->scope);
            const std::string call = scope.call == 0 ? "" : " (call " + std::to_string(scope.call + 1) + ")";
            made.name = module->scope == ir::ScopeId{} ? "(all)" : text(scope.name) + call;
            made.path = text(scope.path);
            made.className = text(scope.className);
            made.sum = m_scopes[module->scope.index];
        } else {
            made.name = sanitized(row.found.title);
            made.found = sanitized(row.found.name);
            made.sum = m_found[row.foundIndex];
        }
        return made;
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    const Analysis &m_analysis;
    const Roofline *m_estimate;
    std::vector<ir::ScopeId> m_homes; ///< by NodeId: the scope in which the node is drawn
    layout::Outline m_outline;
    std::vector<CostSum> m_scopes; ///< by ScopeId
    std::vector<CostSum> m_found;  ///< by part of Outline::found
    std::vector<bool> m_isHidden;  ///< by NodeId: whether the node's own operations are unknown
    std::unordered_map<ir::OpId, std::size_t> m_operators;
    CostTables m_tables;
};

} // namespace

CostTables costTables(const ir::Model &model, const Analysis &analysis, const Roofline *estimate)
{
    return Tables(model, analysis, estimate).make();
}

} // namespace cutaway::report
