// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/dock_tabs.h"

#include "app/desktop/docks/docks.h"

#include <QDockWidget>
#include <QFrame>
#include <QKeySequence>
#include <QMainWindow>
#include <QTabBar>
#include <QTimer>
#include <algorithm>

namespace cutaway::desktop {
namespace {

/// Returns the entry of docks() whose dock has this title; nullptr if none has.
const Dock *dockOf(const std::vector<QDockWidget *> &all, const QString &title)
{
    const auto found = std::ranges::find(all, title, [](const QDockWidget *dock) { return dock->windowTitle(); });
    return found == all.end() ? nullptr : &docks()[std::size_t(found - all.begin())];
}

QWidget *makeLine(QTabBar &bar)
{
    auto *line = new QFrame(&bar);
    line->setFrameShape(QFrame::VLine);
    line->setFixedSize(1, bar.fontMetrics().height());
    line->setForegroundRole(QPalette::Mid);
    return line;
}

void tell(QTabBar &bar, const std::vector<QDockWidget *> &all)
{
    const Dock *before = nullptr;
    for (int i = 0; i < bar.count(); ++i) {
        const Dock *dock = dockOf(all, bar.tabText(i));
        if (!dock)
            continue;
        const QKeySequence keys(QString::fromLatin1(dock->shortcut));
        bar.setTabToolTip(i, QStringLiteral("%1 (%2)").arg(bar.tabText(i), keys.toString(QKeySequence::NativeText)));
        const bool begins = before && before->group != dock->group && dock->area == Qt::BottomDockWidgetArea;
        QWidget *line = bar.tabButton(i, QTabBar::LeftSide);
        if (begins && !line) {
            bar.setTabButton(i, QTabBar::LeftSide, makeLine(bar));
        } else if (!begins && line) {
            bar.setTabButton(i, QTabBar::LeftSide, nullptr);
            line->deleteLater();
        }
        before = dock;
    }
}

} // namespace

void tellTabs(QMainWindow &window, const std::vector<QDockWidget *> &all)
{
    // Qt regroups tabs only after these signals, so the tabs are updated a moment later.
    auto *settled = new QTimer(&window);
    settled->setSingleShot(true);
    settled->setInterval(0);
    QObject::connect(settled, &QTimer::timeout, &window, [&window, all] {
        for (QTabBar *bar : window.findChildren<QTabBar *>(Qt::FindDirectChildrenOnly))
            tell(*bar, all);
    });
    for (const QDockWidget *dock : all) {
        QObject::connect(dock, &QDockWidget::dockLocationChanged, settled, qOverload<>(&QTimer::start));
        QObject::connect(dock, &QDockWidget::topLevelChanged, settled, qOverload<>(&QTimer::start));
        QObject::connect(dock, &QDockWidget::visibilityChanged, settled, qOverload<>(&QTimer::start));
    }
}

} // namespace cutaway::desktop
