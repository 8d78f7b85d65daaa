// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of the graph, for the box under the pointer.
#include "views/graph/canvas.h"
#include "views/parts/text.h"
#include "views/session/bookmarks.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/subject_menu.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

namespace cutaway::views {

void Canvas::contextMenuEvent(QContextMenuEvent *event)
{
    click(event->pos());
    const auto selected = selectedBox();
    QMenu menu(tr("Graph"), this);
    Navigation &navigation = m_session.navigation();
    if (selected) {
        const layout::Box &box = m_picture->box(*selected);
        QAction *open = menu.addAction(box.open ? tr("Collapse") : tr("Expand"), this,
                                       [&navigation, subject = box.subject] { navigation.toggle(subject); });
        open->setEnabled(box.canOpen);
        const QString name = box.lines.empty() ? QString() : QString::fromStdString(box.lines.front().text);
        menu.addSeparator();
        addSubjectActions(menu, m_session, box.subject);
        menu.addSeparator();
        menu.addAction(tr("Copy “%1”").arg(name), this, [name] { QGuiApplication::clipboard()->setText(name); });
        Bookmarks &bookmarks = m_session.bookmarks();
        menu.addAction(bookmarks.of(box.subject) ? tr("Remove bookmark") : tr("Bookmark"), &bookmarks,
                       [&bookmarks, subject = box.subject] { bookmarks.toggle(subject); });
        menu.addAction(tr("Add note…"), &bookmarks,
                       [&bookmarks, subject = box.subject] { bookmarks.requestNote(subject); });
        if (box.kind == layout::Box::Kind::Node && !box.open)
            menu.addAction(tr("Hide this kind (%1)").arg(shown(ops::name(box.category))), &navigation,
                           [&navigation, kind = box.category] {
                               navigation.select({});
                               navigation.hideKind(kind, true);
                           });
        menu.addAction(tr("Centre in view"), this, [this, subject = box.subject] { centre(subject); });
        menu.addSeparator();
        if (const auto node = navigation.selectedNode())
            addPaths(menu, *node);
    }
    menu.addAction(tr("Fit entire graph"), this, [&navigation] { navigation.requestZoom(Navigation::Zoom::Fit); });
    menu.exec(event->globalPos());
}

void Canvas::addPaths(QMenu &menu, ir::NodeId node)
{
    Searching &searching = m_session.searching();
    menu.addAction(tr("Select upstream"), &searching, [&searching, node] { searching.findUpstream(node); });
    menu.addAction(tr("Select downstream"), &searching, [&searching, node] { searching.findDownstream(node); });
    menu.addAction(tr("Start path here"), &searching, [&searching, node] { searching.setPathStart(node); });
    if (const auto start = searching.pathStart(); start && *start != node)
        menu.addAction(tr("Select paths from “%1”").arg(searching.nameOf(*start)), &searching,
                       [&searching, node] { searching.findPathsTo(node); });
    menu.addSeparator();
}

} // namespace cutaway::views
