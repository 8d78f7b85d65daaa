// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <Qt>
#include <vector>

class QDockWidget;
class QMainWindow;
class QString;
class QTreeView;
class QWidget;

namespace cutaway::desktop {

/// The docks of a window, a widget for each of docks() in that order: where they are and which are shown. They are all
/// hidden at first.
class Docking {
public:
    explicit Docking(QMainWindow &window);

    const std::vector<QDockWidget *> &all() const { return m_docks; }
    /// Puts views, in the order of docks(), into the docks.
    void fill(const std::vector<QWidget *> &views);
    /// Shows the docks as they were arranged last, or hides all of them.
    void setShown(bool isShown);
    /// The arrangement of the docks while they are shown, for a later window; empty before they were.
    QByteArray arrangement() const;
    void setArrangement(QByteArray arrangement) { m_arrangement = std::move(arrangement); }

    /// Raises a dock and gives it the keyboard.
    void show(QDockWidget &dock);
    /// False if no dock has this name.
    bool show(const QString &name);
    /// Hides or shows the docks of a side. The dock that was on top is on top again when the side comes back.
    void toggle(Qt::DockWidgetArea area);
    /// Raises the views of the selection above their tabs.
    void raiseForSelection();
    /// Raises the summary above a dock that follows the selection, which shows nothing while nothing is selected.
    void raiseInsteadOfSelection();
    /// The table with the keyboard, or else the one that is in sight, those below the graph first; or nullptr.
    QTreeView *tableInSight() const;

private:
    void arrange();
    std::vector<QDockWidget *> in(Qt::DockWidgetArea area) const;

    QMainWindow &m_window;
    std::vector<QDockWidget *> m_docks;
    QByteArray m_arrangement; ///< while they are hidden
    bool m_isShown = false;
};

/// Whether a widget is behind the tab of another dock: Qt puts such docks outside of the window, and does not hide rows
/// of no tabs.
bool isOutOfSight(const QWidget &widget);

} // namespace cutaway::desktop
