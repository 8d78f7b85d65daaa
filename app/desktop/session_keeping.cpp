// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages keep of a file when it is closed, and bring back when it is opened again.
#include "app/desktop/pages.h"

#include "app/desktop/banner.h"
#include "app/desktop/keeping/session_state.h"
#include "app/desktop/panes/panes.h"
#include "core/base/whole_file.h"
#include "core/drawing/palette.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/text.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr QSize pictureSize{256, 160};

/// The first of these files that is there, from the folder of the session; "": none is.
QString firstThere(const QStringList &files, const QString &sessionPath)
{
    const QDir folder = QFileInfo(sessionPath).absoluteDir();
    for (const QString &file : files)
        if (!file.isEmpty() && QFileInfo(folder.filePath(file)).isFile())
            return QDir::cleanPath(folder.filePath(file));
    return {};
}

/// The model that a session names; "": it is nowhere.
QString modelOf(const SavedSession &saved, const QString &sessionPath)
{
    const QString own = QFileInfo(sessionPath).fileName().chopped(qsizetype(sessionSuffix.size()));
    const QString named = QString::fromStdString(saved.file);
    return firstThere({named, QFileInfo(named).fileName(), own}, sessionPath);
}

/// Replaces the file that a session compares its model with, and that of its node data, by the paths where they are
/// found.
void findOthers(SavedSession &saved, const QString &sessionPath)
{
    for (std::string *other : {&saved.compared, &saved.data}) {
        const QString named = QString::fromStdString(*other);
        if (const QString file = firstThere({named, QFileInfo(named).fileName()}, sessionPath); !file.isEmpty())
            *other = file.toStdString();
    }
}

} // namespace

/// Opens a saved session. If its model is open already, the session is applied to that.
void Pages::openSession(const QString &path, bool isBeside)
{
    auto saved = readSession(path.toStdString());
    const QString model = saved ? modelOf(*saved, path) : QString();
    if (model.isEmpty()) {
        const Error error = saved
            ? Error{ErrorKind::Unreadable,
                    "its model " + saved->file + " was not found, nor a file of its name beside the session",
                    {}}
            : saved.error();
        emit problem(
            tr("Open a session"),
            tr("Could not open the session %1: %2.").arg(QFileInfo(path).fileName(), views::shown(error.text())));
        emit openingFailed(path, error);
        return;
    }
    findOthers(*saved, path);
    for (SavedSession &each : saved->beside) {
        findOthers(each, path);
        if (const QString file = modelOf(each, path); !file.isEmpty())
            each.file = file.toStdString();
    }
    if (ModelPage *page = pageOf(model); page && page->session()) {
        m_panes->setCurrent(*page);
        takeUp(*page, *saved);
        return;
    }
    ModelPage *known = pageOf(model);
    ModelPage &page = known ? *known
        : isBeside          ? add(model, m_panes->rightOf(m_panes->active()))
                            : add(model, m_panes->active());
    page.wanted = *saved;
    readOnce(page);
}

void Pages::takeUp(ModelPage &page, const SavedSession &saved)
{
    Unfit unfit = restore(saved, *page.session(), page.canvas());
    addRest(unfit.rest, page.rest);
    page.rest = std::move(unfit.rest);
    if (const QStringList missing = bringBeside(page, saved); !missing.isEmpty())
        unfit.problems << tr("%1, which was beside it, was not found.").arg(missing.join(tr(", ")));
    if (const QString other = QString::fromStdString(saved.compared); QFileInfo(other).isFile()) {
        if (!page.session()->comparing().other())
            page.openingOther().start(other);
    } else if (!other.isEmpty()) {
        unfit.problems << tr("%1, which it was compared with, was not found.").arg(QFileInfo(other).fileName());
    }
    if (!unfit.problems.isEmpty())
        page.banner().tell(unfit.problems.join(' '));
}

void Pages::restoreKept(ModelPage &page)
{
    auto kept = m_sessions.of(page.path());
    if (!kept)
        return;
    if (*kept && m_leavesDevice)
        (*kept)->device.clear();
    if (*kept)
        takeUp(page, **kept);
    else
        page.banner().tell(tr("Could not restore the previous session: %1.").arg(views::shown(kept->error().text())));
}

/// Returns the session of a page without the pages beside it.
SavedSession Pages::ownSession(const ModelPage &page) const
{
    SavedSession session = stateOf(*page.session(), page.canvas());
    addRest(session, page.rest);
    session.file = QFileInfo(page.path()).absoluteFilePath().toStdString();
    return session;
}

/// Returns the session of a page with those of the pages to its right.
SavedSession Pages::sessionOf(const ModelPage &page) const
{
    SavedSession session = ownSession(page);
    const QList<ModelPage *> fronts = m_panes->fronts();
    if (const qsizetype place = fronts.indexOf(&page); place >= 0)
        for (const ModelPage *other : fronts.sliced(place + 1))
            if (other->session() && other->session()->drawing().diagram())
                session.beside.push_back(ownSession(*other));
    session.inStep = m_isInStep && !session.beside.empty();
    return session;
}

namespace {

/// Returns the bookmarks among `marks` on whose subject the session has none.
std::vector<SavedSession::Mark> lackedBy(const SavedSession &session, const std::vector<SavedSession::Mark> &marks)
{
    std::vector<SavedSession::Mark> lacked;
    for (const SavedSession::Mark &mark : marks)
        if (std::ranges::none_of(session.bookmarks, [&](const SavedSession::Mark &own) {
                return own.function == mark.function && own.subject == mark.subject;
            }))
            lacked.push_back(mark);
    return lacked;
}

} // namespace

/// A file is kept once, with the bookmarks of all of its views.
void Pages::addBookmarksOfOthers(SavedSession &session, const ModelPage &page) const
{
    for (const ModelPage *other : pagesOf(page.path()))
        if (other != &page && other->session())
            for (SavedSession::Mark &mark : lackedBy(session, ownSession(*other).bookmarks))
                session.bookmarks.push_back(std::move(mark));
}

/// Gives the bookmarks of a page that closes to the other views of its file, whose sessions then keep them.
void Pages::handBookmarksOn(const ModelPage &page) const
{
    if (!page.session())
        return;
    const SavedSession own = ownSession(page);
    for (ModelPage *other : pagesOf(page.path()))
        if (other != &page && other->session())
            for (SavedSession::Mark &mark : lackedBy(ownSession(*other), own.bookmarks))
                other->rest.bookmarks.push_back(std::move(mark));
}

/// Keeps the session of the first view of the file, whichever view has changed. Before its first picture it is not
/// known which boxes are open. Files beside it have sessions of their own.
Result<void> Pages::keep(const ModelPage &changed) const
{
    const ModelPage &page = *pagesOf(changed.path()).front();
    if (!page.session() || !page.session()->drawing().diagram())
        return {};
    SavedSession session = sessionOf(page);
    addBookmarksOfOthers(session, page);
    for (SavedSession &each : session.beside)
        if (each.file != session.file)
            each = sessionOfFile(each.file);
    return m_sessions.keep(page.path(), session);
}

/// Keeps the session and the pictures of a page that closes. There is nowhere to tell that something could not be kept.
void Pages::keepAll(const ModelPage &page) const
{
    if (keep(page))
        keepPictures(page);
}

/// Keeps pictures of what the user saw last, in the colours of both themes.
void Pages::keepPictures(const ModelPage &page) const
{
    const views::Canvas *canvas = page.canvas();
    if (!canvas || !canvas->picture())
        return;
    for (const bool dark : {false, true}) {
        const drawing::Palette &palette = dark ? drawing::darkPalette() : drawing::lightPalette();
        QImage image(pictureSize, QImage::Format_RGB32);
        image.fill(views::toColor(palette.canvas));
        QPainter painter(&image);
        canvas->paintPart(painter, canvas->sight(), pictureSize, palette);
        painter.end();
        m_sessions.keepPicture(page.path(), dark, image);
    }
}

Result<void> Pages::saveSession(const ModelPage &page, const QString &path) const
{
    SavedSession session = sessionOf(page);
    const QDir folder = QFileInfo(path).absoluteDir();
    const auto fromThere = [&](SavedSession &each) {
        for (std::string *file : {&each.file, &each.compared, &each.data})
            if (!file->empty())
                *file = folder.relativeFilePath(QString::fromStdString(*file)).toStdString();
    };
    fromThere(session);
    std::ranges::for_each(session.beside, fromThere);
    return writeWholeFile(path.toStdString(), printSession(session));
}

/// Whether passes have made something that was not written.
bool Pages::isUnwritten(const ModelPage &page)
{
    if (!page.session())
        return false;
    const views::Stepping &stepping = page.session()->stepping();
    bool isChanged = false;
    for (std::size_t step = 0; step < stepping.position(); ++step)
        isChanged |= stepping.history()->steps()[step].isChange;
    return isChanged && page.session()->document().models().shown.model != page.written;
}

bool Pages::closeAll(const std::function<void()> &again)
{
    QList<ModelPage *> unwritten = m_panes->pages();
    unwritten.removeIf([](const ModelPage *page) { return !isUnwritten(*page); });
    if (!m_mayClose && !unwritten.isEmpty()) {
        ask(
            unwritten,
            [this, again] {
                m_mayClose = true;
                again();
            },
            again);
        return false;
    }
    for (const ModelPage *page : m_panes->pages())
        keepAll(*page);
    return true;
}

/// Asks what to do with unsaved results. If there are several pages, the first is saved; then `again` asks for the
/// rest.
void Pages::ask(const QList<ModelPage *> &unwritten, const std::function<void()> &close,
                const std::function<void()> &again)
{
    QStringList names;
    for (const ModelPage *page : unwritten)
        names << page->name();
    auto *box = new QMessageBox(QMessageBox::Question, tr("Close"),
                                tr("Passes have changed %1, and the result is not saved.").arg(names.join(tr(", "))),
                                QMessageBox::Cancel, this);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("The session keeps the passes, which can be run again."));
    box->setObjectName("unwritten");
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton *discard = box->addButton(tr("Close without saving"), QMessageBox::DestructiveRole);
    connect(discard, &QPushButton::clicked, this, close, Qt::QueuedConnection); // when the box is gone
    QPushButton *save = box->addButton(
        unwritten.size() == 1 ? tr("Save…") : tr("Save %1…").arg(unwritten.front()->name()), QMessageBox::AcceptRole);
    const auto request = [this, page = QPointer(unwritten.front()), again] {
        if (page)
            emit savingRequested(page, again);
    };
    connect(save, &QPushButton::clicked, this, request, Qt::QueuedConnection);
    box->setDefaultButton(save);
    box->open();
}

} // namespace cutaway::desktop
