// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"
#include "app/desktop/docks/docks.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/menus.h"
#include "app/desktop/pages.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/status.h"
#include "views/command_palette/command_palette.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/measure.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <QDockWidget>
#include <QMenu>

namespace cutaway::desktop {
namespace {

/// Selects the costliest node by the measure that colours the boxes, or by FLOPs if no measure does; if no node has any
/// of it, by bytes.
void goToCostliest(views::Session &session, Status &status)
{
    const auto figures = session.analysing().figures();
    if (!figures)
        return status.tell(QObject::tr("Still analysing the model"));
    const auto *measure = std::get_if<views::Measure>(&session.analysing().colouring());
    for (const views::Measure each : {measure ? *measure : views::Measure::Flops, views::Measure::Bytes})
        if (const auto &nodes = figures->costliest(each); !nodes.empty()) {
            session.navigation().reveal(nodes.front());
            const ir::NodeRef node(figures->function().graph, nodes.front());
            status.tell(QObject::tr("Costliest by %1: %2, %3")
                            .arg(views::title(each), views::shownName(node), figures->of(nodes.front(), each).text()));
            return;
        }
    status.tell(QObject::tr("Costs unknown. Set the free dimensions in Bindings."));
}

void fillBookmarks(QMenu &menu, views::Session *session)
{
    const std::size_t count = session ? session->bookmarks().all().size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const views::Bookmark &bookmark = session->bookmarks().all()[i];
        QString text = session->bookmarks().nameOf(bookmark);
        if (!bookmark.note.isEmpty())
            text += QStringLiteral(" — ") + bookmark.note.simplified().left(60);
        menu.addAction(text.replace('&', "&&"), &session->bookmarks(),
                       [session, i] { session->bookmarks().reveal(i); });
    }
    if (count == 0)
        menu.addAction(QObject::tr("No bookmarks"))->setEnabled(false);
}

void addPanels(QMenu &menu, Actions &actions, Pages &pages, Docking &docks)
{
    const auto add = [&](const QString &icon, const QString &title, const QString &keys, const Actions::Act &act) {
        QAction *action = actions.add(menu, icon, title, keys, act, isOpen);
        action->setData(QObject::tr("Go to panel: %1").arg(title));
    };
    for (std::size_t i = 0; i < docks.all().size(); ++i) {
        QDockWidget *dock = docks.all()[i];
        add(dock->objectName() == "find" ? "search" : "", dock->windowTitle(),
            QString::fromLatin1(desktop::docks()[i].shortcut), [&docks, dock](views::Session &) { docks.show(*dock); });
    }
    add({}, QObject::tr("Graph"), QObject::tr("Alt+0"), [&pages](views::Session &) { pages.current()->setFocus(); });
}

} // namespace

void makeGoMenu(Actions &actions, Pages &pages, Docking &docks, Status &status)
{
    QMenu &menu = actions.addMenu(QObject::tr("&Go"));
    const auto goToMost = [&status](views::Session &session) { goToCostliest(session, status); };
    actions.add(menu, "costliest", QObject::tr("Costliest no&de"), QObject::tr("Ctrl+Shift+K"), goToMost, hasGraph);
    const auto addVisit = [&](const QString &text, const QString &keys, int by) {
        const auto go = [by](views::Session &session) { session.navigation().go(by); };
        const auto canGo = [by](const views::Session &session) { return session.navigation().canGo(by); };
        actions.add(menu, {}, text, keys, go, canGo);
    };
    addVisit(QObject::tr("Previous selec&tion"), QObject::tr("Alt+PgUp"), -1);
    addVisit(QObject::tr("Next s&election"), QObject::tr("Alt+PgDown"), 1);
    menu.addSeparator();
    addPanels(*menu.addMenu(QObject::tr("Panel&s")), actions, pages, docks);
    menu.addSeparator();
    const auto addStep = [&](const QString &text, const QString &keys, int by) {
        QAction *action = actions.add(menu, {}, text, keys, [&pages, by] { pages.panes().active().step(by); });
        QObject::connect(&pages, &Pages::currentChanged, action,
                         [&pages, action] { action->setEnabled(pages.panes().active().count() > 1); });
    };
    addStep(QObject::tr("&Next tab"), QObject::tr("Ctrl+Tab"), 1);
    addStep(QObject::tr("&Previous tab"), QObject::tr("Ctrl+Shift+Tab"), -1);
    QAction *next = actions.add(menu, {}, QObject::tr("Ne&xt pane"), QObject::tr("Ctrl+F6"), [&pages] {
        pages.panes().step(1);
        pages.current()->setFocus();
    });
    QObject::connect(&pages, &Pages::currentChanged, next,
                     [&pages, next] { next->setEnabled(pages.panes().all().size() > 1); });
    QAction *back = actions.add(menu, {}, QObject::tr("&Back to the survey"), QObject::tr("Alt+Home"),
                                [&pages] { pages.panes().setCurrent(*pages.survey()); });
    back->setEnabled(false);
    QObject::connect(&pages, &Pages::currentChanged, back,
                     [&pages, back] { back->setEnabled(pages.survey() && pages.survey() != pages.current()); });
    actions.addFilled(menu, QObject::tr("Boo&kmarks"),
                      [&actions](QMenu &bookmarks) { fillBookmarks(bookmarks, actions.session()); });
    menu.addSeparator();
    actions.add(menu, "commands", QObject::tr("&All actions…"), QObject::tr("Ctrl+K"), [&actions, &pages] {
        std::function<void(const QString &)> find;
        if (actions.session())
            find = [&actions](const QString &text) { actions.session()->searching().find(text); };
        views::showCommandPalette(actions.all(), pages.window(), find);
    });
}

} // namespace cutaway::desktop
