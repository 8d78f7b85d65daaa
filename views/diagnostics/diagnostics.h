// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with the diagnostics of reading and analysing the file, and with what the default rules of lint find
/// in the function that is shown. A click on one reveals its node.
QWidget *makeDiagnosticsView(Session &session, QWidget *parent);

} // namespace cutaway::views
