// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/menus/actions.h"

#include "app/desktop/model_page.h"
#include "views/appearance/icon.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QMenu>
#include <QMenuBar>
#include <algorithm>

namespace cutaway::desktop {

Actions::Actions(QMenuBar &bar, std::function<views::Session *()> front) : m_bar(bar), m_front(std::move(front)) { }

QMenu &Actions::addMenu(const QString &title) { return *m_bar.addMenu(title); }

QAction *Actions::add(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut,
                      std::function<void()> run)
{
    QAction *action = menu.addAction(text);
    if (!icon.isEmpty())
        action->setIcon(views::icon(icon));
    action->setProperty("icon-name", icon);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    QString tip = QString(text).remove('&').remove(QChar(0x2026));
    if (!shortcut.isEmpty())
        tip += QStringLiteral(" (%1)").arg(shortcut.toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    return action;
}

QAction *Actions::add(QMenu &menu, const QString &icon, const QString &text, const QKeySequence &shortcut, Act act,
                      Condition isUseful)
{
    QAction *action = add(menu, icon, text, shortcut, [this, act = std::move(act)] { act(*session()); });
    onlyWhile(action, std::move(isUseful));
    return action;
}

void Actions::addFilled(QMenu &menu, const QString &title, std::function<void(QMenu &)> fill)
{
    QMenu *filled = menu.addMenu(title);
    m_filled.push_back(filled);
    connect(filled, &QMenu::aboutToShow, this, [filled, fill = std::move(fill)] {
        filled->clear();
        fill(*filled);
    });
}

void Actions::onlyWhile(QAction *action, Condition isUseful) { m_conditions.emplace_back(action, std::move(isUseful)); }

void Actions::ticked(QAction *action, Condition isOn)
{
    action->setCheckable(true);
    m_ticks.emplace_back(action, std::move(isOn));
}

void Actions::update()
{
    const views::Session *session = this->session();
    for (const auto &[action, isUseful] : m_conditions)
        action->setEnabled(session && isUseful(*session));
    for (const auto &[action, isOn] : m_ticks)
        action->setChecked(session && isOn(*session));
}

void Actions::follow(QObject &context)
{
    views::Session &session = *this->session();
    const auto onEach = [&](const auto &sender, const auto &changes) {
        for (const auto change : changes)
            connect(&sender, change, &context, [this] { update(); });
    };
    onEach(session.stepping(),
           std::array{&views::Stepping::runningChanged, &views::Stepping::stepsChanged,
                      &views::Stepping::positionChanged, &views::Stepping::viewChanged});
    onEach(session.stepping().chosen(), std::array{&views::ChosenPasses::pipelineChanged});
    onEach(session.running(),
           std::array{&views::Running::stateChanged, &views::Running::resultChanged, &views::Running::profileChanged,
                      &views::Running::traceChangeChanged});
    onEach(session.running().comparison(), std::array{&views::BaselineComparison::changed});
    onEach(session.comparing(), std::array{&views::Comparing::otherChanged, &views::Comparing::differenceChanged});
    onEach(session.searching(),
           std::array{&views::Searching::hitsChanged, &views::Searching::fadingChanged,
                      &views::Searching::pathStartChanged});
    onEach(session.navigation(),
           std::array{&views::Navigation::selectionChanged, &views::Navigation::hiddenCategoriesChanged});
    onEach(session.bookmarks(), std::array{&views::Bookmarks::changed});
}

QList<QAction *> Actions::all() const
{
    QList<QAction *> actions;
    for (const QMenu *menu : m_bar.findChildren<QMenu *>())
        if (!std::ranges::contains(m_filled, menu))
            actions += menu->actions();
    return actions;
}

bool hasGraph(const views::Session &session) { return !showsWeights(session.document().file()); }

bool isSelected(const views::Session &session) { return session.navigation().selection() != views::Selection{}; }

bool hasSteps(const views::Session &session) { return session.stepping().history() != nullptr; }

} // namespace cutaway::desktop
