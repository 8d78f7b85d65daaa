// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/stepping/step_display.h"

namespace cutaway::views {

void StepDisplay::setView(View view)
{
    if (view == m_view)
        return;
    m_view = view;
    emit changed();
}

void StepDisplay::setScope(ir::ScopeId scope)
{
    m_scope = scope;
    emit scopeChanged();
    emit changed();
}

void StepDisplay::setHoldsPlaces(bool holds)
{
    m_holdsPlaces = holds;
    emit placesChanged();
    emit changed();
}

void StepDisplay::setSkipsUnchanged(bool skips)
{
    m_skipsUnchanged = skips;
    emit changed();
}

void StepDisplay::setFocusesChanges(bool focuses)
{
    m_focusesChanges = focuses;
    emit focusChanged();
    emit changed();
}

} // namespace cutaway::views
