// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/kept_sessions.h"

namespace cutaway::desktop {

class Lockstep;
class ModelPage;
class Panes;

/// Returns the session of a page without the pages beside it. Precondition: the page has a model.
SavedSession ownSession(const ModelPage &page);

/// Keeps the sessions of the pages and a picture of each, so that they are there when their files are opened again. A
/// file is kept once, with the bookmarks of all of its views.
class KeptPages {
public:
    KeptPages(QString folder, const Panes &panes, const Lockstep &lockstep)
        : m_sessions(std::move(folder)),
          m_panes(panes),
          m_lockstep(lockstep)
    {
    }

    const KeptSessions &sessions() const { return m_sessions; }
    /// Makes kept sessions leave the device alone, since the user has named one for this start.
    void leaveDevice() { m_leavesDevice = true; }
    /// Returns what was kept of a file when it was closed, as KeptSessions::of() does.
    std::optional<Result<SavedSession>> of(const QString &path) const;
    /// Returns the session of a page with those of the pages to its right. Precondition: the page has a model.
    SavedSession sessionOf(const ModelPage &page) const;

    /// Keeps the session of the first view of a page's file, whichever view has changed. Nothing is kept before its
    /// first picture, since it is not known which boxes are open, and of a file that goes with its last page. Errors:
    /// it cannot be written.
    Result<void> keep(const ModelPage &changed) const;
    /// Keeps the session and pictures of a page that closes. There is nowhere to tell that something could not be kept.
    void keepClosing(const ModelPage &page) const;
    /// Gives the bookmarks of a page that closes to the other views of its file, whose sessions then keep them.
    void handBookmarksOn(const ModelPage &page) const;
    /// Writes the session of a page to a file that names its model from there. Errors: the file cannot be written.
    Result<void> save(const ModelPage &page, const QString &path) const;

private:
    void addBookmarksOfOthers(SavedSession &session, const ModelPage &page) const;
    void keepPictures(const ModelPage &page) const;

    KeptSessions m_sessions;
    const Panes &m_panes;
    const Lockstep &m_lockstep;
    bool m_leavesDevice = false;
};

} // namespace cutaway::desktop
