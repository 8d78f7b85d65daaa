// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QDockWidget;
class QMainWindow;

namespace cutaway::desktop {

/// Gives the tabs of docks tool tips with their shortcuts and, below the graph, lines between groups. `all` has the
/// docks in the order of docks().
void tellTabs(QMainWindow &window, const std::vector<QDockWidget *> &all);

} // namespace cutaway::desktop
