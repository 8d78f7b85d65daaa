// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The pipeline that is to run, the steps that came of it, and their totals.
QWidget *makePassesView(Session &session, QWidget *parent);

} // namespace cutaway::views
