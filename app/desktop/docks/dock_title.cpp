// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/dock_title.h"

#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QTimer>
#include <QToolButton>

namespace cutaway::desktop {
namespace {

QToolButton *button(const QString &icon, const QString &toolTip, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setIcon(views::icon(icon));
    button->setIconSize({12, 12});
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QWidget *makeTitle(QDockWidget &dock)
{
    auto *title = new QWidget(&dock);
    auto *row = new QHBoxLayout(title);
    row->setContentsMargins(12, 4, 6, 4);
    row->setSpacing(2);
    auto *label = new QLabel(dock.windowTitle(), title);
    label->setFont(views::titleFont(1));
    QToolButton *floating = button("float", QObject::tr("Detach or dock"), title);
    QToolButton *close = button("close", QObject::tr("Close"), title);
    QObject::connect(floating, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    QObject::connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
    row->addWidget(label, 1);
    row->addWidget(floating);
    row->addWidget(close);
    return title;
}

} // namespace

void keepTitle(QMainWindow &window, QDockWidget &dock)
{
    QWidget *title = makeTitle(dock);
    auto *none = new QWidget(&dock);
    // Without a layout the widget's height would be -1, with this one it is 0.
    (new QHBoxLayout(none))->setContentsMargins({});
    dock.setTitleBarWidget(title);
    // Qt regroups tabs only after it has emitted the signals below, so a timer updates the title a moment later.
    auto *settled = new QTimer(&dock);
    settled->setSingleShot(true);
    QObject::connect(settled, &QTimer::timeout, &dock, [&window, &dock, title, none] {
        const bool tabbed = !dock.isFloating() && !window.tabifiedDockWidgets(&dock).isEmpty();
        if (dock.titleBarWidget() != (tabbed ? none : title)) {
            dock.titleBarWidget()->hide();
            dock.setTitleBarWidget(tabbed ? none : title);
            dock.titleBarWidget()->show();
        }
    });
    const auto settle = [settled] { settled->start(0); };
    QObject::connect(&dock, &QDockWidget::dockLocationChanged, settled, settle);
    QObject::connect(&dock, &QDockWidget::topLevelChanged, settled, settle);
    QObject::connect(&dock, &QDockWidget::visibilityChanged, settled, settle);
    settle();
}

} // namespace cutaway::desktop
