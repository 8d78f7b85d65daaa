// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view of the shown function as text: the code of the file, Python files that stack traces name, the graph,
/// or the file's record. Moving the caret selects the node of the line; the lines of the selected node are marked.
QWidget *makeSourceView(Session &session, QWidget *parent);

} // namespace cutaway::views
