// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// What is alive over the steps of a run, and what that is at one of them.
QWidget *makeMemoryView(Session &session, QWidget *parent);

} // namespace cutaway::views
