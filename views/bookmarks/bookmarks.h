// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The user's bookmarks and the notes on them, which are written there.
QWidget *makeBookmarks(Session &session, QWidget *parent);

} // namespace cutaway::views
