// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"

#include <QStringList>

namespace cutaway::views {
class Canvas;
class Session;
} // namespace cutaway::views

namespace cutaway::desktop {

/// Returns the state of a session, without its file's name. `canvas` has the visible area; nullptr: that is not saved.
SavedSession stateOf(const views::Session &session, const views::Canvas *canvas);

/// The parts of a saved session that do not fit a model.
struct Unfit {
    QStringList problems; ///< sentences for the user
    SavedSession rest;    ///< the user's work, which must not be lost: bookmarks, passes, sizes, times, traces
};

/// Restores a saved state in a session as far as possible: boxes and values that its model does not have are left out.
/// Changes of sizes, passes, device, hidden categories and bookmarks can be undone. `canvas` is moved to the saved
/// area; nullptr: the view stays.
Unfit restore(const SavedSession &saved, views::Session &session, views::Canvas *canvas);

/// Adds to `session` what an earlier restore() had to leave out, unless something has replaced it since.
void addRest(SavedSession &session, const SavedSession &rest);

} // namespace cutaway::desktop
