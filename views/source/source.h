// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The shown function as text: the code of the file, Python files that stack traces name, the graph, the file's record.
/// The line of the caret selects a node; the lines of the selected node are marked.
QWidget *makeSourceView(Session &session, QWidget *parent);

} // namespace cutaway::views
