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

/// A session as it is, without the name of its file. `canvas`: where the view is, or nullptr.
SavedSession stateOf(const views::Session &session, const views::Canvas *canvas);

/// What of a saved session a model does not have.
struct Unfit {
    QStringList problems; ///< sentences for the user
    SavedSession rest;    ///< what the user has made and must not be lost: bookmarks, passes, sizes, times
};

/// Brings a session into the state of a saved one, as far as its model has what that names. All but what is looked at
/// can be undone. `canvas`: nullptr if the view is to stay.
Unfit restore(const SavedSession &saved, views::Session &session, views::Canvas *canvas);

/// Adds what an earlier restore() had to leave out and nothing has replaced since.
void addRest(SavedSession &session, const SavedSession &rest);

} // namespace cutaway::desktop
