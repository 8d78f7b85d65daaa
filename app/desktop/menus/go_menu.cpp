// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Go: the costliest node, earlier selections, panels, tabs and bookmarks.
#include "app/desktop/main_window.h"

#include "app/desktop/docks/docks.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "views/command_palette/command_palette.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/measure.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

namespace cutaway::desktop {

/// Goes to the node with the most of the measure that colours the boxes, or else of FLOPs or bytes.
void MainWindow::goToCostliest()
{
    const auto figures = session()->analysing().figures();
    if (!figures)
        return statusBar()->showMessage(tr("Still analysing the model"), messageMs);
    const auto *measure = std::get_if<views::Measure>(&session()->analysing().colouring());
    for (const views::Measure each : {measure ? *measure : views::Measure::Flops, views::Measure::Bytes})
        if (const auto &nodes = figures->costliest(each); !nodes.empty()) {
            session()->navigation().reveal(nodes.front());
            const ir::NodeRef node(figures->function().graph, nodes.front());
            statusBar()->showMessage(
                tr("Costliest by %1: %2, %3")
                    .arg(views::title(each), views::shownName(node), figures->of(nodes.front(), each).text()),
                messageMs);
            return;
        }
    statusBar()->showMessage(tr("Costs unknown. Set the free dimensions in Bindings."), messageMs);
}

void MainWindow::fillBookmarkMenu()
{
    m_bookmarks->clear();
    const std::size_t count = session() ? session()->bookmarks().all().size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const views::Bookmark &bookmark = session()->bookmarks().all()[i];
        QString text = session()->bookmarks().nameOf(bookmark);
        if (!bookmark.note.isEmpty())
            text += QStringLiteral(" — ") + bookmark.note.simplified().left(60);
        m_bookmarks->addAction(text.replace('&', "&&"), this, [this, i] { session()->bookmarks().reveal(i); });
    }
    if (count == 0)
        m_bookmarks->addAction(tr("No bookmarks"))->setEnabled(false);
}

void MainWindow::makeGoMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&Go"));
    ofGraph(addAction(menu, "costliest", tr("Costliest no&de"), tr("Ctrl+Shift+K"), [this] { goToCostliest(); }));
    const auto addVisit = [&](const QString &text, const QString &keys, int by) {
        onlyWhile(addAction(menu, {}, text, keys, [this, by] { session()->navigation().go(by); }),
                  [this, by] { return session()->navigation().canGo(by); });
    };
    addVisit(tr("Previous selec&tion"), tr("Alt+PgUp"), -1);
    addVisit(tr("Next s&election"), tr("Alt+PgDown"), 1);
    menu.addSeparator();
    makeGoPanels(*menu.addMenu(tr("Panel&s")));
    menu.addSeparator();
    const auto addStep = [&](const QString &text, const QString &keys, int by) {
        QAction *action = addAction(menu, {}, text, keys, [this, by] { m_pages->panes().active().step(by); });
        connect(m_pages, &Pages::currentChanged, action,
                [this, action] { action->setEnabled(m_pages->panes().active().count() > 1); });
    };
    addStep(tr("&Next tab"), tr("Ctrl+Tab"), 1);
    addStep(tr("&Previous tab"), tr("Ctrl+Shift+Tab"), -1);
    QAction *next = addAction(menu, {}, tr("Ne&xt pane"), tr("Ctrl+F6"), [this] {
        m_pages->panes().step(1);
        m_pages->current()->setFocus();
    });
    connect(m_pages, &Pages::currentChanged, next,
            [this, next] { next->setEnabled(m_pages->panes().all().size() > 1); });
    QAction *back = addAction(menu, {}, tr("&Back to the survey"), tr("Alt+Home"),
                              [this] { m_pages->panes().setCurrent(*m_pages->survey()); });
    back->setEnabled(false);
    connect(m_pages, &Pages::currentChanged, back,
            [this, back] { back->setEnabled(m_pages->survey() && m_pages->survey() != m_pages->current()); });
    m_bookmarks = menu.addMenu(tr("Boo&kmarks"));
    connect(m_bookmarks, &QMenu::aboutToShow, this, &MainWindow::fillBookmarkMenu);
    menu.addSeparator();
    addAction(menu, "commands", tr("&All actions…"), tr("Ctrl+K"), [this] {
        views::showCommandPalette(allActions(), this,
                                  session() ? [this](const QString &text) { session()->searching().find(text); }
                                            : std::function<void(const QString &)>());
    });
}

void MainWindow::makeGoPanels(QMenu &menu)
{
    const auto add = [&](const QString &icon, const QString &title, const QKeySequence &keys,
                         std::function<void()> act) {
        QAction *action = addAction(menu, icon, title, keys, std::move(act), true);
        action->setData(tr("Go to panel: %1").arg(title));
    };
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        QDockWidget *dock = m_docks[i];
        add(dock->objectName() == "find" ? "search" : "", dock->windowTitle(),
            QKeySequence(QString::fromLatin1(docks()[i].shortcut)), [this, dock] { showDock(dock); });
    }
    add({}, tr("Graph"), tr("Alt+0"), [this] { m_pages->current()->setFocus(); });
}

} // namespace cutaway::desktop
