// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/scope_choice.h"

#include "core/ir/context.h"
#include "views/parts/text.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <algorithm>

namespace cutaway::views {

ScopeChoice::ScopeChoice(Session &session, QWidget *parent) : QComboBox(parent), m_session(session)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(10);
    setToolTip(tr("The module whose changes are shown; select something in another module to see its own"));
    setAccessibleName(tr("Module"));
    connect(this, &QComboBox::activated, this,
            [this](int i) { m_session.stepping().setScope(ir::ScopeId{itemData(i).toUInt()}); });
    connect(&session, &Session::selectionChanged, this, &ScopeChoice::fill);
    connect(&session, &Session::functionChanged, this, &ScopeChoice::fill);
    connect(&session.stepping(), &Stepping::viewChanged, this, &ScopeChoice::fill);
    fill();
}

void ScopeChoice::fill()
{
    const ir::Context &context = *m_session.model().context;
    const ir::ScopeId chosen = m_session.stepping().scope();
    std::vector<ir::ScopeId> scopes = chainTo(context, scopeOf(m_session.selectedFunction(), m_session.selection()));
    if (chosen != ir::ScopeId{} && !std::ranges::contains(scopes, chosen))
        scopes.insert(scopes.begin(), chosen);
    clear();
    addItem(tr("Whole graph"), 0U);
    for (const ir::ScopeId scope : scopes)
        addItem(shown(context.text(context.at(scope).path)), scope.index);
    setCurrentIndex(std::max(0, findData(chosen.index)));
}

} // namespace cutaway::views
