// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Edit: undo, bookmarks, copies, the selection and what is found.
#include "app/desktop/main_window.h"

#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QUndoGroup>

namespace cutaway::desktop {

void MainWindow::makeEditMenu()
{
    QMenu &menu = *menuBar()->addMenu(tr("&Edit"));
    addEdit(menu, "undo", tr("Ctrl+Z"), m_edits.createUndoAction(this, tr("Undo")));
    addEdit(menu, "redo", tr("Ctrl+Shift+Z"), m_edits.createRedoAction(this, tr("Redo")));
    menu.addSeparator();
    makeBookmarkActions(menu);
    menu.addSeparator();
    ofGraph(addAction(menu, {}, tr("Cop&y picture"), tr("Ctrl+Shift+C"), [this] { copyPicture(); }));
    addAction(menu, {}, tr("Copy &table"), tr("Ctrl+Alt+C"), [this] { copyTable(); }, true);
    menu.addSeparator();
    const auto isSelected = [this] { return session()->navigation().selection() != views::Selection{}; };
    onlyWhile(addAction(menu, {}, tr("E&xpand or collapse selection"), tr("Ctrl+Return"),
                        [this] {
                            const auto subject =
                                views::subjectOf(session()->document().function(), session()->navigation().selection());
                            if (subject)
                                session()->navigation().toggle(*subject);
                        }),
              isSelected);
    onlyWhile(addAction(menu, {}, tr("&Clear selection"), {}, [this] { session()->navigation().select({}); }),
              isSelected);
    menu.addSeparator();
    makeFindActions(menu);
}

/// An action that says in its text what it undoes.
void MainWindow::addEdit(QMenu &menu, const QString &name, const QKeySequence &shortcut, QAction *edit)
{
    edit->setShortcut(shortcut);
    edit->setObjectName(name);
    menu.addAction(edit);
}

void MainWindow::makeBookmarkActions(QMenu &menu)
{
    const auto selected = [this] { return session()->bookmarks().selected(); };
    const auto isSelected = [selected] { return selected().has_value(); };
    QAction *mark = addAction(menu, {}, tr("&Bookmark selection"), tr("Ctrl+D"),
                              [this, selected] { session()->bookmarks().toggle(*selected()); });
    onlyWhile(mark, isSelected);
    ticked(mark, [this, selected] { return selected() && session()->bookmarks().of(*selected()); });
    onlyWhile(addAction(menu, {}, tr("&Add note…"), tr("Ctrl+Shift+N"),
                        [this, selected] { session()->bookmarks().requestNote(*selected()); }),
              isSelected);
}

void MainWindow::makeFindActions(QMenu &menu)
{
    const auto searching = [this]() -> views::Searching & { return session()->searching(); };
    const auto hasHits = [searching] { return !searching().hits().empty(); };
    onlyWhile(addAction(menu, {}, tr("Find &next match"), tr("F3"), [searching] { searching().step(1); }), hasHits);
    onlyWhile(addAction(menu, {}, tr("Find &previous match"), tr("Shift+F3"), [searching] { searching().step(-1); }),
              hasHits);
    QAction *fade = addAction(menu, {}, tr("&Dim non-matching nodes"), {},
                              [searching] { searching().setFadesOthers(!searching().fadesOthers()); });
    onlyWhile(fade, [] { return true; });
    ticked(fade, [searching] { return searching().fadesOthers(); });
    menu.addSeparator();
    const auto selected = [this] { return session()->navigation().selectedNode(); };
    const auto isNode = [selected] { return selected().has_value(); };
    const auto add = [&](const QString &text, void (views::Searching::*act)(ir::NodeId),
                         std::function<bool()> isUseful) {
        onlyWhile(addAction(menu, {}, text, {},
                            [searching, selected, act] {
                                if (const auto node = selected())
                                    (searching().*act)(*node);
                            }),
                  std::move(isUseful));
    };
    add(tr("Select &upstream"), &views::Searching::findUpstream, isNode);
    add(tr("Select do&wnstream"), &views::Searching::findDownstream, isNode);
    add(tr("&Start path at selection"), &views::Searching::setPathStart, isNode);
    add(tr("Select pat&hs to selection"), &views::Searching::findPathsTo, [searching, selected] {
        return selected() && searching().pathStart() && searching().pathStart() != selected();
    });
}

} // namespace cutaway::desktop
