// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tool bar: actions of menus that are used most, and two menus as buttons.
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/colouring_menu.h"
#include "app/desktop/menus/menus.h"

#include <QMainWindow>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace cutaway::desktop {
namespace {

QWidget *makeColouringButton(ColouringMenu &colouring, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setMenu(&colouring.menu());
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(QObject::tr("Colouring of nodes"));
    QAction *whole = colouring.menu().menuAction();
    QObject::connect(whole, &QAction::changed, button, [button, whole] { button->setEnabled(whole->isEnabled()); });
    const auto tell = [&colouring, button] { button->setText(QObject::tr("Colour by: %1 ▾").arg(colouring.chosen())); };
    QObject::connect(&colouring, &ColouringMenu::shown, button, tell);
    tell();
    return button;
}

/// Makes the button that exports a picture, with a menu of the other exports.
QWidget *makeExportButton(QMenu &exports, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setObjectName("export");
    button->setDefaultAction(exports.actions().front());
    button->setMenu(&exports);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    return button;
}

} // namespace

void makeToolBar(QMainWindow &window, const Actions &actions, ColouringMenu &colouring, QMenu &exports)
{
    QToolBar *bar = window.addToolBar(QObject::tr("Tools"));
    bar->setObjectName("tools");
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [&](const QString &iconName) {
        for (QAction *action : actions.all())
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
    bar->addWidget(makeColouringButton(colouring, bar));
    bar->addWidget(makeExportButton(exports, bar));
    auto *space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    add("commands");
    add("theme");
}

} // namespace cutaway::desktop
