// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// What was found wrong or remarkable while the file was read and analysed; a click shows the node it is about.
QWidget *makeDiagnosticsView(Session &session, QWidget *parent);

} // namespace cutaway::views
