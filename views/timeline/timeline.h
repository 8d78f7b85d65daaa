// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// One run of the last profile over time.
QWidget *makeTimelineView(Session &session, QWidget *parent);

} // namespace cutaway::views
