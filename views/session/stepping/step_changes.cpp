// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/stepping/step_changes.h"

#include "core/diff/removed_weights.h"

namespace cutaway::views {

StepChanges::StepChanges(std::shared_ptr<const passes::History> history, ir::ScopeId scope) : m_scope(scope)
{
    extend(std::move(history));
}

void StepChanges::extend(std::shared_ptr<const passes::History> history)
{
    m_history = std::move(history);
    for (std::size_t step = m_all.size(); m_history && step < m_history->steps().size(); ++step) {
        const passes::Step &done = m_history->steps()[step];
        const ir::Function &after = done.model->at(m_history->function());
        m_removedWeights.push_back(
            done.isChange ? diff::removedWeights(m_history->modelAfter(step)->at(m_history->function()), after) : 0);
        m_all.push_back(m_scope == ir::ScopeId{} ? done.nodes : diff::within(done.nodes, after.graph, m_scope));
    }
}

bool StepChanges::isChange(std::size_t step) const
{
    return m_scope == ir::ScopeId{} ? m_history->steps()[step].isChange : !m_all[step].isEmpty();
}

bool StepChanges::isSeen(std::size_t step) const
{
    return isChange(step) && (!m_all[step].isEmpty() || m_removedWeights[step] == 0);
}

std::size_t StepChanges::countSeen() const
{
    std::size_t at = m_all.size();
    while (at > 0 && !isSeen(at - 1))
        --at;
    return at;
}

} // namespace cutaway::views
