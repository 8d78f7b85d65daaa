// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"
#include "app/desktop/docks/docks.h"
#include "app/desktop/manual.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/menus.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <algorithm>

namespace cutaway::desktop {
namespace {

QString row(const QString &what, const QString &keys)
{
    return QStringLiteral("| %1 | %2 |\n").arg(what, QString(keys).replace('\\', "\\\\").replace('|', "\\|"));
}

/// Returns a row of HTML for each shortcut of a menu and of its submenus.
QString rowsOf(const QMenu &menu)
{
    QString rows;
    for (const QAction *action : menu.actions())
        if (const QMenu *inner = action->menu())
            rows += rowsOf(*inner);
        else if (!action->shortcut().isEmpty())
            rows += row((action->data().isValid() ? action->data().toString() : action->text()).remove('&'),
                        action->shortcut().toString(QKeySequence::NativeText));
    return rows;
}

/// Shows the manual's window, of which there is one for each main window, and returns it.
Manual &shownManual(QWidget &window)
{
    auto *manual = window.findChild<Manual *>(QString(), Qt::FindDirectChildrenOnly);
    if (!manual)
        manual = new Manual(&window);
    manual->show();
    manual->raise();
    manual->activateWindow();
    return *manual;
}

void showShortcuts(QMainWindow &window)
{
    QString text = QObject::tr("# Keyboard shortcuts") + '\n';
    const auto add = [&](const QString &title, const QString &rows) {
        if (!rows.isEmpty())
            text += QStringLiteral("\n## %1\n\n| | |\n|---|---|\n%2").arg(title, rows);
    };
    for (const QAction *action : window.menuBar()->actions())
        if (const QMenu *menu = action->menu())
            add(menu->title().remove('&'), rowsOf(*menu));
    add(QObject::tr("In the graph"),
        row(QObject::tr("Producer, consumer"), QObject::tr("Up, Down"))
            + row(QObject::tr("Previous and next beside it"), QObject::tr("Left, Right"))
            + row(QObject::tr("Next box of the level"), QObject::tr("Shift+Up, Shift+Down"))
            + row(QObject::tr("Expand or collapse"), QObject::tr("Return, Space"))
            + row(QObject::tr("Zoom in, out, to 100 %"), QObject::tr("+, -, 0"))
            + row(QObject::tr("Clear selection"), QObject::tr("Esc"))
            + row(QObject::tr("Previous and next selection"), QObject::tr("Back and forward buttons of the mouse")));
    shownManual(window).showText(QObject::tr("Keyboard shortcuts"), text);
}

} // namespace

void makeHelpMenu(Actions &actions, const Docking &docks, QMainWindow &window)
{
    const auto showPage = [&window](const char *page) { shownManual(window).showPage(page); };
    QMenu &help = actions.addMenu(QObject::tr("&Help"));
    actions.add(help, {}, QObject::tr("&Manual"), QKeySequence::HelpContents, [&docks, showPage] {
        const auto at = std::ranges::find_if(
            docks.all(), [](const QDockWidget *dock) { return dock->isAncestorOf(QApplication::focusWidget()); });
        showPage(at == docks.all().end() ? "reading.md"
                                         : desktop::docks()[std::size_t(at - docks.all().begin())].manual);
    });
    actions.add(help, {}, QObject::tr("&Keyboard shortcuts"), QObject::tr("Ctrl+F1"),
                [&window] { showShortcuts(window); });
    actions.add(help, {}, QObject::tr("&Query language"), {}, [showPage] { showPage("query.md#grammar"); });
    actions.add(help, {}, QObject::tr("&What is new"), {}, [showPage] { showPage("changelog.md"); });
    help.addSeparator();
    actions.add(help, {}, QObject::tr("&About Cutaway"), {}, [&window] {
        QMessageBox::about(&window, QObject::tr("About Cutaway"),
                           QObject::tr("Cutaway %1\n\nShows what is in TorchScript, torch.export and ONNX files.\n"
                                       "Free software under the GNU General Public License, version 3 or later.")
                               .arg(QApplication::applicationVersion()));
    });
}

} // namespace cutaway::desktop
