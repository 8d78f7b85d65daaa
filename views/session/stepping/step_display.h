// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <QObject>

namespace cutaway::views {

/// The user's settings for the display of steps.
class StepDisplay : public QObject {
    Q_OBJECT

public:
    /// Which states of a step are drawn.
    enum class View {
        Before,
        Both, ///< in one picture
        After,
        SideBySide, ///< as two pictures, in which nodes have the same positions
    };

    View view() const { return m_view; }
    void setView(View view);
    /// Returns the module whose changes are shown; the root for all changes.
    ir::ScopeId scope() const { return m_scope; }
    void setScope(ir::ScopeId scope);
    /// Whether all steps are laid out at once, so that nodes keep their positions from one step to the next.
    bool holdsPlaces() const { return m_holdsPlaces; }
    void setHoldsPlaces(bool holds);
    /// Whether steps that change nothing are passed over.
    bool skipsUnchanged() const { return m_skipsUnchanged; }
    void setSkipsUnchanged(bool skips);
    /// Whether everything that a step did not change is faded, and the boxes with changes are opened.
    bool focusesChanges() const { return m_focusesChanges; }
    void setFocusesChanges(bool focuses);

signals:
    void scopeChanged();
    void placesChanged();
    void focusChanged();
    void changed(); ///< emitted when one of these settings has changed

private:
    View m_view = View::Both;
    ir::ScopeId m_scope;
    bool m_holdsPlaces = true;
    bool m_skipsUnchanged = true;
    bool m_focusesChanges = false;
};

} // namespace cutaway::views
