// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The menu View ▸ Colour by, and the table of node data that adds to it.
#include "app/desktop/main_window.h"

#include "app/desktop/problem.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/session.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QStatusBar>

namespace cutaway::desktop {

void MainWindow::makeColouringMenu(QMenu &view)
{
    m_colouringMenu = view.addMenu(tr("&Colour by"));
    m_colouringMenu->setToolTipsVisible(true);
    ofGraph(m_colouringMenu->menuAction());
    m_colourings = new QActionGroup(this);
    addColouring(views::ByCategory{}, nullptr);
    for (const views::Measure measure : views::allMeasures)
        addColouring(measure, nullptr);
    m_columnsEnd = m_colouringMenu->addSeparator();
    ofGraph(addAction(*m_colouringMenu, {}, tr("&Node data…"), {}, [this] { chooseNodeData(); }));
    onlyWhile(addAction(*m_colouringMenu, {}, tr("Close node &data"), {}, [this] { session()->annotating().close(); }),
              [this] { return !session()->annotating().path().isEmpty(); });
    m_colourings->actions().front()->setChecked(true);
}

/// Before another action of the menu, or at its end.
void MainWindow::addColouring(const views::Colouring &colouring, QAction *before)
{
    const QString text = views::title(colouring);
    auto *action = new QAction(QString(text).replace('&', "&&"), m_colouringMenu);
    m_colouringMenu->insertAction(before, action);
    action->setCheckable(true);
    action->setData(tr("Colour by: %1").arg(text));
    action->setProperty(colouringProperty, QString::fromStdString(views::print(colouring)));
    if (const auto *column = std::get_if<views::ByColumn>(&colouring))
        action->setToolTip(views::toolTipText(views::columnExplanation(column->name)));
    m_colourings->addAction(action);
    connect(action, &QAction::toggled, this, [this] { emit colouringShown(); });
    connect(action, &QAction::triggered, this, [this, colouring] {
        if (!std::holds_alternative<views::ByColumn>(colouring)) { // columns are of one model
            const auto *measure = std::get_if<views::Measure>(&colouring);
            m_settings->setValue("colouring", measure ? int(*measure) : -1);
        }
        setColouring(colouring);
    });
}

void MainWindow::setColouring(const views::Colouring &colouring)
{
    if (!std::holds_alternative<views::ByColumn>(colouring))
        m_colouring = colouring;
    if (session())
        session()->analysing().setColouring(colouring);
    showColouring();
}

/// Checks the action of the colouring that the session in front has, or that the next session begins with.
void MainWindow::showColouring()
{
    const views::Colouring shown = session() ? session()->analysing().colouring() : m_colouring;
    const QString name = QString::fromStdString(views::print(shown));
    for (QAction *action : m_colourings->actions())
        if (action->property(colouringProperty).toString() == name)
            return action->setChecked(true);
    m_colourings->actions().front()->setChecked(true); // a column that is not there colours nothing
}

/// The columns of the session in front.
void MainWindow::showColumns()
{
    for (QAction *action : m_colourings->actions())
        if (action->property(colouringProperty).toString().startsWith(QLatin1String("data.")))
            delete action;
    const auto data = session() ? session()->annotating().data() : nullptr;
    if (data)
        for (const node_data::Column &column : data->columns)
            addColouring(views::ByColumn{column.name}, m_columnsEnd);
    showColouring();
    emit colouringShown();
    updateActions();
}

void MainWindow::chooseNodeData()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open node data"), {}, tr("Node data (*.csv *.json);;All files (*)"));
    if (!path.isEmpty())
        openNodeData(path);
}

bool MainWindow::openNodeData(const QString &path)
{
    const auto opened = session()->annotating().open(path);
    if (!opened) {
        tellProblem(*this, tr("Node data"), views::sentence(views::shown(opened.error().text())));
        return false;
    }
    if (!opened->isEmpty())
        statusBar()->showMessage(tr("%1: %2").arg(QFileInfo(path).fileName(), *opened), messageMs);
    const auto data = session()->annotating().data();
    if (data && !std::holds_alternative<views::ByColumn>(session()->analysing().colouring()))
        session()->analysing().setColouring(views::ByColumn{data->columns.front().name});
    return true;
}

/// Statistics are taken to see where numbers are large or cease to be finite, or how far they are from those of the
/// compared model.
void MainWindow::colourByMagnitude()
{
    const auto &result = session()->running().result();
    const auto *column = std::get_if<views::ByColumn>(&session()->analysing().colouring());
    const bool isOfRun = column && column->name.starts_with(run::runPrefix);
    if (!result || !result->outputs.statistics || isOfRun)
        return;
    const bool isCompared = session()->annotating().column("run.error");
    session()->analysing().setColouring(views::ByColumn{isCompared ? "run.error" : "run.magnitude"});
}

} // namespace cutaway::desktop
