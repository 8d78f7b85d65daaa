// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/box_menu.h"

#include "views/parts/text.h"
#include "views/session/bookmarks.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/subject_menu.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace cutaway::views {
namespace {

void addPaths(QMenu &menu, Session &session, ir::NodeId node)
{
    Searching &searching = session.searching();
    menu.addAction(QObject::tr("Select upstream"), &searching, [&searching, node] { searching.findUpstream(node); });
    menu.addAction(QObject::tr("Select downstream"), &searching,
                   [&searching, node] { searching.findDownstream(node); });
    menu.addAction(QObject::tr("Start path here"), &searching, [&searching, node] { searching.setPathStart(node); });
    if (const auto start = searching.pathStart(); start && *start != node)
        menu.addAction(QObject::tr("Select paths from “%1”").arg(searching.nameOf(*start)), &searching,
                       [&searching, node] { searching.findPathsTo(node); });
    menu.addSeparator();
}

} // namespace

void addBoxActions(QMenu &menu, Session &session, const layout::Box &box, std::function<void()> centre)
{
    Navigation &navigation = session.navigation();
    QAction *open = menu.addAction(box.open ? QObject::tr("Collapse") : QObject::tr("Expand"), &menu,
                                   [&navigation, subject = box.subject] { navigation.toggle(subject); });
    open->setEnabled(box.canOpen);
    const QString name = box.lines.empty() ? QString() : QString::fromStdString(box.lines.front().text);
    menu.addSeparator();
    addSubjectActions(menu, session, box.subject);
    menu.addSeparator();
    menu.addAction(QObject::tr("Copy “%1”").arg(name), &menu, [name] { QGuiApplication::clipboard()->setText(name); });
    Bookmarks &bookmarks = session.bookmarks();
    menu.addAction(bookmarks.of(box.subject) ? QObject::tr("Remove bookmark") : QObject::tr("Bookmark"), &bookmarks,
                   [&bookmarks, subject = box.subject] { bookmarks.toggle(subject); });
    menu.addAction(QObject::tr("Add note…"), &bookmarks,
                   [&bookmarks, subject = box.subject] { bookmarks.requestNote(subject); });
    if (box.kind == layout::Box::Kind::Node && !box.open)
        menu.addAction(QObject::tr("Hide this category (%1)").arg(shown(ops::name(box.category))), &navigation,
                       [&navigation, category = box.category] {
                           navigation.select({});
                           navigation.hideCategory(category, true);
                       });
    menu.addAction(QObject::tr("Centre in view"), &menu, std::move(centre));
    menu.addSeparator();
    if (const auto node = navigation.selectedNode())
        addPaths(menu, session, *node);
}

} // namespace cutaway::views
