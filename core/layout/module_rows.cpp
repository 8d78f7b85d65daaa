// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/module_rows.h"

#include "core/analysis/counts.h"
#include "core/analysis/saturating.h"
#include "core/ir/context.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_set>

namespace cutaway::layout {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

class ModuleTree {
public:
    ModuleTree(const ir::Model &model, const ir::Function &function, const analysis::ModuleSums &sums)
        : m_model(model),
          m_function(function),
          m_sums(sums),
          m_rowOfScope(sums.scopes.size(), nowhere)
    {
    }

    std::vector<ModuleRow> rows(const Outline *outline)
    {
        addModules();
        if (outline && !outline->found.empty())
            addFound(*outline);
        return std::move(m_rows);
    }

private:
    void addModules()
    {
        m_rows.push_back(rowOf(ir::ScopeId{}, 0));
        m_rowOfScope[0] = 0;
        for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
            const ir::ScopeId around = std::get<ScopeSubject>(m_rows[row].subject).scope;
            for (const ir::ScopeId scope : m_sums.at(around).children) {
                m_rowOfScope[scope.index] = static_cast<std::uint32_t>(m_rows.size());
                m_rows[row].children.push_back(m_rowOfScope[scope.index]);
                m_rows.push_back(rowOf(scope, row));
            }
        }
    }

    ModuleRow rowOf(ir::ScopeId scope, std::uint32_t parent) const
    {
        const analysis::ModuleSums::Sum &sum = m_sums.at(scope);
        return {.subject = ScopeSubject{scope, sum.region},
                .parent = parent,
                .nodes = sum.nodes,
                .parameters = sum.parameters,
                .bytes = sum.bytes};
    }

    void addFound(const Outline &outline)
    {
        m_begins.assign(m_rows.size(), nowhere);
        std::vector<std::uint32_t> rowOfPart(outline.parts.size(), nowhere); // `nowhere` for parts that have no row
        for (std::uint32_t i = 1; i < outline.parts.size(); ++i) {
            const Part &part = outline.parts[i];
            if (const auto *found = std::get_if<FoundSubject>(&part.subject)) {
                rowOfPart[i] = addFound(outline, i, rowAround(outline, rowOfPart, i, found->scope));
            } else if (const auto *module = std::get_if<ScopeSubject>(&part.subject)) {
                move(outline, rowOfPart, i, module->scope);
            } else {
                for (ir::ScopeId scope = part.shortcut; scope != ir::ScopeId{};
                     scope = m_model.context->at(scope).parent)
                    move(outline, rowOfPart, i, scope);
            }
        }
        for (ModuleRow &row : m_rows)
            row.children.clear();
        for (std::uint32_t row = 1; row < m_rows.size(); ++row)
            m_rows[m_rows[row].parent].children.push_back(row);
        for (ModuleRow &row : m_rows)
            std::ranges::stable_sort(row.children, {}, [this](std::uint32_t child) { return m_begins[child]; });
    }

    /// Returns the row that is the parent of a part in the module `scope`: that of the innermost found part of this
    /// module around it, or else that of the module.
    std::uint32_t rowAround(const Outline &outline, const std::vector<std::uint32_t> &rowOfPart, std::uint32_t part,
                            ir::ScopeId scope) const
    {
        for (std::uint32_t i = outline.parts[part].parent; i != 0; i = outline.parts[i].parent) {
            const auto *found = std::get_if<FoundSubject>(&outline.parts[i].subject);
            if (found && found->scope == scope)
                return rowOfPart[i];
        }
        const std::uint32_t row = m_rowOfScope[scope.index];
        return row == nowhere ? 0 : row;
    }

    /// Makes the row of a module a child of that of the found part around `part`, if there is one. `part` is the first
    /// part of the outline that belongs to the module.
    void move(const Outline &outline, const std::vector<std::uint32_t> &rowOfPart, std::uint32_t part,
              ir::ScopeId scope)
    {
        const std::uint32_t row = m_rowOfScope[scope.index];
        if (row == nowhere || row == 0 || m_begins[row] != nowhere)
            return;
        m_begins[row] = part;
        m_rows[row].parent = rowAround(outline, rowOfPart, part, m_model.context->at(scope).parent);
    }

    std::uint32_t addFound(const Outline &outline, std::uint32_t part, std::uint32_t parent)
    {
        ModuleRow row{.subject = std::get<FoundSubject>(outline.parts[part].subject),
                      .found = outline.found[outline.parts[part].found],
                      .foundIndex = outline.parts[part].found,
                      .parent = parent};
        std::unordered_set<ir::TensorId> seen;
        const ir::Graph &graph = m_function.graph;
        for (std::uint32_t i = part + 1; i < outline.parts[part].end; ++i) {
            const auto *node = std::get_if<ir::NodeId>(&outline.parts[i].subject);
            if (!node || node->index >= graph.nodeCount() || graph.at(*node).removed)
                continue;
            ++row.nodes;
            m_reads.forEach(graph.at(*node), [&](ir::TensorId parameter) {
                if (!seen.insert(parameter).second)
                    return;
                const ir::Tensor &tensor = m_model.at(parameter);
                analysis::addSaturating(row.parameters, ir::elementCount(tensor));
                analysis::addSaturating(row.bytes, analysis::storedBytes(m_model, tensor));
            });
        }
        m_begins.push_back(part);
        m_rows.push_back(std::move(row));
        return static_cast<std::uint32_t>(m_rows.size() - 1);
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const analysis::ModuleSums &m_sums;
    const analysis::ParameterReads m_reads{m_model, m_function.graph};
    std::vector<ModuleRow> m_rows;
    std::vector<std::uint32_t> m_rowOfScope; ///< by ScopeId
    std::vector<std::uint32_t> m_begins;     ///< by row: its first part of the outline
};

bool isRepetition(const ModuleRow &row)
{
    const auto *found = std::get_if<FoundSubject>(&row.subject);
    return found && found->times > 0;
}

} // namespace

std::vector<ModuleRow> moduleRows(const ir::Model &model, const ir::Function &function,
                                  const analysis::ModuleSums &sums, const Outline *outline)
{
    return ModuleTree(model, function, sums).rows(outline);
}

std::vector<std::uint32_t> dominating(const std::vector<ModuleRow> &rows,
                                      const std::function<double(const ModuleRow &)> &amountOf)
{
    std::vector<double> amounts, within(rows.size(), 0); // by row: its own amount, and that of all rows in it
    std::ranges::transform(rows, std::back_inserter(amounts), amountOf);
    for (std::uint32_t row = 1; row < rows.size(); ++row)
        within[rows[row].parent] += amounts[row];
    const auto isDivided = [&](const auto &self, std::uint32_t row) -> bool {
        const auto isAllOfIt = [&](std::uint32_t inner) {
            return amounts[inner] > 0.9 * amounts[row] && !self(self, inner);
        };
        return !isRepetition(rows[row]) && amounts[row] > amounts.front() / 2 && within[row] >= amounts[row] / 2
            && std::ranges::none_of(rows[row].children, isAllOfIt);
    };
    std::vector<std::uint32_t> found, next = rows.front().children;
    while (!next.empty()) {
        const std::uint32_t row = next.back();
        next.pop_back();
        if (isDivided(isDivided, row))
            next.insert(next.end(), rows[row].children.begin(), rows[row].children.end());
        else if (amounts[row] > 0)
            found.push_back(row);
    }
    std::ranges::sort(found); // rows of equal amounts stay in this order
    std::ranges::stable_sort(found, std::greater(), [&](std::uint32_t row) { return amounts[row]; });
    return found;
}

} // namespace cutaway::layout
