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
    const std::size_t state = maker ? m_stateOfNode[maker->id().index] : m_materials.size() - 1;
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

layout::NodeMarks PageStates::marks(std::size_t state) const
{
    return layout::marksWithin(function().graph, graphOf(state == 0 ? 0 : state - 1), graphOf(state));
}

} // namespace cutaway::report
