// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/docks/docking.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/menus/menus.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QMenu>

namespace cutaway::desktop {
namespace {

using views::Session;
using views::StepDisplay;

/// Adds ticked actions that choose which states of a step are shown, and how.
void addStepViews(QMenu &menu, Actions &actions)
{
    using View = StepDisplay::View;
    const std::pair<View, QString> all[] = {{View::Before, QObject::tr("Show graph &before the step")},
                                            {View::Both, QObject::tr("Show bot&h in one graph")},
                                            {View::After, QObject::tr("Show graph &after the step")},
                                            {View::SideBySide, QObject::tr("Show side by si&de")}};
    for (const auto &[view, text] : all) {
        const auto show = [view = view](Session &session) { session.stepping().display().setView(view); };
        const auto isShown = [view = view](const Session &session) {
            return session.stepping().display().view() == view;
        };
        actions.ticked(actions.add(menu, {}, text, {}, show, hasSteps), isShown);
    }
    const auto add = [&](const QString &text, const QString &keys, void (StepDisplay::*set)(bool),
                         bool (StepDisplay::*get)() const) {
        const auto isOn = [get](const Session &session) { return (session.stepping().display().*get)(); };
        const auto act = [set, isOn](Session &session) { (session.stepping().display().*set)(!isOn(session)); };
        actions.ticked(actions.add(menu, {}, text, keys, act, hasSteps), isOn);
    };
    add(QObject::tr("&Keep node positions across steps"), {}, &StepDisplay::setHoldsPlaces, &StepDisplay::holdsPlaces);
    add(QObject::tr("&Only changes"), QObject::tr("Ctrl+Shift+O"), &StepDisplay::setFocusesChanges,
        &StepDisplay::focusesChanges);
}

} // namespace

void makePassesMenu(Actions &actions, Docking &docks)
{
    QMenu &menu = actions.addMenu(QObject::tr("&Passes"));
    const auto run = [&docks](Session &session) {
        docks.show("passes");
        session.stepping().run();
    };
    const auto stop = [](Session &session) { session.stepping().stop(); };
    const auto isRunning = [](const Session &session) { return session.stepping().isRunning(); };
    const auto clear = [](Session &session) { session.stepping().clear(); };
    const auto canRun = [](const Session &session) { return hasGraph(session) && !session.stepping().isRecorded(); };
    actions.add(menu, {}, QObject::tr("&Run passes"), QObject::tr("F6"), run, canRun);
    actions.add(menu, {}, QObject::tr("&Stop"), QObject::tr("Shift+F6"), stop, isRunning);
    actions.add(menu, {}, QObject::tr("Back to the input &file"), {}, clear, hasSteps);
    menu.addSeparator();
    const auto next = [](Session &session) { session.stepping().next(); };
    const auto hasNext = [](const Session &session) {
        return session.stepping().position() < session.stepping().count();
    };
    const auto previous = [](Session &session) { session.stepping().previous(); };
    const auto hasPrevious = [](const Session &session) { return session.stepping().position() > 0; };
    actions.add(menu, {}, QObject::tr("&Next step"), QObject::tr("Alt+Right"), next, hasNext);
    actions.add(menu, {}, QObject::tr("&Previous step"), QObject::tr("Alt+Left"), previous, hasPrevious);
    menu.addSeparator();
    addStepViews(menu, actions);
}

} // namespace cutaway::desktop
