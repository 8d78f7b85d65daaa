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

/// A view in a dock of the main window. Docks of one area are tabs, with the first on top.
struct Dock {
    const char *name;  ///< never change it: the saved arrangement refers to it
    const char *title; ///< the title, not yet translated
    Qt::DockWidgetArea area;
    QWidget *(*make)(views::Session &session, QWidget *parent);
    const char *shortcut; ///< the shortcut that shows and focuses the dock, or ""
    /// Tabs of one group stand together. Views of the selection are raised above the other tabs when something is
    /// selected.
    enum class Group { Beside, Selection, Costs, Data, Results } group;
    const char *manual; ///< the page of the manual about the dock
};

/// Returns all docks. A new view is a new entry of this table.
std::span<const Dock> docks();

} // namespace cutaway::desktop
