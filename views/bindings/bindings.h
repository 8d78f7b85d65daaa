// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view where the user sets the sizes and inputs that the file leaves open, and replaces those that it fixes.
/// Each change updates all figures.
QWidget *makeBindingsView(Session &session, QWidget *parent);

} // namespace cutaway::views
