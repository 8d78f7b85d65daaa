// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/kept_sessions.h"

namespace cutaway::desktop {

class Lockstep;
class ModelPage;
class Panes;

/// Returns the session of a page, without those of the pages beside it. Precondition: the page has a model.
SavedSession ownSession(const ModelPage &page);

/// Saves the sessions of pages, and a picture of each, for the next time that their files are opened. There is one
/// session for a file, with the bookmarks of all of its views.
class KeptPages {
public:
    KeptPages(QString folder, const Panes &panes, const Lockstep &lockstep)
        : m_sessions(std::move(folder)),
          m_panes(panes),
          m_lockstep(lockstep)
    {
    }

    const KeptSessions &sessions() const { return m_sessions; }
    /// Makes sessions that are restored later use the present device in place of the saved one, since the user has
    /// named the present one for this start.
    void leaveDevice() { m_leavesDevice = true; }
    /// Returns the session that was kept for a file; see KeptSessions::of().
    std::optional<Result<SavedSession>> of(const QString &path) const;
    /// Returns the session of a page, with those of the pages to its right. Precondition: the page has a model.
    SavedSession sessionOf(const ModelPage &page) const;

    /// Saves the session of a page's file as its first view has it, whichever view has changed. Nothing is saved before
    /// the first picture, since only the picture shows which boxes are open. Nothing is saved for a temporary file,
    /// which is removed with its last page. Errors: the session cannot be written.
    Result<void> keep(const ModelPage &changed) const;
    /// Saves the session and pictures of a page that closes. Errors are ignored: no page is left to show them.
    void keepClosing(const ModelPage &page) const;
    /// Gives the bookmarks of a page that closes to the other views of its file, whose sessions then keep them.
    void handBookmarksOn(const ModelPage &page) const;
    /// Writes the session of a page to a file; the paths of models and node data are relative to its folder. Errors:
    /// the file cannot be written.
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
