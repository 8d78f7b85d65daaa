// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Shows the changes of the shown step as a unified diff of the printed graphs.
QWidget *makeTextDiff(Session &session, QWidget *parent);

} // namespace cutaway::views
