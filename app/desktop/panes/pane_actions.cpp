// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's actions on panes and tabs.
#include "app/desktop/main_window.h"
#include "app/desktop/panes/panes.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

namespace cutaway::desktop {

/// Several models beside each other, or one of them twice.
void MainWindow::makePaneActions(QMenu &menu)
{
    QAction *again = addAction(
        menu, {}, tr("&Duplicate view"), tr("Ctrl+\\"), [this] { m_pages->openBeside(m_pages->current()->path()); },
        true);
    m_tabActions.insert(1, again);
    const auto addMove = [&](const QString &text, const QString &keys, int by) {
        QAction *move = addAction(menu, {}, text, keys, [this, by] {
            if (ModelPage *page = m_pages->current())
                m_pages->panes().move(*page, by);
        });
        move->setEnabled(false);
        connect(m_pages, &Pages::currentChanged, move, [this, move, by] {
            const ModelPage *page = m_pages->current();
            move->setEnabled(page && m_pages->panes().canMove(*page, by));
        });
        m_tabActions.insert(m_tabActions.size() - 1, move);
    };
    addMove(tr("Move tab &right"), tr("Ctrl+Alt+Right"), 1);
    addMove(tr("Move tab l&eft"), tr("Ctrl+Alt+Left"), -1);
    QAction *inStep = addAction(menu, {}, tr("S&ynchronize views"), tr("Ctrl+Alt+S"), [this] {
        m_settings->setValue("in-step", !m_pages->lockstep().isOn());
        m_pages->lockstep().setOn(!m_pages->lockstep().isOn());
        updateActions();
    });
    onlyWhile(inStep, [] { return true; });
    ticked(inStep, [this] { return m_pages->lockstep().isOn(); });
}

void MainWindow::showTabMenu(const QPoint &at)
{
    QMenu menu(this);
    menu.addActions(m_tabActions);
    menu.exec(at);
}

} // namespace cutaway::desktop
