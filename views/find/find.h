// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes a line for a query, and the list of what it finds; words alone find modules, inputs and weights, too. A
/// malformed query is marked, with the reason below it. The line is the widget's focus proxy.
QWidget *makeFindView(Session &session, QWidget *parent);

} // namespace cutaway::views
