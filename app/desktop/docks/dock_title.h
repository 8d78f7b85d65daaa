// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDockWidget;
class QMainWindow;

namespace cutaway::desktop {

/// Gives a dock a flat title bar with buttons in the theme's colours; a dock in a tab group has none, since its tab
/// shows the title.
void keepTitle(QMainWindow &window, QDockWidget &dock);

} // namespace cutaway::desktop
