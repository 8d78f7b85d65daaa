// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view of the shown step's changes as a unified diff of the printed graphs.
QWidget *makeTextDiff(Session &session, QWidget *parent);

} // namespace cutaway::views
