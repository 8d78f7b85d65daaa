// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <functional>

class QAction;
class QWidget;

namespace cutaway::views {

/// Shows a list of actions over `window`, filtered by what is typed; Enter runs the chosen one. Closes by itself.
/// `find`: searches the graph for what is typed, which the last row offers; empty: there is no graph.
void showCommandPalette(const QList<QAction *> &actions, QWidget *window,
                        const std::function<void(const QString &)> &find = {});

} // namespace cutaway::views
