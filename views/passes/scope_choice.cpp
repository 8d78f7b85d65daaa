// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/scope_choice.h"

#include "core/ir/context.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <algorithm>

namespace cutaway::views {

ScopeChoice::ScopeChoice(Session &session, QWidget *parent)
    : QComboBox(parent),
      m_document(session.document()),
      m_navigation(session.navigation()),
      m_stepping(session.stepping())
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(10);
    setToolTip(tr("Show only changes in this module; the list follows the selection"));
    setAccessibleName(tr("Module"));
    connect(this, &QComboBox::activated, this,
            [this](int i) { m_stepping.display().setScope(ir::ScopeId{itemData(i).toUInt()}); });
    connect(&session.navigation(), &Navigation::selectionChanged, this, &ScopeChoice::fill);
    connect(&session.document(), &Document::functionChanged, this, &ScopeChoice::fill);
    connect(&session.stepping(), &Stepping::viewChanged, this, &ScopeChoice::fill);
    fill();
}

void ScopeChoice::fill()
{
    const ir::Context &context = *m_document.model().context;
    const ir::ScopeId chosen = m_stepping.display().scope();
    std::vector<ir::ScopeId> scopes =
        chainTo(context, scopeOf(m_navigation.selectedFunction(), m_navigation.selection()));
    if (chosen != ir::ScopeId{} && !std::ranges::contains(scopes, chosen))
        scopes.insert(scopes.begin(), chosen);
    clear();
    addItem(tr("Whole graph"), 0U);
    for (const ir::ScopeId scope : scopes)
        addItem(shown(context.text(context.at(scope).path)), scope.index);
    setCurrentIndex(std::max(0, findData(chosen.index)));
}

} // namespace cutaway::views
