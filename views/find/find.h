// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// A search line, and the nodes, modules, inputs and weights with its text in their name, operator or path.
/// The line is the widget's focus proxy.
QWidget *makeFindView(Session &session, QWidget *parent);

} // namespace cutaway::views
