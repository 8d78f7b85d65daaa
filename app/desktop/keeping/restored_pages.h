// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"
#include "app/desktop/source.h"

#include <functional>

namespace cutaway::desktop {

class KeptPages;
class Lockstep;
class ModelPage;
class Pane;
class Panes;

/// Returns the source that a session is of.
Source sourceOf(const SavedSession &session);

/// Brings pages into the state of saved sessions, and opens again what stood beside them.
class RestoredPages {
public:
    /// Opens a source in a pane and restores a session there, if there is one. The user has not asked for it: another
    /// page keeps the keyboard.
    using Open = std::function<void(const Source &source, Pane &pane, std::optional<SavedSession> wanted)>;

    RestoredPages(Panes &panes, const KeptPages &kept, Lockstep &lockstep, Open open);

    /// Restores a session. The page's banner tells what does not fit or was not found. Precondition: the page has a
    /// model.
    void restore(ModelPage &page, const SavedSession &saved) const;
    /// Restores what was kept of the page's file when it was closed, if anything was.
    void restoreKept(ModelPage &page) const;

private:
    QStringList bringBeside(const ModelPage &page, const SavedSession &saved) const;

    Panes &m_panes;
    const KeptPages &m_kept;
    Lockstep &m_lockstep;
    Open m_open;
};

} // namespace cutaway::desktop
