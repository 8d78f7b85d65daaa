// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The diagnostics of reading and analysing the file and what the default rules of lint find in the function that is
/// shown; a click reveals the node of one.
QWidget *makeDiagnosticsView(Session &session, QWidget *parent);

} // namespace cutaway::views
