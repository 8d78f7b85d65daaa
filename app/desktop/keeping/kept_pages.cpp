// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/kept_pages.h"

#include "app/desktop/keeping/session_state.h"
#include "app/desktop/model_page.h"
#include "app/desktop/panes/lockstep.h"
#include "app/desktop/panes/panes.h"
#include "core/base/whole_file.h"
#include "core/drawing/palette.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/session/drawing.h"
#include "views/session/session.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr QSize pictureSize{256, 160};

/// Returns those of `marks` for whose subject the session has no bookmark.
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

SavedSession ownSession(const ModelPage &page)
{
    SavedSession session = stateOf(*page.session(), page.canvas());
    addRest(session, page.rest);
    session.file = QFileInfo(page.path()).absoluteFilePath().toStdString();
    for (const QString &file : page.source().row)
        session.row.push_back(QFileInfo(file).absoluteFilePath().toStdString());
    return session;
}

std::optional<Result<SavedSession>> KeptPages::of(const QString &path) const
{
    auto kept = m_sessions.of(path);
    if (kept && *kept && m_leavesDevice)
        (*kept)->device.clear();
    return kept;
}

SavedSession KeptPages::sessionOf(const ModelPage &page) const
{
    SavedSession session = ownSession(page);
    const QList<ModelPage *> fronts = m_panes.fronts();
    if (const qsizetype place = fronts.indexOf(&page); place >= 0)
        for (const ModelPage *other : fronts.sliced(place + 1))
            if (other->session() && other->session()->drawing().diagram())
                session.beside.push_back(ownSession(*other));
    session.inStep = m_lockstep.isOn() && !session.beside.empty();
    return session;
}

void KeptPages::addBookmarksOfOthers(SavedSession &session, const ModelPage &page) const
{
    for (const ModelPage *other : m_panes.pagesOf(page.path()))
        if (other != &page && other->session())
            for (SavedSession::Mark &mark : lackedBy(session, ownSession(*other).bookmarks))
                session.bookmarks.push_back(std::move(mark));
}

void KeptPages::handBookmarksOn(const ModelPage &page) const
{
    if (!page.session())
        return;
    const SavedSession own = ownSession(page);
    for (ModelPage *other : m_panes.pagesOf(page.path()))
        if (other != &page && other->session())
            for (SavedSession::Mark &mark : lackedBy(ownSession(*other), own.bookmarks))
                other->rest.bookmarks.push_back(std::move(mark));
}

Result<void> KeptPages::keep(const ModelPage &changed) const
{
    const ModelPage &page = *m_panes.pagesOf(changed.path()).front();
    if (!page.session() || !page.session()->drawing().diagram() || page.source().folder)
        return {};
    SavedSession session = sessionOf(page);
    addBookmarksOfOthers(session, page);
    for (SavedSession &each : session.beside)
        if (each.file != session.file)
            each = sessionOfFile(each.file, each.row);
    return m_sessions.keep(page.path(), session);
}

void KeptPages::keepClosing(const ModelPage &page) const
{
    if (keep(page))
        keepPictures(page);
}

/// Saves pictures of the visible part of the page in the colours of both themes.
void KeptPages::keepPictures(const ModelPage &page) const
{
    const views::Canvas *canvas = page.canvas();
    if (!canvas || !canvas->picture() || page.source().folder)
        return;
    for (const bool dark : {false, true}) {
        const drawing::Palette &palette = dark ? drawing::darkPalette() : drawing::lightPalette();
        QImage image(pictureSize, QImage::Format_RGB32);
        image.fill(views::toColor(palette.canvas));
        QPainter painter(&image);
        canvas->paintPart(painter, canvas->sight().part(), pictureSize, palette);
        painter.end();
        m_sessions.keepPicture(page.path(), dark, image);
    }
}

Result<void> KeptPages::save(const ModelPage &page, const QString &path) const
{
    SavedSession session = sessionOf(page);
    const QDir folder = QFileInfo(path).absoluteDir();
    const auto fromThere = [&](SavedSession &each) {
        for (std::string *file : {&each.file, &each.compared, &each.data, &each.trace, &each.against})
            if (!file->empty())
                *file = folder.relativeFilePath(QString::fromStdString(*file)).toStdString();
        for (std::string &file : each.row)
            file = folder.relativeFilePath(QString::fromStdString(file)).toStdString();
    };
    fromThere(session);
    std::ranges::for_each(session.beside, fromThere);
    return writeWholeFile(path.toStdString(), printSession(session));
}

} // namespace cutaway::desktop
