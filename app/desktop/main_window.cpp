// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"

#include "app/desktop/dock_title.h"
#include "app/desktop/docks.h"
#include "app/desktop/recent_files.h"
#include "app/desktop/run_choices.h"
#include "app/desktop/status.h"
#include "core/analysis/known_devices.h"
#include "core/base/text.h"
#include "core/ir/weights_only.h"
#include "core/plugin/plugin_passes.h"
#include "core/run/timing.h"
#include "core/survey/database.h"
#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"
#include "views/failure/failure.h"
#include "views/graph/graph.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"
#include "views/start/start.h"
#include "views/steps/steps.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr int arrangementVersion = 3;
constexpr int sideWidth = 384;
constexpr int bottomHeight = 300;
const QString failureName = QStringLiteral("failure");

QString droppedFile(const QMimeData &data)
{
    const QList<QUrl> urls = data.urls();
    return urls.isEmpty() ? QString() : urls.front().toLocalFile();
}

void usePlugins(views::Session &session)
{
    session.stepping().setOtherPasses(plugin::foundPasses());
    session.running().setChoices(foundRunChoices());
}

} // namespace

MainWindow::MainWindow(std::unique_ptr<QSettings> settings)
    : m_settings(std::move(settings)),
      m_centre(new QStackedWidget(this)),
      m_status(new Status(this))
{
    setWindowTitle("Cutaway");
    setAcceptDrops(true);
    setDockOptions(AllowTabbedDocks | AllowNestedDocks | AnimatedDocks);
    setCentralWidget(m_centre);
    setStatusBar(m_status);
    makeDocks();
    makeMenus();
    makeToolBar();
    connect(&m_writing, &views::LatestWork::busyChanged, this, &MainWindow::updateActions);
    connect(&m_plugins, &PluginWatch::changed, this, &MainWindow::takePlugins);
    connect(&m_opening, &Opening::busyChanged, this, [this] {
        if (!m_opening.isBusy())
            m_status->end();
    });
    connect(&m_opening, &Opening::progress, m_status, &Status::progress);
    connect(&m_opening, &Opening::opened, this, &MainWindow::showModel);
    connect(&m_opening, &Opening::failed, this, &MainWindow::showFailure);
    connect(&m_openingOther, &Opening::opened, this,
            [this](const QString &, const std::shared_ptr<const ir::Model> &model) {
                m_status->end();
                if (m_session)
                    m_session->comparing().start(model);
            });
    connect(&m_openingOther, &Opening::failed, this, [this](const QString &path, const Error &error) {
        m_status->end();
        if (error.kind != ErrorKind::Cancelled)
            QMessageBox::warning(
                this, tr("Compare"),
                tr("%1 cannot be opened: %2").arg(QFileInfo(path).fileName(), views::shown(error.text())));
    });
    resize(1440, 900);
    restore();
    showStart();
}

MainWindow::~MainWindow()
{
    // The views refer to the session, so they are deleted first.
    for (QDockWidget *dock : m_docks)
        delete dock->widget();
    delete m_centre->currentWidget();
    if (m_session) // its undo stack is cleared with it, when the actions are gone
        m_session->stepping().edits().disconnect(this);
}

/// Restores what an earlier window saved.
void MainWindow::restore()
{
    restoreGeometry(m_settings->value("geometry").toByteArray());
    m_arrangement = m_settings->value("arrangement").toByteArray();
    setTheme(static_cast<views::Theme>(m_settings->value("theme", int(views::Theme::System)).toInt()));
    const auto measure = std::size_t(m_settings->value("colouring", -1).toInt());
    if (measure < views::allMeasures.size())
        setColouring(views::allMeasures[measure]);
    if (auto device = analysis::findDevice(m_settings->value("device").toString().toStdString()))
        m_device = std::move(*device);
}

void MainWindow::makeDocks()
{
    for (const Dock &d : docks()) {
        auto *dock = new QDockWidget(tr(d.title), this);
        dock->setObjectName(d.name);
        keepTitle(*this, *dock);
        addDockWidget(d.area, dock);
        dock->hide();
        m_docks.push_back(dock);
    }
    arrangeDocks();
}

/// The default arrangement: docks of one side are tabs.
void MainWindow::arrangeDocks()
{
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea); // tables are wide
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (std::size_t i = 1; i < m_docks.size(); ++i)
        for (std::size_t j = i; j-- > 0;)
            if (docks()[j].area == docks()[i].area) {
                tabifyDockWidget(m_docks[j], m_docks[i]);
                break;
            }
}

void MainWindow::setDocksShown(bool shown)
{
    if (shown == m_docksShown)
        return;
    m_docksShown = shown;
    if (!shown) {
        m_arrangement = saveState(arrangementVersion);
        for (QDockWidget *dock : m_docks)
            dock->hide();
    } else if (m_arrangement.isEmpty() || !restoreState(m_arrangement, arrangementVersion)) {
        for (std::size_t i = 0; i < m_docks.size(); ++i)
            m_docks[i]->setVisible(docks()[i].area != Qt::BottomDockWidgetArea);
        for (std::size_t i = m_docks.size(); i-- > 0;)
            m_docks[i]->raise();
        for (std::size_t i = 0; i < m_docks.size(); ++i)
            if (docks()[i].area != Qt::BottomDockWidgetArea)
                resizeDocks({m_docks[i]}, {std::min(sideWidth, width() / 4)}, Qt::Horizontal); // half for the graph
            else
                resizeDocks({m_docks[i]}, {bottomHeight}, Qt::Vertical);
    }
    for (QAction *action : m_sessionActions)
        action->setEnabled(shown);
    updateActions();
}

/// The docks below the graph, visible or hidden.
std::vector<QDockWidget *> MainWindow::bottomDocks() const
{
    std::vector<QDockWidget *> found;
    for (QDockWidget *dock : m_docks)
        if (dockWidgetArea(dock) == Qt::BottomDockWidgetArea && !dock->isFloating())
            found.push_back(dock);
    return found;
}

void MainWindow::toggleBottom()
{
    const std::vector<QDockWidget *> docks = bottomDocks();
    const bool shown = std::ranges::any_of(docks, [](const QDockWidget *dock) { return !dock->isHidden(); });
    for (QDockWidget *dock : docks)
        dock->setVisible(!shown);
    if (!shown && !docks.empty())
        docks.front()->raise();
}

/// Opening the first dock below the graph also opens the others as tabs, so that users find them.
void MainWindow::showDock(QDockWidget *dock)
{
    const std::vector<QDockWidget *> below = bottomDocks();
    if (std::ranges::contains(below, dock) && std::ranges::all_of(below, &QDockWidget::isHidden))
        toggleBottom();
    dock->show();
    dock->raise();
    if (dock->widget())
        dock->widget()->setFocus();
}

bool MainWindow::showDock(const QString &name)
{
    const auto dock = std::ranges::find(m_docks, name, &QDockWidget::objectName);
    if (dock != m_docks.end())
        showDock(*dock);
    return dock != m_docks.end();
}

void MainWindow::setColouring(std::optional<views::Measure> measure)
{
    m_colouring = measure;
    m_settings->setValue("colouring", measure ? int(*measure) : -1);
    m_colourings->actions().at(measure ? int(*measure) + 1 : 0)->setChecked(true);
    if (m_session)
        m_session->analysing().setColouring(measure);
}

void MainWindow::setTheme(views::Theme theme)
{
    views::applyTheme(*qApp, theme);
    m_settings->setValue("theme", int(theme));
}

QString MainWindow::chooseModel(const QString &title, bool withSurveys)
{
    QStringList all, filters;
    for (const FormatText &format : formatTexts()) {
        all << format.suffixes;
        filters << QStringLiteral("%1 (%2)").arg(format.description, format.suffixes);
    }
    if (withSurveys) {
        all << QStringLiteral("*.db");
        filters << tr("Surveys (*.db)");
    }
    filters.prepend((withSurveys ? tr("Models and surveys (%1)") : tr("Models (%1)")).arg(all.join(' ')));
    filters << tr("All files (*)");
    const QString folder = m_path.isEmpty() ? QString() : QFileInfo(m_path).absolutePath();
    return QFileDialog::getOpenFileName(this, title, folder, filters.join(";;"));
}

void MainWindow::browse()
{
    const QString path = chooseModel(tr("Open a model"), true);
    if (!path.isEmpty())
        open(path);
}

void MainWindow::compareWith(const QString &path)
{
    m_status->begin(tr("Opening %1").arg(QFileInfo(path).fileName()), [this] { m_openingOther.cancel(); });
    m_openingOther.start(path);
}

/// Shows the compared model in a second pane, and both models' names above the panes.
void MainWindow::showOther()
{
    while (m_panes->count() > 1)
        delete m_panes->widget(1);
    if (views::Session *other = m_session->comparing().other()) {
        m_panes->addWidget(views::makeGraphView(*other, m_panes));
        m_panes->setSizes({1000, 1000});
        connect(&other->drawing(), &views::Drawing::busyChanged, this, &MainWindow::followWork);
        showDock("differences");
    }
}

void MainWindow::open(const QString &path)
{
    if (auto *before = findChild<QMessageBox *>(failureName))
        before->close();
    if (survey::isDatabase(path.toStdString()))
        return showSurvey(path);
    if (!m_session)
        showOpening(path);
    m_status->begin(tr("Opening %1").arg(QFileInfo(path).fileName()), [this] { m_opening.cancel(); });
    m_opening.start(path);
}

void MainWindow::setCentre(QWidget *page)
{
    while (m_centre->count() > 0) {
        QWidget *before = m_centre->widget(0);
        before->hide();
        m_centre->removeWidget(before);
        if (before != m_survey)    // which stays as it is for the way back
            before->deleteLater(); // its own button may be the caller
    }
    m_centre->addWidget(page);
    m_backToSurvey->setEnabled(m_survey && page != m_survey);
}

QStringList MainWindow::formatSummaries() const
{
    QStringList texts;
    for (const FormatText &format : formatTexts())
        texts << QStringLiteral("%1 (%2)").arg(format.description, QString(format.suffixes).replace(' ', ", "));
    return texts;
}

/// The window without a model. The views are gone before the session that they refer to.
void MainWindow::leaveModel()
{
    for (QDockWidget *dock : m_docks)
        delete dock->widget();
    while (m_session && m_centre->count() > 0)
        delete m_centre->widget(0);
    m_session.reset();
    m_path.clear();
    setWindowTitle("Cutaway");
    setDocksShown(false);
    m_status->show(nullptr);
    for (QAction *action : m_sessionActions)
        action->setEnabled(false);
    updateActions();
}

void MainWindow::showStart()
{
    leaveModel();
    setCentre(views::makeStartPage(recentFiles(*m_settings), formatSummaries(),
                                   {[this] { browse(); }, [this](const QString &path) { open(path); }}, this));
}

void MainWindow::showOpening(const QString &path)
{
    auto *label = new QLabel(tr("Opening %1 …").arg(QFileInfo(path).fileName()), this);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignCenter);
    label->setForegroundRole(QPalette::PlaceholderText);
    setCentre(label);
}

void MainWindow::showFailure(const QString &path, const Error &error)
{
    if (error.kind == ErrorKind::Cancelled) {
        if (m_survey && !m_session)
            showSurvey({});
        else if (!m_session)
            showStart();
        return;
    }
    if (m_session)
        return tellFailure(path, error);
    setDocksShown(false);
    m_status->show(nullptr);
    setWindowTitle(tr("%1 — Cutaway").arg(QFileInfo(path).fileName()));
    setCentre(views::makeFailurePage(path, error, formatSummaries().join(tr(", ")),
                                     {[this] { browse(); }, [this, path] { open(path); }}, this));
    m_path = path;
    emit openingFailed(path, error);
}

/// The open model stays as it is, with its steps and profiles.
void MainWindow::tellFailure(const QString &path, const Error &error)
{
    auto *box = new QMessageBox(
        QMessageBox::Warning, tr("Open"),
        tr("%1 cannot be opened. %2 stays open.").arg(QFileInfo(path).fileName(), QFileInfo(m_path).fileName()),
        QMessageBox::Ok, this);
    box->setInformativeText(views::toolTipText(views::shown(error.text())));
    box->setObjectName(failureName);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
    emit openingFailed(path, error);
}

void MainWindow::showModel(const QString &path, const std::shared_ptr<const ir::Model> &model)
{
    m_openingOther.cancel(); // the model it was to be compared with is gone
    // The previous model's views refer to its session, so they are deleted first.
    for (QDockWidget *dock : m_docks)
        delete dock->widget();
    auto session = std::make_unique<views::Session>(model);
    usePlugins(*session);
    auto *centre = new QWidget(this);
    QWidget *graph = views::makeGraphView(*session, this);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(views::makeStepBar(*session, centre));
    auto *panes = new QSplitter(centre);
    panes->setChildrenCollapsible(false);
    panes->addWidget(graph);
    column->addWidget(panes, 1);
    centre->setFocusProxy(graph);
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        m_docks[i]->setWidget(docks()[i].make(*session, m_docks[i]));
    while (m_centre->count() > 0)
        delete m_centre->widget(0);
    setCentre(centre);
    m_session = std::move(session);
    m_panes = panes;
    m_path = path;
    setWindowTitle(tr("%1 — Cutaway").arg(QFileInfo(path).fileName()));
    setDocksShown(true);
    graph->setFocus();
    showFacts();
    noteOpened(*m_settings, path);
    connect(&m_session->drawing(), &views::Drawing::busyChanged, this, &MainWindow::followWork);
    connect(&m_session->analysing(), &views::Analysing::busyChanged, this, &MainWindow::followWork);
    connect(&m_session->document(), &views::Document::functionChanged, this, &MainWindow::showFacts);
    connect(&m_session->document(), &views::Document::stateChanged, this, &MainWindow::showFacts);
    connect(&m_session->analysing(), &views::Analysing::figuresChanged, this, &MainWindow::showFacts);
    connect(&m_session->comparing(), &views::Comparing::otherChanged, this, &MainWindow::showOther);
    connect(&m_session->stepping(), &views::Stepping::runningChanged, this, &MainWindow::followWork);
    connect(&m_session->running(), &views::Running::stateChanged, this, [this, wasBusy = false]() mutable {
        const bool isBusy = m_session->running().isBusy();
        if (std::exchange(wasBusy, isBusy) != isBusy) // its own page shows the steps in between
            followWork();
    });
    connect(&m_session->navigation(), &views::Navigation::tensorRequested, this, [this] { showDock("tensor"); });
    m_session->navigation().setShowsMap(m_settings->value("map", true).toBool());
    followSelection();
    followActions();
    m_session->analysing().setColouring(m_colouring);
    if (m_device)
        m_session->analysing().setDevice(*m_device);
    connect(&m_session->analysing(), &views::Analysing::deviceChanged, this, [this] {
        m_device = m_session->analysing().device();
        m_settings->setValue("device", views::shown(m_device->id));
    });
    m_session->start();
    if (ir::isWeightsOnly(*model) && !model->tensors.empty())
        showWeights();
    emit opened();
}

/// A file without a graph is its tensors.
void MainWindow::showWeights()
{
    showDock("tensor");
    for (QDockWidget *dock : bottomDocks())
        resizeDocks({dock}, {height() * 2 / 3}, Qt::Vertical);
}

/// Reloads the plugins, which may have changed since the model was opened.
void MainWindow::takePlugins()
{
    if (m_session)
        usePlugins(*m_session);
}

void MainWindow::showFacts()
{
    m_status->show(m_session.get(), [this] { showDock("diagnostics"); });
}

void MainWindow::followSelection()
{
    connect(&m_session->navigation(), &views::Navigation::selectionChanged, this, [this] {
        if (m_session->navigation().selection() == views::Selection{})
            return;
        for (std::size_t i = 0; i < m_docks.size(); ++i)
            if (docks()[i].followsSelection && !m_docks[i]->isHidden())
                m_docks[i]->raise();
    });
}

/// What the actions of menus depend on.
void MainWindow::followActions()
{
    const auto &stepping = m_session->stepping();
    for (const auto change :
         {&views::Stepping::pipelineChanged, &views::Stepping::runningChanged, &views::Stepping::stepsChanged,
          &views::Stepping::positionChanged, &views::Stepping::viewChanged})
        connect(&stepping, change, this, &MainWindow::updateActions);
    for (const auto change : {&views::Running::stateChanged, &views::Running::resultChanged,
                              &views::Running::profileChanged, &views::Running::comparisonChanged})
        connect(&m_session->running(), change, this, &MainWindow::updateActions);
    for (const auto change : {&views::Comparing::otherChanged, &views::Comparing::differenceChanged})
        connect(&m_session->comparing(), change, this, &MainWindow::updateActions);
    connect(&m_session->navigation(), &views::Navigation::selectionChanged, this, &MainWindow::updateActions);
    for (const auto change :
         {&views::Searching::hitsChanged, &views::Searching::fadingChanged, &views::Searching::pathStartChanged})
        connect(&m_session->searching(), change, this, &MainWindow::updateActions);
    connect(&m_session->searching(), &views::Searching::listRequested, this, [this] { showDock("find"); });
    connect(&m_session->stepping().edits(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
    connect(&m_session->running(), &views::Running::profileChanged, this, &MainWindow::colourByTimes);
    updateActions();
}

/// A profile is taken to see where the time goes. The user's choice of colours stays for the next model.
void MainWindow::colourByTimes()
{
    const auto timing = m_session->running().timing();
    if (!timing || !timing->sum())
        return;
    m_session->analysing().setColouring(views::Measure::Measured);
    m_colourings->actions().at(int(views::Measure::Measured) + 1)->setChecked(true);
}

void MainWindow::followWork()
{
    if (m_session->stepping().isRunning())
        m_status->begin(tr("Running passes"), [this] { m_session->stepping().stop(); });
    else if (m_session->analysing().isBusy())
        m_status->begin(tr("Analysing"), [this] { m_session->analysing().cancel(); });
    else if (m_session->drawing().isBusy())
        m_status->begin(tr("Laying out"), [this] { m_session->drawing().cancel(); });
    else if (const auto *busy = std::get_if<views::Running::Busy>(&m_session->running().state()))
        m_status->begin(busy->kind == views::Running::Kind::Run ? tr("Running the model") : tr("Profiling the model"),
                        [this] { m_session->running().stop(); });
    else if (!m_opening.isBusy())
        m_status->end();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_settings->setValue("geometry", saveGeometry());
    m_settings->setValue("arrangement", m_docksShown ? saveState(arrangementVersion) : m_arrangement);
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    open(droppedFile(*event->mimeData()));
}

} // namespace cutaway::desktop
