// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages keep of a file when it is closed, and bring back when it is opened again.
#include "app/desktop/pages.h"

#include "app/desktop/banner.h"
#include "app/desktop/keeping/session_state.h"
#include "app/desktop/tab_bar.h"
#include "core/base/whole_file.h"
#include "core/drawing/palette.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/text.h"
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

namespace cutaway::desktop {
namespace {

constexpr QSize pictureSize{256, 160};

/// The model that a session names; "": it is nowhere.
QString modelOf(const SavedSession &saved, const QString &sessionPath)
{
    const QDir folder = QFileInfo(sessionPath).absoluteDir();
    const QString own = QFileInfo(sessionPath).fileName().chopped(qsizetype(sessionSuffix.size()));
    const QString named = QString::fromStdString(saved.file);
    for (const QString &file : {named, QFileInfo(named).fileName(), own})
        if (!file.isEmpty() && QFileInfo(folder.filePath(file)).isFile())
            return QDir::cleanPath(folder.filePath(file));
    return {};
}

} // namespace

/// What a session changes of an open model can be undone.
void Pages::openSession(const QString &path)
{
    const auto saved = readSession(path.toStdString());
    const QString model = saved ? modelOf(*saved, path) : QString();
    if (model.isEmpty()) {
        const Error error = saved
            ? Error{ErrorKind::Unreadable, "its model " + saved->file + " is neither there nor beside it", {}}
            : saved.error();
        emit problem(
            tr("Open a session"),
            tr("The session %1 cannot be opened: %2.").arg(QFileInfo(path).fileName(), views::shown(error.text())));
        emit openingFailed(path, error);
        return;
    }
    if (ModelPage *page = pageOf(model); page && page->session()) {
        m_tabs->setCurrent(page);
        takeUp(*page, *saved);
        return;
    }
    ModelPage *known = pageOf(model);
    ModelPage &page = known ? *known : add(model);
    page.wanted = *saved;
    if (!page.isOpening())
        read(page);
}

void Pages::takeUp(ModelPage &page, const SavedSession &saved)
{
    Unfit unfit = restore(saved, *page.session(), page.canvas());
    addRest(unfit.rest, page.rest);
    page.rest = std::move(unfit.rest);
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
        page.banner().tell(
            tr("What was kept of the last time cannot be read: %1.").arg(views::shown(kept->error().text())));
}

SavedSession Pages::sessionOf(const ModelPage &page) const
{
    SavedSession session = stateOf(*page.session(), page.canvas());
    addRest(session, page.rest);
    session.file = QFileInfo(page.path()).absoluteFilePath().toStdString();
    return session;
}

/// Before the first picture nothing is known of what is open.
Result<void> Pages::keep(const ModelPage &page) const
{
    if (!page.session() || !page.session()->drawing().diagram())
        return {};
    return m_sessions.keep(page.path(), sessionOf(page));
}

/// The page goes: what could not be kept has no place to be told.
void Pages::keepAll(const ModelPage &page) const
{
    if (keep(page))
        keepPictures(page);
}

/// What the user saw last, in the colours of both themes.
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
    session.file =
        QFileInfo(path).absoluteDir().relativeFilePath(QFileInfo(page.path()).absoluteFilePath()).toStdString();
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
    QList<ModelPage *> unwritten = m_tabs->pages();
    unwritten.removeIf([](const ModelPage *page) { return !isUnwritten(*page); });
    if (!m_mayClose && !unwritten.isEmpty()) {
        ask(unwritten, [this, again] {
            m_mayClose = true;
            again();
        });
        return false;
    }
    for (const ModelPage *page : m_tabs->pages())
        keepAll(*page);
    return true;
}

void Pages::ask(const QList<ModelPage *> &unwritten, const std::function<void()> &close)
{
    QStringList names;
    for (const ModelPage *page : unwritten)
        names << page->name();
    auto *box = new QMessageBox(QMessageBox::Question, tr("Close"),
                                tr("Passes have changed %1, and the result is not saved.").arg(names.join(tr(", "))),
                                QMessageBox::Cancel, this);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("The passes are kept and can be run again. File ▸ Save the shown model… writes what they "
           "have made."));
    box->setObjectName("unwritten");
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton *discard = box->addButton(tr("Close without saving"), QMessageBox::DestructiveRole);
    connect(discard, &QPushButton::clicked, this, close, Qt::QueuedConnection); // when the box is gone
    box->open();
}

} // namespace cutaway::desktop
