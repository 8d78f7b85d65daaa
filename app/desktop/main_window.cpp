// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"

#include "app/desktop/docks/dock_tabs.h"
#include "app/desktop/docks/dock_title.h"
#include "app/desktop/docks/docks.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/run_choices.h"
#include "app/desktop/status.h"
#include "core/analysis/known_devices.h"
#include "core/base/text.h"
#include "core/ir/weights_only.h"
#include "core/plugin/plugin_passes.h"
#include "core/run/timing.h"
#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/source_folders.h"
#include "views/session/stepping.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QTabBar>
#include <QUndoStack>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr int arrangementVersion = 4;
constexpr int leastSide = 240, mostSide = 360; ///< of the docks beside the graph, whose room is what is left
constexpr int bottomHeight = 300;
constexpr const char *wasOnTop = "was-on-top"; ///< property of a dock of a side that was hidden

QStringList droppedFiles(const QMimeData &data)
{
    QStringList files;
    for (const QUrl &url : data.urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

/// Qt puts docks behind the tab of another outside of the window, and does not hide rows of no tabs.
bool isOutOfSight(const QWidget &widget)
{
    for (const QWidget *at = &widget; at; at = at->parentWidget())
        if ((qobject_cast<const QDockWidget *>(at) || qobject_cast<const QTabBar *>(at))
            && !at->parentWidget()->rect().intersects(at->geometry()))
            return true;
    return false;
}

void usePlugins(views::Session &session)
{
    session.stepping().setOtherPasses(plugin::foundPasses());
    session.running().setChoices(foundRunChoices());
}

} // namespace

MainWindow::MainWindow(std::unique_ptr<QSettings> settings)
    : m_settings(std::move(settings)),
      m_status(new Status(this))
{
    setWindowTitle("Cutaway");
    setAcceptDrops(true);
    setDockOptions(AllowTabbedDocks | AllowNestedDocks | AnimatedDocks);
    makePages();
    setStatusBar(m_status);
    makeDocks();
    makeMenus();
    makeToolBar();
    connect(&m_writing, &views::LatestWork::busyChanged, this, &MainWindow::updateActions);
    connect(&m_plugins, &PluginWatch::changed, this, &MainWindow::takePlugins);
    resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
    restore();
    followPage();
}

void MainWindow::makePages()
{
    m_pages = new Pages(*m_settings, [this](views::Session &session) { prepare(session); }, this);
    setCentralWidget(m_pages);
    connect(m_pages, &Pages::currentChanged, this, &MainWindow::followPage);
    connect(m_pages, &Pages::workChanged, this, &MainWindow::followWork);
    connect(m_pages, &Pages::progress, m_status, &Status::progress);
    connect(m_pages, &Pages::openingFailed, this, &MainWindow::openingFailed);
    connect(m_pages, &Pages::browseRequested, this, &MainWindow::browse);
    connect(m_pages, &Pages::savingRequested, this,
            [this](ModelPage *page, const std::function<void()> &then) { saveShown(*page, then); });
    connect(m_pages, &Pages::opened, this, &MainWindow::opened);
    connect(&m_pages->panes(), &Panes::menuRequested, this, &MainWindow::showTabMenu);
    connect(&m_pages->lockstep(), &Lockstep::onChanged, this, &MainWindow::updateActions);
}

MainWindow::~MainWindow()
{
    m_following.reset();
    m_pages->disconnect(this);
    delete m_pages; // the docks' views refer to its sessions
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
    m_pages->lockstep().setOn(m_settings->value("in-step", false).toBool());
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
    tellTabs(*this, m_docks);
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
                resizeDocks({m_docks[i]}, {std::clamp(width() / 5, leastSide, mostSide)}, Qt::Horizontal);
            else
                resizeDocks({m_docks[i]}, {bottomHeight}, Qt::Vertical);
    }
}

/// The docks of a side, visible or hidden.
std::vector<QDockWidget *> MainWindow::docksIn(Qt::DockWidgetArea area) const
{
    std::vector<QDockWidget *> found;
    for (QDockWidget *dock : m_docks)
        if (dockWidgetArea(dock) == area && !dock->isFloating())
            found.push_back(dock);
    return found;
}

/// Hides or shows the docks of a side. The dock that was on top is on top again when the side comes back.
void MainWindow::toggle(Qt::DockWidgetArea area)
{
    const std::vector<QDockWidget *> docks = docksIn(area);
    if (docks.empty())
        return;
    const bool shown = std::ranges::any_of(docks, [](const QDockWidget *dock) { return !dock->isHidden(); });
    if (shown)
        for (QDockWidget *dock : docks)
            dock->setProperty(wasOnTop, dock->isVisible() && !isOutOfSight(*dock));
    for (QDockWidget *dock : docks)
        dock->setVisible(!shown);
    const auto top =
        std::ranges::find_if(docks, [](const QDockWidget *dock) { return dock->property(wasOnTop).toBool(); });
    if (!shown)
        (top == docks.end() ? docks.front() : *top)->raise();
}

/// Opening the first dock below the graph also opens the others as tabs, so that users find them.
void MainWindow::showDock(QDockWidget *dock)
{
    const std::vector<QDockWidget *> below = docksIn(Qt::BottomDockWidgetArea);
    if (std::ranges::contains(below, dock) && std::ranges::all_of(below, &QDockWidget::isHidden))
        toggle(Qt::BottomDockWidgetArea);
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

void MainWindow::setDevice(analysis::Device device)
{
    m_device = std::move(device);
    m_pages->kept().leaveDevice();
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
        for (const QString &suffix : format.suffixes.split(' '))
            if (!all.contains(suffix))
                all << suffix;
        filters << QStringLiteral("%1 (%2)").arg(format.description, format.suffixes);
    }
    if (withSurveys) {
        all << QStringLiteral("*.db");
        filters << tr("Surveys (*.db)");
    }
    filters.prepend((withSurveys ? tr("Models and surveys (%1)") : tr("Models (%1)")).arg(all.join(' ')));
    filters << tr("Sessions (*%1)").arg(QString::fromUtf8(sessionSuffix));
    filters << tr("All files (*)");
    const QString folder = path().isEmpty() ? QString() : QFileInfo(path()).absolutePath();
    return QFileDialog::getOpenFileName(this, title, folder, filters.join(";;"));
}

void MainWindow::browse()
{
    const QString path = chooseModel(tr("Open a model"), true);
    if (!path.isEmpty())
        open(path);
}

/// "": nothing is open.
QString MainWindow::path() const { return m_pages->current() ? m_pages->current()->path() : QString(); }

void MainWindow::compareWith(const QString &path)
{
    ModelPage &page = *m_pages->current();
    m_status->begin(tr("Opening %1").arg(QFileInfo(path).fileName()), [page = QPointer(&page)] {
        if (page)
            page->openingOther().cancel();
    });
    page.openingOther().start(path);
}

/// Gives a new session the settings that the window knows before the session's first picture.
void MainWindow::prepare(views::Session &session)
{
    usePlugins(session);
    session.navigation().setShowsMap(m_settings->value("map", true).toBool());
    session.sourceFolders().setPaths(m_settings->value("source-folders").toStringList());
    if (m_colouring != views::Colouring(views::Measure::Measured)) // there are no times yet
        session.analysing().setColouring(m_colouring);
    if (m_device)
        session.analysing().setDevice(*m_device);
}

/// Another session is in front, or none.
void MainWindow::followPage()
{
    m_following = std::make_unique<QObject>();
    views::Session *session = this->session();
    setWindowTitle(m_pages->current() ? tr("%1 — Cutaway").arg(m_pages->current()->name()) : QStringLiteral("Cutaway"));
    if (session) {
        for (std::size_t i = 0; i < m_docks.size(); ++i)
            m_docks[i]->setWidget(m_pages->current()->dockViews()[i]);
        m_edits.addStack(&session->document().edits());
        followSession(*session);
    }
    m_edits.setActiveStack(session ? &session->document().edits() : nullptr);
    setDocksShown(session
                  && !showsWeights()); // few of them say something of tensors alone, and take half of the window
    if (session && session->navigation().selection() == views::Selection{})
        raiseInsteadOfSelection();
    for (QAction *action : m_sessionActions)
        action->setEnabled(session != nullptr);
    showFacts();
    showColumns();
    followWork();
    updateActions();
}

void MainWindow::followSession(views::Session &session)
{
    QObject *context = m_following.get();
    const auto follow = [&](auto *sender, auto signal, auto slot) {
        connect(sender, signal, context, [this, slot] { (this->*slot)(); });
    };
    follow(&session.drawing(), &views::Drawing::busyChanged, &MainWindow::followWork);
    follow(&session.analysing(), &views::Analysing::busyChanged, &MainWindow::followWork);
    follow(&session.stepping(), &views::Stepping::runningChanged, &MainWindow::followWork);
    follow(&session.document(), &views::Document::functionChanged, &MainWindow::showFacts);
    follow(&session.document(), &views::Document::stateChanged, &MainWindow::showFacts);
    follow(&session.analysing(), &views::Analysing::figuresChanged, &MainWindow::showFacts);
    follow(&session.analysing(), &views::Analysing::colouringChanged, &MainWindow::showColouring);
    follow(&session.annotating(), &views::Annotating::changed, &MainWindow::showColumns);
    follow(&session.navigation(), &views::Navigation::selectionChanged, &MainWindow::raiseForSelection);
    follow(&session.navigation(), &views::Navigation::hiddenKindsChanged, &MainWindow::updateActions);
    connect(&session.running(), &views::Running::stateChanged, context, [this, wasBusy = false]() mutable {
        const bool isBusy = this->session()->running().isBusy();
        if (std::exchange(wasBusy, isBusy) != isBusy) // its own page shows the steps in between
            followWork();
    });
    follow(&session.navigation(), &views::Navigation::extractionRequested, &MainWindow::extractSelection);
    connect(&session.navigation(), &views::Navigation::viewRequested, context,
            [this](auto view) { showDock(view == views::Navigation::Beside::Nodes ? "nodes" : "source"); });
    connect(&session.navigation(), &views::Navigation::tensorRequested, context, [this] {
        if (showsWeights())
            m_pages->current()->setFocus();
        else
            showDock("tensor");
    });
    connect(&session.running(), &views::Running::tensorRequested, context, [this] { showDock("tensor"); });
    connect(&session.comparing(), &views::Comparing::otherChanged, context, [this] {
        followOther();
        if (this->session()->comparing().other())
            showDock("differences");
    });
    connect(&session.document(), &views::Document::sizesRequested, context, [this] { showDock("bindings"); });
    connect(&session.bookmarks(), &views::Bookmarks::noteRequested, context, [this] { showDock("bookmarks"); });
    connect(&session.sourceFolders(), &views::SourceFolders::changed, context,
            [this] { m_settings->setValue("source-folders", this->session()->sourceFolders().paths()); });
    connect(&session.analysing(), &views::Analysing::deviceChanged, context, [this] {
        m_device = this->session()->analysing().device();
        m_settings->setValue("device", views::shown(m_device->id));
    });
    followActions();
    followOther();
}

bool MainWindow::showsWeights() const
{
    return session() && ir::isWeightsOnly(session()->document().file())
        && !session()->document().file().tensors.empty();
}

/// Reloads the plugins, which may have changed since the model was opened.
void MainWindow::takePlugins()
{
    if (session())
        usePlugins(*session());
}

void MainWindow::showFacts()
{
    m_status->show(session(), [this] { showDock("diagnostics"); });
}

void MainWindow::raiseForSelection()
{
    if (session()->navigation().selection() == views::Selection{})
        return;
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        if (docks()[i].group == Dock::Group::Selection && !m_docks[i]->isHidden())
            m_docks[i]->raise();
}

/// Raises the summary above a dock that follows the selection, which shows nothing while nothing is selected.
void MainWindow::raiseInsteadOfSelection()
{
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        if (docks()[i].group != Dock::Group::Selection || m_docks[i]->isHidden() || isOutOfSight(*m_docks[i]))
            continue;
        for (QDockWidget *dock : tabifiedDockWidgets(m_docks[i]))
            if (dock->objectName() == "summary" && !dock->isHidden())
                dock->raise();
    }
}

/// The compared model is laid out, too.
void MainWindow::followOther()
{
    if (views::Session *other = session()->comparing().other())
        connect(&other->drawing(), &views::Drawing::busyChanged, m_following.get(), [this] { followWork(); });
}

/// Updates the actions of menus whenever something changes that they depend on.
void MainWindow::followActions()
{
    views::Session &session = *this->session();
    const auto update = [this] { updateActions(); };
    QObject *context = m_following.get();
    for (const auto change :
         {&views::Stepping::pipelineChanged, &views::Stepping::runningChanged, &views::Stepping::stepsChanged,
          &views::Stepping::positionChanged, &views::Stepping::viewChanged})
        connect(&session.stepping(), change, context, update);
    for (const auto change : {&views::Running::stateChanged, &views::Running::resultChanged,
                              &views::Running::profileChanged, &views::Running::comparisonChanged})
        connect(&session.running(), change, context, update);
    for (const auto change : {&views::Comparing::otherChanged, &views::Comparing::differenceChanged})
        connect(&session.comparing(), change, context, update);
    for (const auto change :
         {&views::Searching::hitsChanged, &views::Searching::fadingChanged, &views::Searching::pathStartChanged})
        connect(&session.searching(), change, context, update);
    connect(&session.navigation(), &views::Navigation::selectionChanged, context, update);
    connect(&session.bookmarks(), &views::Bookmarks::changed, context, update);
    connect(&session.searching(), &views::Searching::listRequested, context, [this] { showDock("find"); });
    connect(&session.running(), &views::Running::profileChanged, context, [this] { colourByTimes(); });
    connect(&session.running(), &views::Running::resultChanged, context, [this] { colourByMagnitude(); });
}

/// A profile is taken to see where the time goes. The user's choice of colours stays for the next model.
void MainWindow::colourByTimes()
{
    const auto timing = session()->running().timing();
    if (!timing || !timing->sum())
        return;
    session()->analysing().setColouring(views::Measure::Measured);
}

void MainWindow::followWork()
{
    views::Session *session = this->session();
    if (session && session->stepping().isRunning())
        m_status->begin(tr("Running passes"), [session] { session->stepping().stop(); });
    else if (session && session->analysing().isBusy())
        m_status->begin(tr("Analysing"), [session] { session->analysing().cancel(); });
    else if (session && session->drawing().isBusy())
        m_status->begin(tr("Laying out"), [session] { session->drawing().cancel(); });
    else if (const auto *busy = session ? std::get_if<views::Running::Busy>(&session->running().state()) : nullptr)
        m_status->begin(busy->kind == views::Running::Kind::Profile ? tr("Profiling the model")
                                                                    : tr("Running the model"),
                        [session] { session->running().stop(); });
    else if (ModelPage *opening = m_pages->opening())
        m_status->begin(tr("Opening %1").arg(opening->name()), [opening] {
            opening->opening().cancel();
            opening->openingOther().cancel();
        });
    else
        m_status->end();
}

/// Tab leads to all that is seen. Qt's own order also has the docks behind tabs, and goes round in one dock where views
/// were moved into it.
bool MainWindow::focusNextPrevChild(bool next)
{
    std::vector<QWidget *> reached;
    for (QWidget *each : findChildren<QWidget *>())
        if ((each->focusPolicy() & Qt::TabFocus) && !each->focusProxy() && each->isEnabled() && each->isVisible()
            && each->window() == this && !isOutOfSight(*each))
            reached.push_back(each);
    if (reached.empty())
        return false;
    const auto now = std::size_t(std::ranges::find(reached, focusWidget()) - reached.begin());
    const std::size_t step = next ? 1 : reached.size() - 1;
    const std::size_t at = now < reached.size() ? (now + step) % reached.size() : next ? 0 : reached.size() - 1;
    reached[at]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_pages->closeAll([this] { close(); }))
        return event->ignore();
    m_settings->setValue("geometry", saveGeometry());
    m_settings->setValue("arrangement", m_docksShown ? saveState(arrangementVersion) : m_arrangement);
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    for (const QString &file : droppedFiles(*event->mimeData()))
        open(file);
}

} // namespace cutaway::desktop
