// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with the list of the user's bookmarks, in which the notes on them are written.
QWidget *makeBookmarks(Session &session, QWidget *parent);

} // namespace cutaway::views
