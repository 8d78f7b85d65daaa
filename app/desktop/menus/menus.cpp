// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the main window. Every one is in a menu; the tool bar repeats the most used.
#include "app/desktop/main_window.h"

#include "views/appearance/icon.h"
#include "views/session/session.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace cutaway::desktop {

QAction *MainWindow::addAction(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                               std::function<void()> run, bool needsSession)
{
    QAction *action = menu.addAction(text);
    if (!icon.isEmpty())
        action->setIcon(views::icon(icon));
    action->setProperty("icon-name", icon);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    QString tip = QString(text).remove('&').remove(QChar(0x2026));
    if (!shortcut.isEmpty())
        tip += QStringLiteral(" (%1)").arg(shortcut.toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    if (needsSession)
        m_sessionActions.push_back(action);
    return action;
}

void MainWindow::onlyWhile(QAction *action, std::function<bool()> isUseful)
{
    m_conditions.emplace_back(action, std::move(isUseful));
}

QAction *MainWindow::ofGraph(QAction *action)
{
    onlyWhile(action, [this] { return !showsWeights(); });
    return action;
}

void MainWindow::ticked(QAction *action, std::function<bool()> isOn)
{
    action->setCheckable(true);
    m_ticks.emplace_back(action, std::move(isOn));
}

void MainWindow::updateActions()
{
    for (const auto &[action, isUseful] : m_conditions)
        action->setEnabled(session() && isUseful());
    for (const auto &[action, isOn] : m_ticks)
        action->setChecked(session() && isOn());
}

void MainWindow::makeMenus()
{
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makePassesMenu();
    makeRunMenu();
    makeGoMenu();
    makeHelpMenu();
}

QList<QAction *> MainWindow::allActions() const
{
    QList<QAction *> actions;
    for (const QMenu *menu : menuBar()->findChildren<QMenu *>())
        if (menu != m_recent && menu != m_bookmarks)
            actions += menu->actions();
    return actions;
}

} // namespace cutaway::desktop
