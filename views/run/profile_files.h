// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

// Each of these functions asks for a file first; errors are shown where runs are.

/// Makes a saved profile the last one.
void openProfile(Session &session, QWidget *window);
/// Does nothing if there is no profile.
void saveProfile(Session &session, QWidget *window);
/// Compares the last profile and later ones with a saved one.
void compareProfile(Session &session, QWidget *window);

} // namespace cutaway::views
