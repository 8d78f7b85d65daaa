// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Canvas;
class Session;

/// Makes the view of the current function's graph, with the path of the selection above it.
QWidget *makeGraphView(Session &session, QWidget *parent);

/// Returns the visible canvas of such a view; of two the one with the keyboard focus, or else the first.
Canvas &shownCanvas(const QWidget &graphView);

} // namespace cutaway::views
