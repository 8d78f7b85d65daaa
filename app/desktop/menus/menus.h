// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <functional>

class QAction;
class QMainWindow;
class QMenu;
class QSettings;
class QUndoGroup;
class QWidget;

namespace cutaway::views {
enum class Theme;
}

namespace cutaway::desktop {

class Actions;
class ColouringMenu;
class Docking;
class Exports;
class MainWindow;
class Pages;
class Saving;
class SessionDefaults;
class Status;

// The menus of the window, in their order. Every action is in one; the tool bar repeats the most used.

/// Parts of the menu that stand elsewhere, too.
struct FileMenu {
    QMenu &exports;
    QAction *openBeside, *close; ///< also for a tab
};
/// Has what is opened, saved, exported and closed.
FileMenu makeFileMenu(Actions &actions, MainWindow &window, const QSettings &settings, Saving &saving);

/// Undo, what was copied, bookmarks, copies, the selection and what is found.
void makeEditMenu(Actions &actions, QUndoGroup &edits, Exports &exports, MainWindow &window);

/// Parts of the menu that stand elsewhere, too.
struct ViewMenu {
    ColouringMenu &colouring; ///< the menu owns it
    QList<QAction *> ofTabs;  ///< also for a tab
};
/// Levels, zoom, panes, panels, colours, what is hidden, and the theme.
ViewMenu makeViewMenu(Actions &actions, Pages &pages, Docking &docks, QSettings &settings, SessionDefaults &defaults,
                      Status &status, const std::function<void(views::Theme)> &setTheme);

/// Running passes, and how their steps are shown.
void makePassesMenu(Actions &actions, Docking &docks);

/// Running and profiling the model, and saved profiles.
void makeRunMenu(Actions &actions, Docking &docks, SessionDefaults &defaults, QWidget &window);

/// The costliest node, earlier selections, panels, tabs and bookmarks.
void makeGoMenu(Actions &actions, Pages &pages, Docking &docks, Status &status);

/// The manual, which opens where the keyboard is, and what is made of the menus: the list of shortcuts.
void makeHelpMenu(Actions &actions, const Docking &docks, QMainWindow &window);

/// The most used actions, the choice of colours and the menu of exports.
void makeToolBar(QMainWindow &window, const Actions &actions, ColouringMenu &colouring, QMenu &exports);

} // namespace cutaway::desktop
