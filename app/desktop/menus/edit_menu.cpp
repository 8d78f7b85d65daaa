// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/menus/menus.h"

#include "app/desktop/main_window.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/writing/exports.h"
#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QMenu>
#include <QUndoGroup>

namespace cutaway::desktop {
namespace {

using views::Session;

/// Adds an action to undo or redo; its text names the edit.
void addEdit(QMenu &menu, const QString &name, const QKeySequence &shortcut, QAction *edit)
{
    edit->setShortcut(shortcut);
    edit->setObjectName(name);
    menu.addAction(edit);
}

void addBookmarks(QMenu &menu, Actions &actions)
{
    const auto isMarkable = [](const Session &session) { return session.bookmarks().selected().has_value(); };
    const auto mark = [](Session &session) { session.bookmarks().toggle(*session.bookmarks().selected()); };
    const auto note = [](Session &session) { session.bookmarks().requestNote(*session.bookmarks().selected()); };
    QAction *marking =
        actions.add(menu, {}, QObject::tr("&Bookmark selection"), QObject::tr("Ctrl+D"), mark, isMarkable);
    actions.ticked(marking, [](const Session &session) {
        const auto selected = session.bookmarks().selected();
        return selected && session.bookmarks().of(*selected);
    });
    actions.add(menu, {}, QObject::tr("&Add note…"), QObject::tr("Ctrl+Shift+N"), note, isMarkable);
}

void addSearch(QMenu &menu, Actions &actions)
{
    const auto hasHits = [](const Session &session) { return !session.searching().hits().empty(); };
    const auto step = [](int by) { return [by](Session &session) { session.searching().step(by); }; };
    actions.add(menu, {}, QObject::tr("Find &next match"), QObject::tr("F3"), step(1), hasHits);
    actions.add(menu, {}, QObject::tr("Find &previous match"), QObject::tr("Shift+F3"), step(-1), hasHits);
    const auto fades = [](const Session &session) { return session.searching().fadesOthers(); };
    const auto fade = [fades](Session &session) { session.searching().setFadesOthers(!fades(session)); };
    actions.ticked(actions.add(menu, {}, QObject::tr("&Dim non-matching nodes"), {}, fade, isOpen), fades);
    menu.addSeparator();
    const auto isNode = [](const Session &session) { return session.navigation().selectedNode().has_value(); };
    const auto find = [](void (views::Searching::*act)(ir::NodeId)) {
        return [act](Session &session) {
            if (const auto node = session.navigation().selectedNode())
                (session.searching().*act)(*node);
        };
    };
    actions.add(menu, {}, QObject::tr("Select &upstream"), {}, find(&views::Searching::findUpstream), isNode);
    actions.add(menu, {}, QObject::tr("Select do&wnstream"), {}, find(&views::Searching::findDownstream), isNode);
    actions.add(menu, {}, QObject::tr("&Start path at selection"), {}, find(&views::Searching::setPathStart), isNode);
    const auto isPath = [](const Session &session) {
        const auto node = session.navigation().selectedNode(), start = session.searching().pathStart();
        return node && start && start != node;
    };
    actions.add(menu, {}, QObject::tr("Select pat&hs to selection"), {}, find(&views::Searching::findPathsTo), isPath);
}

} // namespace

void makeEditMenu(Actions &actions, QUndoGroup &edits, Exports &exports, MainWindow &window)
{
    QMenu &menu = actions.addMenu(QObject::tr("&Edit"));
    addEdit(menu, "undo", QObject::tr("Ctrl+Z"), edits.createUndoAction(&menu, QObject::tr("Undo")));
    addEdit(menu, "redo", QObject::tr("Ctrl+Shift+Z"), edits.createRedoAction(&menu, QObject::tr("Redo")));
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("&Open from clipboard"), QObject::tr("Ctrl+Alt+V"),
                [&window] { window.openClipboard(); });
    menu.addSeparator();
    addBookmarks(menu, actions);
    menu.addSeparator();
    const auto copyPicture = [&exports](Session &) { exports.copyPicture(); };
    const auto copyTable = [&exports](Session &) { exports.copyTable(); };
    actions.add(menu, {}, QObject::tr("Cop&y picture"), QObject::tr("Ctrl+Shift+C"), copyPicture, hasGraph);
    actions.add(menu, {}, QObject::tr("Copy &table"), QObject::tr("Ctrl+Alt+C"), copyTable, isOpen);
    menu.addSeparator();
    const auto toggle = [](Session &session) {
        views::Navigation &navigation = session.navigation();
        if (const auto subject = views::subjectOf(session.document().function(), navigation.selection()))
            navigation.toggle(*subject);
    };
    const auto clear = [](Session &session) { session.navigation().select({}); };
    actions.add(menu, {}, QObject::tr("E&xpand or collapse selection"), QObject::tr("Ctrl+Return"), toggle, isSelected);
    actions.add(menu, {}, QObject::tr("&Clear selection"), {}, clear, isSelected);
    menu.addSeparator();
    addSearch(menu, actions);
}

} // namespace cutaway::desktop
