// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with the pipeline, the steps of its last run, and their totals.
QWidget *makePassesView(Session &session, QWidget *parent);

} // namespace cutaway::views
