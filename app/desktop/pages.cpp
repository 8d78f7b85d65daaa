// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/pages.h"

#include "app/desktop/banner.h"
#include "app/desktop/keeping/located_session.h"
#include "app/desktop/keeping/unwritten.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/problem.h"
#include "app/desktop/recent_files.h"
#include "app/desktop/sample.h"
#include "app/desktop/writing/file_dialogs.h"
#include "core/base/heap.h"
#include "core/ir/model.h"
#include "core/sequence/address.h"
#include "core/survey/database/database.h"
#include "views/compilations/compilations.h"
#include "views/failure/failure.h"
#include "views/parts/text.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/session/stepping.h"
#include "views/start/start.h"
#include "views/survey/survey.h"

#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::desktop {
namespace {

/// Tells in the banner if a trace without a model has no modules or no operators.
void tellWhatIsMissing(Banner &banner, const ir::Model &model)
{
    for (const ir::Diagnostic &each : model.diagnostics)
        if (each.code == "trace.modules" || each.code == "trace.empty")
            banner.tell(views::sentence(views::shown(each.message)));
}

} // namespace

Pages::Pages(QSettings &settings, Prepare prepare, QWidget *parent)
    : QWidget(parent),
      m_settings(settings),
      m_prepare(std::move(prepare)),
      m_panes(new Panes(this)),
      m_lockstep(*m_panes),
      m_kept(QFileInfo(settings.fileName()).absolutePath() + "/sessions", *m_panes, m_lockstep),
      m_restored(*m_panes, m_kept, m_lockstep,
                 [this](const Source &source, Pane &pane, std::optional<SavedSession> wanted) {
                     const QPointer<ModelPage> latest = m_latest;
                     ModelPage &page = add(source, pane);
                     page.wanted = std::move(wanted);
                     readOnce(page);
                     m_latest = latest;
                 })
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_panes);
    connect(m_panes, &Panes::currentChanged, this, &Pages::activate);
    connect(m_panes, &Panes::activeChanged, this, &Pages::currentChanged);
    connect(m_panes, &Panes::closeRequested, this, [this](ModelPage *page) { close(*page); });
    connect(&m_files, &FileWatch::seen, this, &Pages::tell);
    showStart();
}

Pages::~Pages()
{
    m_lockstep.unlink();
    m_panes->disconnect(this);
    m_panes->disconnect(&m_lockstep);
    m_panes->keepActive([this] {
        for (ModelPage *page : m_panes->pages()) // pages refer to the other members, so they are deleted first
            delete page;
    });
}

ModelPage *Pages::current() const { return m_panes->current(); }

ModelPage *Pages::opening() const
{
    if (current() && current()->isOpening())
        return current();
    if (m_latest && m_latest->isOpening())
        return m_latest;
    const QList<ModelPage *> all = m_panes->pages();
    const auto busy = std::ranges::find_if(all, &ModelPage::isOpening);
    return busy == all.end() ? nullptr : *busy;
}

QStringList formatSummaries()
{
    QStringList texts;
    for (const FormatText &format : formatTexts())
        texts << QStringLiteral("%1 (%2)").arg(format.description, QString(format.suffixes).replace(' ', ", "));
    return texts;
}

void Pages::showStart()
{
    QList<views::RecentFile> recent;
    for (const QString &path : recentFiles(m_settings))
        recent.append({path, m_kept.sessions().picturePath(path, false), m_kept.sessions().picturePath(path, true)});
    Pane &pane = m_panes->active();
    pane.showInstead(
        views::makeStartPage(recent, samplePath(), formatSummaries(),
                             {[this] { emit browseRequested(); }, [this](const QString &path) { open(path); }}, &pane));
}

void Pages::open(const QString &path)
{
    if (path.endsWith(QString::fromUtf8(sessionSuffix)))
        return openSession(path, false);
    if (survey::isDatabase(path.toStdString()))
        return openSurvey(path);
    open(Source{.path = path});
}

ModelPage &Pages::open(const Source &source)
{
    ModelPage *known = m_panes->pageOf(source.path);
    ModelPage &page = known ? *known : add(source, m_panes->active());
    if (known)
        m_panes->setCurrent(*known);
    readOnce(page);
    return page;
}

void Pages::openBeside(const QString &path)
{
    if (!current() || survey::isDatabase(path.toStdString()))
        return open(path);
    if (path.endsWith(QString::fromUtf8(sessionSuffix)))
        return openSession(path, true);
    Pane &pane = m_panes->rightOf(m_panes->active());
    const QList<ModelPage *> views = m_panes->pagesOf(path);
    const auto known =
        std::ranges::find_if(views, [&](const ModelPage *view) { return &m_panes->paneOf(*view) == &pane; });
    if (known != views.end()) {
        m_panes->setCurrent(**known);
        return readOnce(**known);
    }
    ModelPage &page = add(views.isEmpty() ? Source{.path = path} : views.front()->source(), pane);
    for (const ModelPage *view : views)
        if (view->session() && view->session()->drawing().diagram())
            page.wanted = ownSession(*view); // a further view of a model begins in the state of another one
    if (page.wanted)
        page.wanted->compared.clear(); // only the first view shows the compared model
    readOnce(page);
}

/// Opens a saved session. If its model is open, the session is restored there.
void Pages::openSession(const QString &path, bool isBeside)
{
    const auto saved = readLocatedSession(path);
    if (!saved) {
        tellProblem(*window(), tr("Open a session"),
                    tr("Could not open the session %1: %2.")
                        .arg(QFileInfo(path).fileName(), views::shown(saved.error().text())));
        emit openingFailed(path, saved.error());
        return;
    }
    const Source source = sourceOf(*saved);
    ModelPage *known = m_panes->pageOf(source.path);
    if (known && known->session()) {
        m_panes->setCurrent(*known);
        m_restored.restore(*known, *saved);
        return;
    }
    ModelPage &page = known ? *known
        : isBeside          ? add(source, m_panes->rightOf(m_panes->active()))
                            : add(source, m_panes->active());
    page.wanted = *saved;
    readOnce(page);
}

/// Opens the database of a survey in a tab. The models that a user opens from it get tabs of their own.
void Pages::openSurvey(const QString &path)
{
    m_survey = m_panes->pageOf(path);
    if (m_survey)
        return m_panes->setCurrent(*m_survey);
    ModelPage &page = add({.path = path}, m_panes->active());
    m_survey = &page;
    page.setPage(views::makeSurveyPage(path,
                                       {[this](const QString &model) { open(model); },
                                        [this](const QString &a, const QString &b) { openTwo({.path = a}, b); },
                                        [this] { emit surveyShown(); }},
                                       &page));
    noteOpened(m_settings, path);
    m_panes->setCurrent(page);
    activate();
}

void Pages::openTwo(const Source &first, const QString &second) { open(first).compareWith(second, first.folder); }

/// Adds a page for a source. It comes to the front once it is read, or at once if the page in front is not read either.
ModelPage &Pages::add(const Source &source, Pane &pane)
{
    const bool isFirst = m_panes->pages().isEmpty();
    auto *page = new ModelPage(source, &pane);
    pane.add(*page);
    connectTo(*page);
    if (isFirst)
        activate();
    else if (&pane == &m_panes->active() && !current()->isRead())
        m_panes->setCurrent(*page);
    else
        emit currentChanged(); // the page in front now has a neighbour, which some actions depend on
    return *page;
}

void Pages::connectTo(ModelPage &each)
{
    ModelPage *page = &each;
    connect(&page->opening(), &Opening::busyChanged, this, &Pages::workChanged);
    connect(&page->openingOther(), &Opening::busyChanged, this, &Pages::workChanged);
    connect(&page->opening(), &Opening::progress, this, [this, page](const QString &what, quint64 done, quint64 total) {
        if (m_latest == page)
            emit progress(what, done, total);
    });
    connect(&page->opening(), &Opening::opened, this, [this](const QString &path, const ReadModel &read) {
        for (ModelPage *view : m_panes->pagesOf(path))
            showModel(*view, read);
    });
    connect(&page->opening(), &Opening::listed, this,
            [this](const QString &path, const std::shared_ptr<const sequence::Document> &document) {
                for (ModelPage *view : m_panes->pagesOf(path))
                    showListed(*view, document);
            });
    connect(&page->opening(), &Opening::notExported, this, [this](const QString &path, const NoExport &failure) {
        for (ModelPage *view : m_panes->pagesOf(path)) {
            m_panes->keepActive([&] { view->setNotExported(failure); });
            finish(*view);
        }
    });
    connect(&page->opening(), &Opening::failed, this,
            [this, page](const QString &, const Error &error) { showFailure(*page, error); });
    connect(&page->openingOther(), &Opening::failed, this, [page](const QString &other, const Error &error) {
        if (error.kind != ErrorKind::Cancelled)
            page->banner().tell(
                tr("Could not open %1: %2").arg(QFileInfo(other).fileName(), views::shown(error.text())));
    });
    connect(&page->keeping, &QTimer::timeout, this, [this, page] {
        const auto kept = m_kept.keep(*page);
        if (!kept && !page->failsToKeep)
            page->banner().tell(tr("Could not save the session: %1.").arg(views::shown(kept.error().text())));
        page->failsToKeep = !kept;
    });
    connect(page, &ModelPage::traceOpened, this, [this, page] {
        if (current() == page)
            emit traceOpened();
    });
    connect(page, &ModelPage::canvasesGoing, &m_lockstep, &Lockstep::unlink);
    connect(page, &ModelPage::canvasesChanged, &m_lockstep, &Lockstep::link);
}

void Pages::read(ModelPage &page)
{
    m_latest = &page;
    m_files.watch(page.file()); // watched before the file is read, so that a change in between is noticed
    page.opening().start(page.source());
}

/// Reads the file of a page, takes over what another view of the file has read, or waits while another view reads it.
void Pages::readOnce(ModelPage &page)
{
    const QList<ModelPage *> views = m_panes->pagesOf(page.path());
    if (page.isRead())
        return;
    const auto isReading = [](ModelPage *view) { return view->opening().isBusy(); };
    const auto known = std::ranges::find_if(views, [](const ModelPage *view) { return view->session() != nullptr; });
    if (known != views.end() && std::ranges::none_of(views, isReading)) {
        m_latest = &page;
        const views::Session &session = *(*known)->session();
        return showModel(page,
                         {.model = session.document().models().file,
                          .sums = nullptr,
                          .history = session.stepping().recorded(),
                          .recorded = (*known)->recorded,
                          .exportFailure = (*known)->exportFailure()});
    }
    auto *label = new QLabel(tr("Opening %1 …").arg(page.name()), &page);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignCenter);
    label->setForegroundRole(QPalette::PlaceholderText);
    page.setPage(label);
    if (std::ranges::none_of(views, isReading))
        read(page);
    else
        m_latest = &page;
}

void Pages::reload(ModelPage &page)
{
    for (ModelPage *view : m_panes->pagesOf(page.path())) {
        view->banner().hide();
        view->forgetSequence();
    }
    read(page);
}

/// Shows an error in all views of the file.
void Pages::showFailure(ModelPage &page, const Error &error)
{
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the page may be deleted meanwhile
    const QString path = page.path();
    for (ModelPage *view : m_panes->pagesOf(path))
        showReason(*view, error);
    if (error.kind != ErrorKind::Cancelled)
        emit openingFailed(path, error);
}

void Pages::showReason(ModelPage &page, const Error &error)
{
    const bool isCancelled = error.kind == ErrorKind::Cancelled;
    if (page.isRead()) {
        if (!isCancelled)
            page.banner().tell(tr("Could not reload %1: %2. The previous version is shown.")
                                   .arg(page.name(), views::shown(error.text())),
                               tr("Try again"), [this, &page] { reload(page); });
    } else if (isCancelled) {
        drop(page);
    } else {
        page.setPage(views::makeFailurePage(page.path(), error, formatSummaries().join(tr(", ")),
                                            {[this] { emit browseRequested(); }, [this, &page] { readOnce(page); }},
                                            &page));
        if (m_latest == &page)
            m_panes->setCurrent(page);
    }
}

void Pages::showModel(ModelPage &page, const ReadModel &read)
{
    const bool isReloaded = page.isRead();
    const bool isDrawn = page.session() && page.session()->drawing().diagram();
    if (isDrawn && !page.wanted) // the page has been drawn, so it is being reloaded and keeps its state
        page.wanted = m_kept.sessionOf(page);
    const views::Session *other = page.session() ? page.session()->comparing().other() : nullptr;
    const auto compared = other ? other->document().models().file : nullptr;
    m_panes->keepActive([&] { page.setModel(read); });
    page.rest = {};
    page.recorded = read.recorded;
    views::Session &session = *page.session();
    m_prepare(session);
    session.start();
    if (read.history)
        session.stepping().show(read.history);
    if (read.recorded)
        tellWhatIsMissing(page.banner(), *read.model);
    if (compared)
        session.comparing().start(compared);
    page.openWantedOther();
    if (const auto wanted = std::exchange(page.wanted, std::nullopt))
        m_restored.restore(page, *wanted);
    else
        m_restored.restoreKept(page);
    if (read.recorded && !session.running().isBusy()) // the restored session may be opening another trace
        session.running().openTrace(page.path(), read.recorded);
    session.document().edits().clear();
    connect(&session.document().edits(), &QUndoStack::indexChanged, &page.keeping, qOverload<>(&QTimer::start));
    finish(page);
    if (read.recorded && !isReloaded && current() == &page)
        emit traceOpened();
    page.openWantedTrace();
}

void Pages::showListed(ModelPage &page, const std::shared_ptr<const sequence::Document> &document)
{
    const auto stepThrough = [this, document, folder = page.source().folder](std::size_t at) {
        open(Source{.path = QString::fromStdString(sequence::addressOf(*document, at)),
                    .sequence = std::make_shared<const sequence::Sequence>(document->sequences[at]),
                    .folder = folder});
    };
    const auto openStep = [this, folder = page.source().folder](const QString &address) {
        open(Source{.path = address, .folder = folder});
    };
    const auto chooseOther = [this, &page] {
        return chooseModel(*window(), tr("Compare with another log"), page.path());
    };
    const auto openPair = [this](const QString &a, const QString &b) { openTwo({.path = a}, b); };
    m_panes->keepActive([&] {
        page.setListed(
            document,
            views::makeCompilationsPage(page.name(), document, {stepThrough, openStep, chooseOther, openPair}, &page));
    });
    finish(page);
}

/// Completes the opening of a page whose content was read.
void Pages::finish(ModelPage &page)
{
    if (!page.source().folder && page.source().row.isEmpty())
        noteOpened(m_settings, page.file());
    if (current() == &page)
        activate();
    else if (m_latest == &page)
        m_panes->setCurrent(page);
    emit opened(&page);
}

void Pages::activate()
{
    emit currentChanged();
    ModelPage *page = current();
    if (!page)
        return;
    page->setFocus();
    // A page that cannot take the keyboard focus yet takes it away from the other panes. Otherwise these would not
    // notice a click, which activates a pane when it gets the focus.
    QWidget *focused = QApplication::focusWidget();
    if (focused && m_panes->isAncestorOf(focused) && !page->isAncestorOf(focused))
        focused->clearFocus();
}

void Pages::close(ModelPage &page)
{
    if (isUnwritten(page))
        return askAboutUnwritten(
            {&page}, *this,
            [this, page = QPointer(&page)] {
                if (page)
                    drop(*page);
            },
            [this, page = QPointer(&page)] {
                if (page)
                    close(*page);
            });
    drop(page);
}

bool Pages::closeAll(const std::function<void()> &again)
{
    QList<ModelPage *> unwritten = m_panes->pages();
    unwritten.removeIf([](const ModelPage *page) { return !isUnwritten(*page); });
    if (!m_mayClose && !unwritten.isEmpty()) {
        askAboutUnwritten(
            unwritten, *this,
            [this, again] {
                m_mayClose = true;
                again();
            },
            again);
        return false;
    }
    for (const ModelPage *page : m_panes->pages())
        m_kept.keepClosing(*page);
    return true;
}

void Pages::drop(ModelPage &page)
{
    m_kept.keepClosing(page);
    m_kept.handBookmarksOn(page);
    const bool wasReading = page.opening().isBusy();
    for (QObject *teller : std::initializer_list<QObject *>{&page.opening(), &page.openingOther(), &page.keeping})
        teller->disconnect(this);
    if (m_survey == &page)
        m_survey = nullptr;
    if (m_panes->pages().size() == 1)
        showStart();
    const bool isInFront = current() == &page;
    m_panes->remove(page);
    page.disconnect(this);
    page.disconnect(&m_lockstep);
    connect(&page, &QObject::destroyed, this, &returnFreeHeap);
    page.deleteLater(); // the call may come from a button of the page
    const QList<ModelPage *> views = m_panes->pagesOf(page.path());
    if (!views.isEmpty() && wasReading)
        read(*views.front());
    if (!std::ranges::contains(m_panes->pages(), page.file(), &ModelPage::file))
        m_files.forget(page.file());
    if (!isInFront)
        emit currentChanged(); // the page in front now has fewer neighbours, which some actions depend on
}

/// Reads the file of a page again after a change. The page does not come to the front, since the user has not asked for
/// it. Only the first view of the file reads it.
void Pages::follow(ModelPage &page)
{
    if (m_panes->pagesOf(page.path()).front() != &page)
        return;
    const QPointer<ModelPage> asked = m_latest == &page ? QPointer<ModelPage>() : m_latest;
    reload(page);
    m_latest = asked;
}

void Pages::tell(const QString &path, FileWatch::State state)
{
    for (ModelPage *page : m_panes->pages()) {
        if (!page->isRead() || page->file() != path)
            continue;
        if (state == FileWatch::State::Changed && page->source().isFollowed)
            follow(*page);
        else if (state == FileWatch::State::Same)
            page->banner().hide();
        else if (state == FileWatch::State::Gone)
            page->banner().tell(tr("%1 was moved or deleted. The last version read is shown.").arg(page->name()));
        else
            page->banner().tell(tr("%1 has changed on disk.").arg(page->name()), tr("Reload"),
                                [this, page] { reload(*page); });
    }
}

} // namespace cutaway::desktop
