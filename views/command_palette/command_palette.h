// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QWidget;

namespace cutaway::views {

/// Shows a list of actions over `window`, filtered by what is typed; Enter runs the chosen one. Closes by itself.
void showCommandPalette(const QList<QAction *> &actions, QWidget *window);

} // namespace cutaway::views
