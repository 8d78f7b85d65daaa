// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"

#include "app/desktop/menus/colouring_menu.h"
#include "app/desktop/menus/menus.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/problem.h"
#include "app/desktop/status.h"
#include "app/desktop/watching/letterbox.h"
#include "app/desktop/watching/plugin_watch.h"
#include "app/desktop/writing/file_dialogs.h"
#include "core/trace/read/recognize.h"
#include "views/appearance/theme.h"
#include "views/compilations/side_by_side.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QCollator>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QUndoGroup>
#include <QUndoStack>
#include <algorithm>

namespace cutaway::desktop {
namespace {

QStringList droppedFiles(const QMimeData &data)
{
    QStringList files;
    for (const QUrl &url : data.urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

/// Shows the compilations that a page lists beside those of another log.
void compareListed(Pages &pages, ModelPage &page, const QString &other)
{
    const auto openPair = [&pages](const QString &a, const QString &b) { pages.openTwo({.path = a}, b); };
    (new views::SideBySideWindow(views::sideOf(page.name(), page.listed()), views::sideAt(other), openPair, &page))
        ->show();
}

} // namespace

MainWindow::MainWindow(std::unique_ptr<QSettings> settings)
    : m_settings(std::move(settings)),
      m_defaults(*m_settings),
      m_edits(new QUndoGroup(this)),
      m_status(new Status(this)),
      m_pages(new Pages(
          *m_settings, [this](views::Session &session) { m_defaults.prepare(session); }, this)),
      m_docks(*this),
      m_work(*m_pages, *m_status),
      m_writing(*m_status, *this),
      m_saving(*this, *m_pages, m_writing, *m_status),
      m_exports(*this, *m_pages, m_docks, m_writing, *m_status),
      m_actions(*menuBar(), [this] { return session(); })
{
    setWindowTitle("Cutaway");
    setAcceptDrops(true);
    setCentralWidget(m_pages);
    setStatusBar(m_status);
    makeMenus();
    connectPages();
    connect(&m_writing, &Writing::busyChanged, &m_actions, &Actions::update);
    connect(new PluginWatch(this), &PluginWatch::changed, this, &MainWindow::takePlugins);
    constexpr double shareOfScreen = 0.94; // the window's frame needs the rest of the screen
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() * shareOfScreen));
    restore();
    followPage();
}

MainWindow::~MainWindow()
{
    m_following.reset();
    m_pages->disconnect();
    delete m_pages; // views in docks refer to the sessions of the pages, so pages are deleted before the docks
}

void MainWindow::connectPages()
{
    connect(m_pages, &Pages::currentChanged, this, &MainWindow::followPage);
    connect(m_pages, &Pages::openingFailed, this, &MainWindow::openingFailed);
    connect(m_pages, &Pages::browseRequested, this, &MainWindow::browse);
    connect(m_pages, &Pages::savingRequested, &m_saving,
            [this](ModelPage *page, const std::function<void()> &then) { m_saving.saveShown(*page, then); });
    connect(m_pages, &Pages::opened, this, &MainWindow::opened);
    connect(m_pages, &Pages::traceOpened, this, [this] { showDock(QStringLiteral("timeline")); });
    connect(&m_pages->panes(), &Panes::menuRequested, this, [this](const QPoint &at) {
        QMenu menu(this);
        menu.addActions(m_tabActions);
        menu.exec(at);
    });
    connect(&m_pages->lockstep(), &Lockstep::onChanged, &m_actions, &Actions::update);
}

void MainWindow::makeMenus()
{
    const FileMenu file = makeFileMenu(m_actions, *this, *m_settings, m_saving);
    makeEditMenu(m_actions, *m_edits, m_exports, *this);
    const ViewMenu view = makeViewMenu(m_actions, *m_pages, m_docks, *m_settings, m_defaults, *m_status,
                                       [this](views::Theme theme) { setTheme(theme); });
    makePassesMenu(m_actions, m_docks);
    makeRunMenu(m_actions, m_docks, m_defaults, *this);
    makeGoMenu(m_actions, *m_pages, m_docks, *m_status);
    makeHelpMenu(m_actions, m_docks, *this);
    makeToolBar(*this, m_actions, view.colouring, file.exports);
    m_colouring = &view.colouring;
    m_tabActions = QList{file.openBeside} + view.ofTabs + QList{file.close};
}

/// Restores what an earlier window saved.
void MainWindow::restore()
{
    restoreGeometry(m_settings->value("geometry").toByteArray());
    m_docks.setArrangement(m_settings->value("arrangement").toByteArray());
    setTheme(static_cast<views::Theme>(m_settings->value("theme", int(views::Theme::System)).toInt()));
    m_pages->lockstep().setOn(m_settings->value("in-step", false).toBool());
}

void MainWindow::setDevice(analysis::Device device)
{
    m_defaults.setDevice(std::move(device));
    m_pages->kept().leaveDevice();
}

void MainWindow::setColouring(const views::Colouring &colouring) { m_colouring->choose(colouring); }

void MainWindow::setTheme(views::Theme theme)
{
    views::applyTheme(*qApp, theme);
    m_settings->setValue("theme", int(theme));
}

void MainWindow::browse()
{
    const ModelPage *page = m_pages->current();
    const QString path = chooseModel(*this, tr("Open a model"), page ? page->file() : QString(), true);
    if (!path.isEmpty())
        open(path);
}

void MainWindow::browseFolder()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a folder"), folderInFront());
    if (!path.isEmpty())
        open(path);
}

void MainWindow::browseRow()
{
    QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Open files as steps, in the order of their names"), folderInFront());
    QCollator collator; // the dialog returns the files in no particular order
    collator.setNumericMode(true);
    std::ranges::sort(files, collator);
    if (!files.isEmpty())
        m_pages->open(rowOf(files));
}

QString MainWindow::folderInFront() const
{
    const ModelPage *page = m_pages->current();
    return page ? QFileInfo(page->file()).absolutePath() : QString();
}

void MainWindow::openClipboard()
{
    const QMimeData *copied = QApplication::clipboard()->mimeData();
    const QStringList files = copied ? droppedFiles(*copied) : QStringList();
    const QString text = copied ? copied->text() : QString();
    if (files.isEmpty() && text.trimmed().isEmpty())
        return tellProblem(*this, tr("Open from clipboard"),
                           tr("The clipboard holds no text. Copy a graph as torch.fx prints it, or a part of a log of "
                              "torch.compile, and try again."));
    for (const QString &file : files)
        open(file);
    if (!files.isEmpty())
        return;
    auto source = sourceOfText(QStringLiteral("clipboard"), text.toUtf8());
    if (source)
        m_pages->open(*source);
    else
        tellProblem(*this, tr("Open from clipboard"),
                    tr("The text could not be kept: %1.").arg(views::shown(source.error().text())));
}

void MainWindow::take(const Letter &letter)
{
    if (!letter.compared.isEmpty())
        m_pages->openTwo(letter.source, letter.compared);
    else if (!letter.trace.isEmpty())
        m_pages->open(letter.source).openTrace(letter.trace);
    else if (letter.source.folder)
        m_pages->open(letter.source);
    else
        m_pages->open(letter.source.path); // the file may also be a session or a survey
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

void MainWindow::compareWith(const QString &path)
{
    ModelPage &page = *m_pages->current();
    if (page.listed())
        return compareListed(*m_pages, page, path);
    m_status->begin(tr("Opening %1").arg(QFileInfo(path).fileName()), [page = QPointer(&page)] {
        if (page)
            page->openingOther().cancel();
    });
    page.openingOther().start(path);
}

void MainWindow::openTrace(const QString &path)
{
    session()->running().openTrace(path);
    showDock(QStringLiteral("run"));
    showDock(QStringLiteral("timeline"));
}

void MainWindow::compareTrace(const QString &path)
{
    session()->running().compareTrace(path);
    showDock(QStringLiteral("run"));
}

/// Makes menus, docks and status bar follow the session of the page in front, if there is one.
void MainWindow::followPage()
{
    m_following = std::make_unique<QObject>();
    ModelPage *page = m_pages->current();
    views::Session *session = this->session();
    setWindowTitle(page ? tr("%1 — Cutaway").arg(page->name()) : QStringLiteral("Cutaway"));
    if (session) {
        m_docks.fill(page->dockViews());
        m_edits->addStack(&session->document().edits());
        followSession(*session);
    }
    m_edits->setActiveStack(session ? &session->document().edits() : nullptr);
    // A file of weights alone has content for few docks, which would take half of the window.
    m_docks.setShown(session && !showsWeights(session->document().file()));
    if (session && !isSelected(*session))
        m_docks.raiseInsteadOfSelection();
    showFacts();
    m_colouring->showColumns();
    m_work.show();
    m_actions.update();
}

void MainWindow::followSession(views::Session &session)
{
    QObject &context = *m_following;
    m_work.follow(session, context);
    m_colouring->follow(session, context);
    m_defaults.follow(session, context);
    m_actions.follow(context);
    for (const auto change : {&views::Document::functionChanged, &views::Document::stateChanged})
        connect(&session.document(), change, &context, [this] { showFacts(); });
    connect(&session.analysing(), &views::Analysing::figuresChanged, &context, [this] { showFacts(); });
    connect(&session.requests(), &views::Requests::extractionRequested, &context,
            [this] { m_saving.extractSelection(); });
    followDocks(session);
}

/// Shows a dock whenever a view of the session asks for it.
void MainWindow::followDocks(views::Session &session)
{
    const auto showOn = [this](auto &sender, auto request, const char *dock) {
        connect(&sender, request, m_following.get(), [this, dock] { m_docks.show(dock); });
    };
    showOn(session.requests(), &views::Requests::outputRequested, "tensor");
    showOn(session.document(), &views::Document::sizesRequested, "bindings");
    showOn(session.bookmarks(), &views::Bookmarks::noteRequested, "bookmarks");
    showOn(session.searching(), &views::Searching::listRequested, "find");
    connect(&session.navigation(), &views::Navigation::selectionChanged, m_following.get(), [this, &session] {
        if (isSelected(session))
            m_docks.raiseForSelection();
    });
    connect(&session.requests(), &views::Requests::viewRequested, m_following.get(),
            [this](auto view) { m_docks.show(view == views::Requests::Beside::Nodes ? "nodes" : "source"); });
    connect(&session.requests(), &views::Requests::tensorRequested, m_following.get(), [this, &session] {
        if (showsWeights(session.document().file()))
            m_pages->current()->setFocus();
        else
            m_docks.show("tensor");
    });
    connect(&session.comparing(), &views::Comparing::otherChanged, m_following.get(), [this, &session] {
        if (session.comparing().other())
            m_docks.show("differences");
    });
}

/// Gives the session in front the plugins that are found now, since they may have changed after the model was opened.
void MainWindow::takePlugins()
{
    if (session())
        usePlugins(*session());
}

void MainWindow::showFacts()
{
    m_status->show(session(), [this] { m_docks.show("diagnostics"); });
}

/// Moves the focus to the next visible widget of the window. Qt's own order includes docks behind tabs, and after views
/// were moved into a dock it never leaves that dock.
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
    m_settings->setValue("arrangement", m_docks.arrangement());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

/// Whether the page in front has a graph that a trace may be a run of. A model that is made of a trace is none.
bool MainWindow::hasModel() const { return session() && hasGraph(*session()) && !m_pages->current()->recorded; }

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    for (const QString &file : droppedFiles(*event->mimeData()))
        if (hasModel() && trace::recognizes(file.toStdString()))
            openTrace(file);
        else
            open(file);
}

} // namespace cutaway::desktop
