// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the timeline of one run: of the last profile, or of the trace that was opened in its place.
QWidget *makeTimelineView(Session &session, QWidget *parent);

} // namespace cutaway::views
