// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Canvas;
class Session;

/// The picture of the current function, with the path of the selection above it.
QWidget *makeGraphView(Session &session, QWidget *parent);

/// The canvas that is in sight in such a view; of two beside each other the one with the keyboard, or else the first.
Canvas &shownCanvas(const QWidget &graphView);

} // namespace cutaway::views
