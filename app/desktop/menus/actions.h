// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <functional>
#include <vector>

class QMenu;
class QMenuBar;

namespace cutaway::views {
class Session;
}

namespace cutaway::desktop {

/// The actions in the menus of a window. An action that works on a session is enabled only while the session in front
/// has what the action needs.
class Actions : public QObject {
    Q_OBJECT

public:
    using Act = std::function<void(views::Session &)>;
    using Condition = std::function<bool(const views::Session &)>;

    /// `front` returns the session in front; nullptr if there is none.
    Actions(QMenuBar &bar, std::function<views::Session *()> front);

    /// Returns the session in front; nullptr if there is none.
    views::Session *session() const { return m_front(); }

    QMenu &addMenu(const QString &title);
    QAction *add(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                 std::function<void()> run);
    /// Adds an action that works on the session in front. It is enabled while that fulfils `isUseful`.
    QAction *add(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut, Act act,
                 Condition isUseful);
    /// Adds a menu that `fill` fills again each time it opens. Its actions are not part of all().
    void addFilled(QMenu &menu, const QString &title, std::function<void(QMenu &)> fill);
    void onlyWhile(QAction *action, Condition isUseful);
    void ticked(QAction *action, Condition isOn);

    /// Evaluates the conditions again, and enables and ticks the actions accordingly.
    void update();
    /// Calls update() on each change in the session in front that conditions depend on, as long as `context` lives.
    void follow(QObject &context);
    /// Returns all actions, in the order of the menus.
    QList<QAction *> all() const;

private:
    QMenuBar &m_bar;
    std::function<views::Session *()> m_front;
    std::vector<std::pair<QAction *, Condition>> m_conditions, m_ticks;
    std::vector<const QMenu *> m_filled;
};

// Conditions that several actions use.

/// Returns true, since conditions are evaluated only while a model is open.
inline bool isOpen(const views::Session &) { return true; }
/// Whether the model has a graph.
bool hasGraph(const views::Session &session);
bool isSelected(const views::Session &session);
/// Whether passes have run.
bool hasSteps(const views::Session &session);

} // namespace cutaway::desktop
