// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDockWidget;
class QMainWindow;

namespace cutaway::desktop {

/// Gives a dock a flat title with buttons in the theme's colours. Among tabs it has none: the tab is its title.
void keepTitle(QMainWindow &window, QDockWidget &dock);

} // namespace cutaway::desktop
