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

/// Returns the present state of a session, without the name of its file. `canvas`: where the view is, or nullptr.
SavedSession stateOf(const views::Session &session, const views::Canvas *canvas);

/// The parts of a saved session that do not fit a model.
struct Unfit {
    QStringList problems; ///< sentences for the user
    SavedSession rest;    ///< the user's work, which must not be lost: bookmarks, passes, sizes, times, traces
};

/// Brings a session into the state of a saved one, as far as its model has the boxes and values that `saved` names.
/// Changes of sizes, passes, device, hidden categories and bookmarks can be undone. `canvas`: nullptr if the view is to
/// stay.
Unfit restore(const SavedSession &saved, views::Session &session, views::Canvas *canvas);

/// Adds to `session` what an earlier restore() had to leave out, unless something has replaced it since.
void addRest(SavedSession &session, const SavedSession &rest);

} // namespace cutaway::desktop
