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

/// The actions in the menus of a window. Those on a session are enabled only while there is one in front that has what
/// they need.
class Actions : public QObject {
    Q_OBJECT

public:
    using Act = std::function<void(views::Session &)>;
    using Condition = std::function<bool(const views::Session &)>;

    /// `front` returns the session in front, or nullptr.
    Actions(QMenuBar &bar, std::function<views::Session *()> front);

    /// The session in front, or nullptr.
    views::Session *session() const { return m_front(); }

    QMenu &addMenu(const QString &title);
    QAction *add(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                 std::function<void()> run);
    /// Adds an action on the session in front.
    QAction *add(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut, Act act,
                 Condition isUseful);
    /// Adds a menu that `fill` fills anew whenever it opens. Its actions are not among all().
    void addFilled(QMenu &menu, const QString &title, std::function<void(QMenu &)> fill);
    void onlyWhile(QAction *action, Condition isUseful);
    void ticked(QAction *action, Condition isOn);

    /// Updates what is enabled and ticked.
    void update();
    /// Updates whenever something changes in the session in front that conditions depend on.
    void follow(QObject &context);
    /// All actions, by menu.
    QList<QAction *> all() const;

private:
    QMenuBar &m_bar;
    std::function<views::Session *()> m_front;
    std::vector<std::pair<QAction *, Condition>> m_conditions, m_ticks;
    std::vector<const QMenu *> m_filled;
};

// Conditions of many actions.

/// Whether there is a model: conditions are asked of those that are open.
inline bool isOpen(const views::Session &) { return true; }
/// Whether the model has a graph.
bool hasGraph(const views::Session &session);
bool isSelected(const views::Session &session);
/// Whether passes have run.
bool hasSteps(const views::Session &session);

} // namespace cutaway::desktop
