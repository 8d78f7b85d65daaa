// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// A line for a query, and the nodes that it finds; words alone find modules, inputs and weights, too. Where the text
/// is no query, the line shows the place and a message below it says why. The line is the widget's focus proxy.
QWidget *makeFindView(Session &session, QWidget *parent);

} // namespace cutaway::views
