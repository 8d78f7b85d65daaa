// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <functional>

class QAction;
class QWidget;

namespace cutaway::views {

/// Shows a list of actions over `window`, filtered by the typed text; Enter runs the chosen one. The list closes by
/// itself. Its last row calls `find` with the typed text, which searches the graph; if `find` is empty, there is no
/// such row.
void showCommandPalette(const QList<QAction *> &actions, QWidget *window,
                        const std::function<void(const QString &)> &find = {});

} // namespace cutaway::views
