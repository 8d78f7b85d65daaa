// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// What the file is and holds as a whole.
QWidget *makeSummary(Session &session, QWidget *parent);

} // namespace cutaway::views
