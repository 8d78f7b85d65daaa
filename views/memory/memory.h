// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with the live memory over the steps of a run, and the live values at one step.
QWidget *makeMemoryView(Session &session, QWidget *parent);

} // namespace cutaway::views
