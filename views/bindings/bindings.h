// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The sizes and inputs that the file leaves open, and those that it fixes, to be replaced. When the user sets one, all
/// figures are updated.
QWidget *makeBindingsView(Session &session, QWidget *parent);

} // namespace cutaway::views
