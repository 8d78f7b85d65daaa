// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page/page_states.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/layout/states.h"

namespace cutaway::report {

PageStates::PageStates(const Subject &subject, const PageAdditions &additions) : m_function(subject.function)
{
    const passes::History *history = additions.history;
    const auto add = [&](const ir::Model &model, const analysis::Given &given) {
        m_materials.emplace_back(Subject{model, m_function, given, subject.additions});
        m_sizes.emplace_back(model, given.bindings);
    };
    if (!history) {
        add(subject.model, subject.given);
    } else {
        m_models.push_back(history->modelAfter(0));
        m_titles.push_back(sanitized(history->startTitle()));
        for (std::size_t i = 0; i < history->steps().size(); ++i)
            if (const passes::Step &step = history->steps()[i]; step.isChange && !step.isDivision()) {
                m_models.push_back(step.model);
                m_titles.push_back(formatted("{}. {}", i + 1, sanitized(step.title())));
            }
        if (m_models.size() == 1)
            m_titles.clear();
        for (const auto &model : m_models)
            add(*model, history->given());
        m_all = layout::allStates(m_models, m_function);
    }
    m_stateOfNode.resize(function().graph.nodeCount(), m_materials.size() - 1);
    m_rows.resize(m_stateOfNode.size());
    for (std::size_t i = 0; i < m_materials.size(); ++i)
        for (const NodeRow &row : m_materials[i].tables.nodes) {
            m_stateOfNode[row.id.index] = i;
            m_rows[row.id.index] = &row;
        }
    m_times = run::NodeTimes(additions.times, function().graph);
}

std::string PageStates::typeOf(ir::ValueId value) const
{
    const auto maker = ir::ValueRef(function().graph, value).producer();
    return typeOf(value, maker ? m_stateOfNode[maker->id().index] : m_materials.size() - 1);
}

std::string PageStates::typeOf(ir::ValueId value, std::size_t state) const
{
    const Material &material = m_materials[state];
    if (value.index >= material.graph().valueCount())
        return {};
    return layout::describeKnown(material.subject.model, material.analysis, m_sizes[state], value);
}

layout::Knowledge PageStates::knowledge() const
{
    return {[this](ir::ValueId value) { return typeOf(value); },
            [this](ir::NodeId node) { return of(node).analysis.costOf(node).flops; }};
}

bool PageStates::hasNode(std::size_t state, ir::NodeId node) const
{
    const ir::Graph &graph = graphOf(state);
    return node.index < graph.nodeCount() && !graph.at(node).removed;
}

void PageStates::describe(layout::Diagram &diagram, std::size_t state) const
{
    const layout::Knowledge known{
        [&](ir::ValueId value) {
            const auto maker = ir::ValueRef(function().graph, value).producer();
            return !maker || hasNode(state, maker->id()) ? typeOf(value, state) : typeOf(value);
        },
        [&](ir::NodeId node) {
            return (hasNode(state, node) ? m_materials[state] : of(node)).analysis.costOf(node).flops;
        }};
    const ir::Model &after = m_materials[state].subject.model;
    const ir::Model &before = m_materials[state == 0 ? 0 : state - 1].subject.model;
    layout::describeStates(diagram, {drawn(), before, after}, m_function, known);
}

layout::NodeMarks PageStates::marks(std::size_t state) const
{
    return layout::marksWithin(function().graph, graphOf(state == 0 ? 0 : state - 1), graphOf(state));
}

} // namespace cutaway::report
