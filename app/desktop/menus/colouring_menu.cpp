// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/menus/colouring_menu.h"

#include "app/desktop/menus/actions.h"
#include "app/desktop/problem.h"
#include "app/desktop/session_defaults.h"
#include "app/desktop/status.h"
#include "core/run/timing.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

namespace cutaway::desktop {
namespace {

constexpr const char *colouringProperty = "colouring";

/// Colours a profiled model by times. The colouring of models that are opened later stays as the user has chosen it.
void colourByTimes(views::Session &session)
{
    const auto timing = session.running().timing();
    if (timing && timing->sum())
        session.analysing().setColouring(views::Measure::Measured);
}

/// Colours the boxes by how much their times have changed, which is what two traces are compared for.
void colourByChange(views::Session &session)
{
    if (session.running().traceChange())
        session.analysing().setColouring(views::ByColumn{"trace.change"});
}

/// Colours the boxes of a model with statistics by the difference from the compared model, or by magnitude without one.
/// A colouring by another column of the run stays.
void colourByMagnitude(views::Session &session)
{
    const auto &result = session.running().result();
    const auto *column = std::get_if<views::ByColumn>(&session.analysing().colouring());
    const bool isOfRun = column && column->name.starts_with(run::runPrefix);
    if (!result || !result->outputs.statistics || isOfRun)
        return;
    const bool isCompared = session.annotating().column("run.error");
    session.analysing().setColouring(views::ByColumn{isCompared ? "run.error" : "run.magnitude"});
}

} // namespace

ColouringMenu::ColouringMenu(QMenu &view, Actions &actions, SessionDefaults &defaults, Status &status)
    : QObject(&view),
      m_menu(*view.addMenu(tr("&Colour by"))),
      m_actions(actions),
      m_defaults(defaults),
      m_status(status),
      m_group(new QActionGroup(this))
{
    m_menu.setToolTipsVisible(true);
    actions.onlyWhile(m_menu.menuAction(), hasGraph);
    add(views::ByCategory{}, nullptr);
    for (const views::Measure measure : views::allMeasures)
        add(measure, nullptr);
    m_columnsEnd = m_menu.addSeparator();
    actions.add(
        m_menu, {}, tr("&Node data…"), {}, [this](views::Session &session) { chooseNodeData(session); }, hasGraph);
    actions.add(
        m_menu, {}, tr("Close node &data"), {}, [](views::Session &session) { session.annotating().close(); },
        [](const views::Session &session) { return !session.annotating().path().isEmpty(); });
    m_group->actions().front()->setChecked(true);
}

QString ColouringMenu::chosen() const
{
    const QAction *checked = m_group->checkedAction();
    return checked ? checked->text() : QString();
}

void ColouringMenu::choose(const views::Colouring &colouring)
{
    m_defaults.setColouring(colouring);
    if (views::Session *session = m_actions.session())
        session->analysing().setColouring(colouring);
    showColouring();
}

void ColouringMenu::showColumns()
{
    for (QAction *action : m_group->actions())
        if (action->property(colouringProperty).toString().startsWith(QLatin1String("data.")))
            delete action;
    const views::Session *session = m_actions.session();
    const auto data = session ? session->annotating().data() : nullptr;
    if (data)
        for (const node_data::Column &column : data->columns)
            add(views::ByColumn{column.name}, m_columnsEnd);
    showColouring();
    emit shown();
    m_actions.update();
}

void ColouringMenu::follow(views::Session &session, QObject &context)
{
    connect(&session.analysing(), &views::Analysing::colouringChanged, &context, [this] { showColouring(); });
    connect(&session.annotating(), &views::Annotating::changed, &context, [this] { showColumns(); });
    connect(&session.running(), &views::Running::profileChanged, &context, [&session] { colourByTimes(session); });
    connect(&session.running(), &views::Running::traceChangeChanged, &context, [&session] { colourByChange(session); });
    connect(&session.running(), &views::Running::resultChanged, &context, [&session] { colourByMagnitude(session); });
}

/// Adds an action for a colouring before another action of the menu, or at its end.
void ColouringMenu::add(const views::Colouring &colouring, QAction *before)
{
    const QString text = views::title(colouring);
    auto *action = new QAction(QString(text).replace('&', "&&"), &m_menu);
    m_menu.insertAction(before, action);
    action->setCheckable(true);
    action->setData(tr("Colour by: %1").arg(text));
    action->setProperty(colouringProperty, QString::fromStdString(views::print(colouring)));
    if (const auto *column = std::get_if<views::ByColumn>(&colouring))
        action->setToolTip(views::toolTipText(views::columnExplanation(column->name)));
    m_group->addAction(action);
    connect(action, &QAction::toggled, this, [this] { emit shown(); });
    connect(action, &QAction::triggered, this, [this, colouring] {
        m_defaults.keepColouring(colouring);
        choose(colouring);
    });
}

/// Checks the action of the colouring that the session in front has or, without one, the next session begins with.
void ColouringMenu::showColouring()
{
    const views::Session *session = m_actions.session();
    const views::Colouring &colouring = session ? session->analysing().colouring() : m_defaults.colouring();
    const QString name = QString::fromStdString(views::print(colouring));
    for (QAction *action : m_group->actions())
        if (action->property(colouringProperty).toString() == name)
            return action->setChecked(true);
    // Without that column boxes are coloured by category, the first action.
    m_group->actions().front()->setChecked(true);
}

void ColouringMenu::chooseNodeData(views::Session &session)
{
    const QString path = QFileDialog::getOpenFileName(m_status.window(), tr("Open node data"), {},
                                                      tr("Node data (*.csv *.json);;All files (*)"));
    if (!path.isEmpty())
        openNodeData(session, path);
}

void ColouringMenu::openNodeData(views::Session &session, const QString &path)
{
    const auto opened = session.annotating().open(path);
    if (!opened)
        return tellProblem(*m_status.window(), tr("Node data"), views::sentence(views::shown(opened.error().text())));
    if (!opened->isEmpty())
        m_status.tell(tr("%1: %2").arg(QFileInfo(path).fileName(), *opened));
    const auto data = session.annotating().data();
    if (data && !std::holds_alternative<views::ByColumn>(session.analysing().colouring()))
        session.analysing().setColouring(views::ByColumn{data->columns.front().name});
}

} // namespace cutaway::desktop
