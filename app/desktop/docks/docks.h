// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>
#include <span>

class QWidget;

namespace cutaway::views {
class Session;
}

namespace cutaway::desktop {

/// A view in a dock of the main window. Docks of one area are tabs, the first on top.
struct Dock {
    const char *name;  ///< never change it: the saved arrangement refers to it
    const char *title; ///< to be translated
    Qt::DockWidgetArea area;
    QWidget *(*make)(views::Session &session, QWidget *parent);
    const char *shortcut; ///< shows and focuses the dock, or ""
    /// Tabs of one group stand together. Views of the selection are raised above their tabs when something is selected.
    enum class Group { Beside, Selection, Costs, Data, Results } group;
    const char *manual; ///< the page about it
};

/// All docks; a new view is one line there.
std::span<const Dock> docks();

} // namespace cutaway::desktop
