// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Help: the manual, which opens where the keyboard is, and what is made of the menus: the list of shortcuts.
#include "app/desktop/main_window.h"

#include "app/desktop/docks/docks.h"
#include "app/desktop/manual.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
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

/// The shortcuts of a menu and of the menus in it, a row each.
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

} // namespace

void MainWindow::makeHelpMenu()
{
    QMenu &help = *menuBar()->addMenu(tr("&Help"));
    addAction(help, {}, tr("&Manual"), QKeySequence::HelpContents, [this] {
        const auto at = std::ranges::find_if(
            m_docks, [](const QDockWidget *dock) { return dock->isAncestorOf(QApplication::focusWidget()); });
        showManual(at == m_docks.end() ? "reading.md" : docks()[std::size_t(at - m_docks.begin())].manual);
    });
    addAction(help, {}, tr("&Keyboard shortcuts"), tr("Ctrl+F1"), [this] { showShortcuts(); });
    addAction(help, {}, tr("&Query language"), {}, [this] { showManual("query.md#grammar"); });
    addAction(help, {}, tr("&What is new"), {}, [this] { showManual("changelog.md"); });
    help.addSeparator();
    addAction(help, {}, tr("&About Cutaway"), {}, [this] {
        QMessageBox::about(this, tr("About Cutaway"),
                           tr("Cutaway %1\n\nShows what is in TorchScript, torch.export and ONNX files.\n"
                              "Free software under the GNU General Public License, version 3 or later.")
                               .arg(QApplication::applicationVersion()));
    });
}

Manual &MainWindow::manual()
{
    if (!m_manual)
        m_manual = new Manual(this);
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
    return *m_manual;
}

void MainWindow::showManual(const QString &page) { manual().showPage(page); }

void MainWindow::showShortcuts()
{
    QString text = tr("# Keyboard shortcuts") + '\n';
    const auto add = [&](const QString &title, const QString &rows) {
        if (!rows.isEmpty())
            text += QStringLiteral("\n## %1\n\n| | |\n|---|---|\n%2").arg(title, rows);
    };
    for (const QAction *action : menuBar()->actions())
        if (const QMenu *menu = action->menu())
            add(menu->title().remove('&'), rowsOf(*menu));
    add(tr("In the graph"),
        row(tr("Producer, consumer"), tr("Up, Down")) + row(tr("Previous and next beside it"), tr("Left, Right"))
            + row(tr("Next box of the level"), tr("Shift+Up, Shift+Down"))
            + row(tr("Expand or collapse"), tr("Return, Space")) + row(tr("Zoom in, out, to 100 %"), tr("+, -, 0"))
            + row(tr("Clear selection"), tr("Esc"))
            + row(tr("Previous and next selection"), tr("Back and forward buttons of the mouse")));
    manual().showText(tr("Keyboard shortcuts"), text);
}

} // namespace cutaway::desktop
