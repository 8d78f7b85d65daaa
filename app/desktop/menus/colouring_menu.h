// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/annotations/colouring.h"

#include <QObject>

class QAction;
class QActionGroup;
class QMenu;

namespace cutaway::views {
class Session;
}

namespace cutaway::desktop {

class Actions;
class SessionDefaults;
class Status;

/// The menu View ▸ Colour by. It sets the colouring of the session in front, which later sessions get, too, and opens
/// the table of node data, whose columns it lists.
class ColouringMenu : public QObject {
    Q_OBJECT

public:
    /// Adds the menu to `view`, which owns this object.
    ColouringMenu(QMenu &view, Actions &actions, SessionDefaults &defaults, Status &status);

    QMenu &menu() { return m_menu; }
    /// Returns the text of the checked colouring.
    QString chosen() const;
    /// Sets the colouring of the session in front and, unless it colours by a column, that of later sessions.
    void choose(const views::Colouring &colouring);
    /// Lists the columns of the session in front, if there is one, and checks its colouring.
    void showColumns();
    /// Follows the session in front as long as `context` lives: boxes are coloured by new times and statistics.
    void follow(views::Session &session, QObject &context);

signals:
    /// Emitted when another colouring is checked, or the list of columns has changed.
    void shown();

private:
    void add(const views::Colouring &colouring, QAction *before);
    void showColouring();
    void chooseNodeData(views::Session &session);
    void openNodeData(views::Session &session, const QString &path);

    QMenu &m_menu;
    Actions &m_actions;
    SessionDefaults &m_defaults;
    Status &m_status;
    QActionGroup *m_group;
    QAction *m_columnsEnd; ///< the separator after the columns of node data
};

} // namespace cutaway::desktop
