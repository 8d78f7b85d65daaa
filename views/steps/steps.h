// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the bar above the graph to go through the steps of passes; it is hidden while there are none.
QWidget *makeStepBar(Session &session, QWidget *parent);

} // namespace cutaway::views
