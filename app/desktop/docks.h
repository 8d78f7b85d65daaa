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

/// A view that stands in a dock of the main window. Docks of one area are tabs, the first on top.
struct Dock {
    const char *name;  ///< stable: the layout that the user chose is kept by it
    const char *title; ///< to be translated
    Qt::DockWidgetArea area;
    QWidget *(*make)(views::Session &session, QWidget *parent);
    const char *shortcut;          ///< shows the dock and puts the cursor into it, or ""
    bool followsSelection = false; ///< comes to the front of its tabs when something is selected
};

/// All docks: one more view is one more line there.
std::span<const Dock> docks();

} // namespace cutaway::desktop
