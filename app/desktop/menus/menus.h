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

// The menus of the window, in their order. They contain all actions; the tool bar repeats those that are used most.

/// Parts of the File menu that are used elsewhere, too.
struct FileMenu {
    QMenu &exports;
    QAction *openBeside, *close; ///< also in the menu of a tab
};
/// Makes the menu that opens, saves, exports and closes files.
FileMenu makeFileMenu(Actions &actions, MainWindow &window, const QSettings &settings, Saving &saving);

/// Makes the menu with undo, copying, pasting, bookmarks, the selection and searching.
void makeEditMenu(Actions &actions, QUndoGroup &edits, Exports &exports, MainWindow &window);

/// Parts of the View menu that are used elsewhere, too.
struct ViewMenu {
    ColouringMenu &colouring; ///< owned by the menu
    QList<QAction *> ofTabs;  ///< further actions for the menu of a tab
};
/// Makes the menu with levels, zoom, panes, panels, colours, hidden nodes and the theme.
ViewMenu makeViewMenu(Actions &actions, Pages &pages, Docking &docks, QSettings &settings, SessionDefaults &defaults,
                      Status &status, const std::function<void(views::Theme)> &setTheme);

/// Makes the menu that runs passes and chooses how their steps are shown.
void makePassesMenu(Actions &actions, Docking &docks);

/// Makes the menu that runs and profiles the model, and opens and saves profiles.
void makeRunMenu(Actions &actions, Docking &docks, SessionDefaults &defaults, QWidget &window);

/// Makes the menu that goes to the costliest node, earlier selections, panels, tabs and bookmarks.
void makeGoMenu(Actions &actions, Pages &pages, Docking &docks, Status &status);

/// Makes the menu with the manual, which opens at the page about the focused view, and the list of shortcuts.
void makeHelpMenu(Actions &actions, const Docking &docks, QMainWindow &window);

/// Makes the tool bar with the actions that are used most, the choice of colours and the menu of exports.
void makeToolBar(QMainWindow &window, const Actions &actions, ColouringMenu &colouring, QMenu &exports);

} // namespace cutaway::desktop
