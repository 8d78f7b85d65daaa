// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/cost_tables.h"

#include "core/analysis/module_sums.h"
#include "core/base/text.h"
#include "core/ir/homes.h"
#include "core/ir/names.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <set>
#include <unordered_map>

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
          m_scopes(m_context.scopeCount()),
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
        const analysis::ModuleSums sums = analysis::moduleSums(m_model, m_model.at(m_analysis.function));
        addModule(ir::ScopeId{}, 0, sums);
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
        sum.uncounted += m_isHidden[node.id.index]; // that of a node with regions may be unknown because of them alone
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

    /// The scopes around a node where it is drawn, innermost first, root last.
    std::vector<ir::ScopeId> scopesAround(ir::NodeId node) const
    {
        std::vector<ir::ScopeId> scopes{m_homes[node.index]};
        while (scopes.back() != ir::ScopeId{})
            scopes.push_back(m_context.at(scopes.back()).parent);
        return scopes;
    }

    /// The cost of a region's nodes, times its number of runs, is already in the sums of the scopes around its owner.
    void addToScopes(const NodeRow &node, std::optional<ir::NodeId> owner)
    {
        const auto counted = owner ? scopesAround(*owner) : std::vector<ir::ScopeId>();
        for (const ir::ScopeId scope : scopesAround(node.id)) {
            if (std::ranges::find(counted, scope) != counted.end())
                return;
            add(m_scopes[scope.index], node);
        }
    }

    /// A node in a region with unknown FLOPs is missing in every sum that includes the region's owner.
    void noteHidden()
    {
        for (const analysis::Stop &stop : m_analysis.shapes.stops) {
            const auto owner = m_graph.at(m_graph.at(stop.node).parent).owner;
            if (!owner || !stop.hidesCost || !stop.isReached)
                continue;
            ir::NodeId outermost = *owner;
            std::set<ir::ScopeId> scopes;
            for (std::optional<ir::NodeId> around = owner; around;
                 around = m_graph.at(m_graph.at(*around).parent).owner) {
                const auto more = scopesAround(*around);
                scopes.insert(more.begin(), more.end());
                outermost = *around;
            }
            for (const ir::ScopeId scope : scopes)
                ++m_scopes[scope.index].uncounted;
            ++m_tables.operators[m_operators.at(m_graph.at(outermost).op)].sum.uncounted;
        }
    }

    void addModule(ir::ScopeId id, int depth, const analysis::ModuleSums &sums)
    {
        const ir::Scope &scope = m_context.at(id);
        const analysis::ModuleSums::Sum &sum = sums.at(id);
        const std::string call = scope.call == 0 ? "" : " (call " + std::to_string(scope.call + 1) + ")";
        m_tables.modules.push_back({depth, id == ir::ScopeId{} ? "(all)" : text(scope.name) + call, text(scope.path),
                                    text(scope.className), sum.nodes, sum.parameters, sum.bytes, m_scopes[id.index]});
        for (const ir::ScopeId child : sum.children)
            addModule(child, depth + 1, sums);
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    const Analysis &m_analysis;
    const Roofline *m_estimate;
    std::vector<ir::ScopeId> m_homes; ///< by NodeId
    std::vector<CostSum> m_scopes;    ///< by ScopeId
    std::vector<bool> m_isHidden;     ///< by NodeId: its own operations are not known
    std::unordered_map<ir::OpId, std::size_t> m_operators;
    CostTables m_tables;
};

} // namespace

CostTables costTables(const ir::Model &model, const Analysis &analysis, const Roofline *estimate)
{
    return Tables(model, analysis, estimate).make();
}

} // namespace cutaway::report
