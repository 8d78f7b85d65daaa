// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tool bar: actions of menus that are used most, and two menus as buttons.
#include "app/desktop/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace cutaway::desktop {

QWidget *MainWindow::makeColouringButton(QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setMenu(m_colouringMenu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tr("What colours the nodes"));
    QAction *whole = m_colouringMenu->menuAction();
    connect(whole, &QAction::changed, button, [button, whole] { button->setEnabled(whole->isEnabled()); });
    const auto tell = [this, button] {
        const QAction *chosen = m_colourings->checkedAction();
        button->setText(tr("Colour by: %1 ▾").arg(chosen ? chosen->text() : QString()));
    };
    connect(this, &MainWindow::colouringShown, button, tell);
    tell();
    return button;
}

/// Exports a picture; its menu has the rest.
QWidget *MainWindow::makeExportButton(QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setObjectName("export");
    button->setDefaultAction(m_exportMenu->actions().front());
    button->setMenu(m_exportMenu);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    return button;
}

void MainWindow::makeToolBar()
{
    QToolBar *bar = addToolBar(tr("Tools"));
    bar->setObjectName("tools");
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [&](const QString &iconName) {
        for (QAction *action : allActions())
            if (action->property("icon-name").toString() == iconName)
                bar->addAction(action);
    };
    for (const char *name : {"open", "", "search", "costliest", "", "shallower", "deeper", "", "zoom-out", "zoom-in",
                             "fit", "", "panel-left", "panel", "panel-right", "", "run"}) {
        if (*name)
            add(name);
        else
            bar->addSeparator();
    }
    bar->addSeparator();
    bar->addWidget(makeColouringButton(bar));
    bar->addWidget(makeExportButton(bar));
    auto *space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    add("commands");
    add("theme");
}

} // namespace cutaway::desktop
