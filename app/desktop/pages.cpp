// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/pages.h"

#include "app/desktop/banner.h"
#include "app/desktop/recent_files.h"
#include "app/desktop/sample.h"
#include "app/desktop/tab_bar.h"
#include "core/ir/model.h"
#include "core/survey/database/database.h"
#include "views/failure/failure.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/session.h"
#include "views/start/start.h"

#include <QFileInfo>
#include <QLabel>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::desktop {

Pages::Pages(QSettings &settings, Prepare prepare, QWidget *parent)
    : QWidget(parent),
      m_settings(settings),
      m_prepare(std::move(prepare)),
      m_sessions(QFileInfo(settings.fileName()).absolutePath() + "/sessions"),
      m_tabs(new TabBar(this)),
      m_stack(new QStackedWidget(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &Pages::activate);
    connect(m_tabs, &TabBar::closeRequested, this, [this](ModelPage *page) { close(*page); });
    connect(&m_files, &FileWatch::seen, this, &Pages::tell);
    showStart();
}

Pages::~Pages()
{
    m_tabs->disconnect(this);
    for (ModelPage *page : m_tabs->pages()) // before what they refer to
        delete page;
}

ModelPage *Pages::current() const { return m_tabs->currentPage(); }

bool Pages::isOpening() const { return std::ranges::any_of(m_tabs->pages(), &ModelPage::isOpening); }

ModelPage *Pages::opening() const
{
    if (current() && current()->isOpening())
        return current();
    if (m_latest && m_latest->isOpening())
        return m_latest;
    const QList<ModelPage *> all = m_tabs->pages();
    const auto busy = std::ranges::find_if(all, &ModelPage::isOpening);
    return busy == all.end() ? nullptr : *busy;
}

int Pages::count() const { return m_tabs->count(); }

void Pages::step(int by) { m_tabs->step(by); }

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
        recent.append({path, m_sessions.picturePath(path, false), m_sessions.picturePath(path, true)});
    QWidget *start = views::makeStartPage(
        recent, samplePath(), formatSummaries(),
        {[this] { emit browseRequested(); }, [this](const QString &path) { open(path); }}, m_stack);
    m_stack->addWidget(start);
    m_stack->setCurrentWidget(start);
}

ModelPage *Pages::pageOf(const QString &path) const
{
    const QList<ModelPage *> all = m_tabs->pages();
    const auto found = std::ranges::find(all, QFileInfo(path).absoluteFilePath(), [](const ModelPage *page) {
        return QFileInfo(page->path()).absoluteFilePath();
    });
    return found == all.end() ? nullptr : *found;
}

void Pages::open(const QString &path)
{
    if (path.endsWith(QString::fromUtf8(sessionSuffix)))
        return openSession(path);
    if (survey::isDatabase(path.toStdString()))
        return openSurvey(path);
    ModelPage *known = pageOf(path);
    ModelPage &page = known ? *known : add(path);
    if (known)
        m_tabs->setCurrent(known);
    if (!page.session() && !page.isOpening())
        read(page);
}

/// The model in front stays there until the other one can be seen.
ModelPage &Pages::add(const QString &path)
{
    const bool isFirst = m_tabs->count() == 0;
    auto *page = new ModelPage(path, m_stack);
    QWidget *start = isFirst ? m_stack->currentWidget() : nullptr;
    m_stack->addWidget(page);
    m_tabs->add(page);
    connect(&page->opening(), &Opening::busyChanged, this, &Pages::workChanged);
    connect(&page->openingOther(), &Opening::busyChanged, this, &Pages::workChanged);
    connect(&page->opening(), &Opening::progress, this, [this, page](const QString &what, quint64 done, quint64 total) {
        if (m_latest == page)
            emit progress(what, done, total);
    });
    connect(&page->opening(), &Opening::opened, this,
            [this, page](const QString &, const std::shared_ptr<const ir::Model> &model) { showModel(*page, model); });
    connect(&page->opening(), &Opening::failed, this,
            [this, page](const QString &, const Error &error) { showFailure(*page, error); });
    connect(&page->openingOther(), &Opening::failed, this, [page](const QString &other, const Error &error) {
        if (error.kind != ErrorKind::Cancelled)
            page->banner().tell(
                tr("%1 cannot be opened: %2").arg(QFileInfo(other).fileName(), views::shown(error.text())));
    });
    connect(&page->keeping, &QTimer::timeout, this, [this, page] {
        if (const auto kept = keep(*page); !kept)
            page->banner().tell(tr("The session cannot be kept: %1.").arg(views::shown(kept.error().text())));
    });
    if (isFirst)
        activate();
    else if (!current()->session())
        m_tabs->setCurrent(page);
    else
        emit currentChanged(); // it has a neighbour
    if (start)
        start->deleteLater(); // its own button may be the caller
    return *page;
}

void Pages::read(ModelPage &page)
{
    if (!page.session()) {
        auto *label = new QLabel(tr("Opening %1 …").arg(page.name()), &page);
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignCenter);
        label->setForegroundRole(QPalette::PlaceholderText);
        page.setPage(label);
    }
    m_latest = &page;
    m_files.watch(page.path()); // what is written while it is read is seen, too
    page.opening().start(page.path());
}

void Pages::reload(ModelPage &page)
{
    page.banner().hide();
    read(page);
}

void Pages::showFailure(ModelPage &page, const Error &error)
{
    const bool isCancelled = error.kind == ErrorKind::Cancelled;
    if (page.session()) {
        if (!isCancelled)
            page.banner().tell(tr("%1 cannot be opened anew: %2. What is shown is what it was.")
                                   .arg(page.name(), views::shown(error.text())),
                               tr("Try again"), [this, &page] { reload(page); });
    } else if (isCancelled) {
        return drop(page);
    } else {
        page.setPage(views::makeFailurePage(page.path(), error, formatSummaries().join(tr(", ")),
                                            {[this] { emit browseRequested(); }, [this, &page] { read(page); }},
                                            &page));
        comeToFront(page);
    }
    if (!isCancelled)
        emit openingFailed(page.path(), error);
}

void Pages::showModel(ModelPage &page, const std::shared_ptr<const ir::Model> &model)
{
    const bool isDrawn = page.session() && page.session()->drawing().diagram();
    if (isDrawn && !page.wanted) // it is reloaded
        page.wanted = sessionOf(page);
    page.setModel(model);
    page.rest = {};
    views::Session &session = *page.session();
    m_prepare(session);
    session.start();
    if (const auto wanted = std::exchange(page.wanted, std::nullopt))
        takeUp(page, *wanted);
    else
        restoreKept(page);
    session.document().edits().clear();
    connect(&session.document().edits(), &QUndoStack::indexChanged, &page.keeping, qOverload<>(&QTimer::start));
    noteOpened(m_settings, page.path());
    if (current() == &page)
        activate();
    else
        comeToFront(page);
    emit opened(&page);
}

/// Of several that are read, the one that was asked for last.
void Pages::comeToFront(ModelPage &page)
{
    if (m_latest == &page)
        m_tabs->setCurrent(&page);
}

void Pages::activate()
{
    ModelPage *page = current();
    if (page)
        m_stack->setCurrentWidget(page);
    emit currentChanged();
    if (page)
        page->setFocus();
}

void Pages::close(ModelPage &page)
{
    if (isUnwritten(page))
        return ask({&page}, [this, page = QPointer(&page)] {
            if (page)
                drop(*page);
        });
    drop(page);
}

void Pages::drop(ModelPage &page)
{
    keepAll(page);
    m_files.forget(page.path());
    page.opening().disconnect(this);
    if (m_tabs->count() == 1)
        showStart();
    const bool isInFront = current() == &page;
    m_tabs->remove(&page);
    page.deleteLater(); // its own button may be the caller
    if (!isInFront)
        emit currentChanged(); // the one in front has fewer neighbours
}

void Pages::tell(const QString &path, FileWatch::State state)
{
    ModelPage *page = pageOf(path);
    if (!page || !page->session())
        return;
    if (state == FileWatch::State::Same)
        page->banner().hide();
    else if (state == FileWatch::State::Gone)
        page->banner().tell(tr("%1 is no longer there. What is shown stays.").arg(page->name()));
    else
        page->banner().tell(tr("%1 has changed since it was opened.").arg(page->name()), tr("Reload"),
                            [this, page] { reload(*page); });
}

} // namespace cutaway::desktop
