// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view that runs and profiles the model that is shown: settings, progress and results.
QWidget *makeRunView(Session &session, QWidget *parent);

} // namespace cutaway::views
