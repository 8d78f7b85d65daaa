// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

// The functions below ask the user for a file; the Run page shows their errors.

/// Opens a saved profile, which becomes the last one.
void openProfile(Session &session, QWidget *window);
/// Saves the last profile; does nothing if there is none.
void saveProfile(Session &session, QWidget *window);
/// Chooses the baseline that the last profile and later ones are compared with.
void compareProfile(Session &session, QWidget *window);

} // namespace cutaway::views
