// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/menus.h"
#include "app/desktop/session_defaults.h"
#include "views/run/profile_files.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QMenu>

namespace cutaway::desktop {
namespace {

using views::Running;
using views::Session;

bool canStop(const Session &session) { return session.running().isBusy(); }
bool hasProfile(const Session &session) { return session.running().profile() != nullptr; }
bool hasBaseline(const Session &session) { return session.running().baseline().has_value(); }
bool hasResults(const Session &session) { return hasProfile(session) || session.running().result() != nullptr; }

Actions::Act call(void (Running::*act)())
{
    return [act](Session &session) { (session.running().*act)(); };
}

} // namespace

void makeRunMenu(Actions &actions, Docking &docks, QWidget &window)
{
    using Kind = Running::Kind;
    const auto start = [&docks](Kind kind) {
        return [&docks, kind](Session &session) {
            docks.show("run"); // which shows its progress
            if (session.running().isBusy())
                return;
            usePlugins(session);
            session.running().start(kind);
        };
    };
    const auto file = [&](void (*act)(Session &, QWidget *)) {
        return [&docks, &window, act](Session &session) {
            docks.show("run");
            act(session, &window);
        };
    };
    const auto all = start(Kind::Statistics);
    QMenu &menu = actions.addMenu(QObject::tr("&Run"));
    actions.add(menu, "run", QObject::tr("&Profile model"), QObject::tr("F8"), start(Kind::Profile), hasGraph);
    actions.add(menu, {}, QObject::tr("&Run model"), QObject::tr("F7"), start(Kind::Run), hasGraph);
    actions.add(menu, {}, QObject::tr("Run and look at &all values"), QObject::tr("Shift+F7"), all, hasGraph);
    actions.add(menu, {}, QObject::tr("&Stop"), QObject::tr("Shift+F8"), call(&Running::stop), canStop);
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("&Open profile…"), {}, file(views::openProfile), hasGraph);
    actions.add(menu, {}, QObject::tr("Sa&ve profile…"), {}, file(views::saveProfile), hasProfile);
    actions.add(menu, {}, QObject::tr("&Compare with profile…"), {}, file(views::compareProfile), hasGraph);
    actions.add(menu, {}, QObject::tr("Use as &baseline of later profiles"), {}, call(&Running::keepToCompare),
                hasProfile);
    actions.add(menu, {}, QObject::tr("&End profile comparison"), {}, call(&Running::endComparison), hasBaseline);
    menu.addSeparator();
    actions.add(menu, {}, QObject::tr("Clear results and &times"), {}, call(&Running::forget), hasResults);
}

} // namespace cutaway::desktop
