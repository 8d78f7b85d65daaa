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

/// Returns the source that a session was made of.
Source sourceOf(const SavedSession &session);

/// Restores saved sessions in pages, and opens the pages that were beside them.
class RestoredPages {
public:
    /// Opens a source in a pane and, if `wanted` is a session, restores it there. The keyboard focus stays where it is,
    /// since the user has not asked for this page.
    using Open = std::function<void(const Source &source, Pane &pane, std::optional<SavedSession> wanted)>;

    RestoredPages(Panes &panes, const KeptPages &kept, Lockstep &lockstep, Open open);

    /// Restores a session in a page, whose banner lists what does not fit the model or was not found. Precondition: the
    /// page has a model.
    void restore(ModelPage &page, const SavedSession &saved) const;
    /// Restores the kept session of the page's file, if there is one.
    void restoreKept(ModelPage &page) const;

private:
    QStringList bringBeside(const ModelPage &page, const SavedSession &saved) const;

    Panes &m_panes;
    const KeptPages &m_kept;
    Lockstep &m_lockstep;
    Open m_open;
};

} // namespace cutaway::desktop
