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

/// The docks of a window, one for each entry of docks() and in that order. It keeps where they are and which are shown.
/// They are all hidden at first.
class Docking {
public:
    explicit Docking(QMainWindow &window);

    const std::vector<QDockWidget *> &all() const { return m_docks; }
    /// Puts views, in the order of docks(), into the docks.
    void fill(const std::vector<QWidget *> &views);
    /// Shows the docks as they were arranged last, or hides all of them.
    void setShown(bool isShown);
    /// Returns the arrangement of the docks for a later window; empty if they were never shown.
    QByteArray arrangement() const;
    void setArrangement(QByteArray arrangement) { m_arrangement = std::move(arrangement); }

    /// Raises a dock and gives it the keyboard focus.
    void show(QDockWidget &dock);
    /// Raises the dock of this name; false if there is none.
    bool show(const QString &name);
    /// Hides or shows the docks of a side. The dock that was on top is on top again when the side comes back.
    void toggle(Qt::DockWidgetArea area);
    /// Raises the docks that show the selection above the other tabs.
    void raiseForSelection();
    /// Raises the summary above a dock that shows the selection, which is empty while nothing is selected.
    void raiseInsteadOfSelection();
    /// Returns the table that has the keyboard focus, or else a visible one, preferably below the graph; nullptr if
    /// there is none.
    QTreeView *tableInSight() const;

private:
    void arrange();
    std::vector<QDockWidget *> in(Qt::DockWidgetArea area) const;

    QMainWindow &m_window;
    std::vector<QDockWidget *> m_docks;
    QByteArray m_arrangement; ///< the arrangement that the docks get when they are shown
    bool m_isShown = false;
};

/// Whether a widget is in a dock behind the tab of another one, or in a tab bar without tabs. Qt moves both out of the
/// window rather than hiding them.
bool isOutOfSight(const QWidget &widget);

} // namespace cutaway::desktop
