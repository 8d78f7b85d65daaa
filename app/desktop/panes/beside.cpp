// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files beside each other: opened there, kept in step, and brought back with a session.
#include "app/desktop/pages.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "core/survey/database/database.h"
#include "views/graph/canvas.h"
#include "views/graph/in_step.h"
#include "views/session/drawing.h"
#include "views/session/session.h"

#include <QFileInfo>
#include <algorithm>
#include <ranges>

namespace cutaway::desktop {
namespace {

constexpr std::size_t mostBeside = 7; ///< of a session: more have no room in a window

} // namespace

void Pages::openBeside(const QString &path)
{
    if (!current() || survey::isDatabase(path.toStdString()))
        return open(path);
    if (path.endsWith(QString::fromUtf8(sessionSuffix)))
        return openSession(path, true);
    Pane &pane = m_panes->rightOf(m_panes->active());
    const QList<ModelPage *> views = pagesOf(path);
    const auto known =
        std::ranges::find_if(views, [&](const ModelPage *view) { return &m_panes->paneOf(*view) == &pane; });
    if (known != views.end()) {
        m_panes->setCurrent(**known);
        return readOnce(**known);
    }
    ModelPage &page = add(views.isEmpty() ? path : views.front()->path(), pane);
    for (const ModelPage *view : views)
        if (view->session() && view->session()->drawing().diagram())
            page.wanted = ownSession(*view); // the second view begins where the first one is
    if (page.wanted)
        page.wanted->compared.clear(); // the first one shows the other model
    readOnce(page);
}

/// Opens the files that stood beside a page, unless they are open, and returns the names of those that do not exist any
/// more. The page keeps the keyboard.
QStringList Pages::bringBeside(ModelPage &page, const SavedSession &saved)
{
    const QPointer<ModelPage> latest = m_latest;
    const Pane *left = &m_panes->paneOf(page);
    QStringList missing;
    for (const SavedSession &each : saved.beside | std::views::take(mostBeside)) {
        const QString path = QString::fromStdString(each.file);
        QList<ModelPage *> views = pagesOf(path);
        views.removeOne(&page);
        if (!views.isEmpty())
            continue;
        if (!QFileInfo(path).isFile()) {
            missing << QFileInfo(path).fileName();
            continue;
        }
        Pane &pane = m_panes->rightOf(*left);
        left = &pane;
        ModelPage &other = add(path, pane);
        if (each != sessionOfFile(each.file))
            other.wanted = each;
        readOnce(other);
    }
    m_latest = latest;
    if (saved.inStep)
        setInStep(true);
    return missing;
}

void Pages::setInStep(bool isInStep)
{
    if (isInStep == m_isInStep)
        return;
    m_isInStep = isInStep;
    m_inStep.reset();
    link();
    emit inStepChanged();
}

bool Pages::isInStepReady() const { return m_inStep && m_inStep->isReady(); }

/// Keeps the graphs in front in step. They stay linked as long as they are the same, since a new link takes a
/// comparison.
void Pages::link()
{
    QList<views::Canvas *> all;
    views::Canvas *leader = nullptr;
    for (const ModelPage *page : m_panes->fronts()) {
        all += page->canvases();
        if (page == current())
            leader = page->canvas();
    }
    if (!m_isInStep || all.size() < 2)
        m_inStep.reset();
    else if (!m_inStep || m_inStep->canvases() != all)
        m_inStep = std::make_unique<views::InStep>(all, leader ? *leader : *all.front());
}

} // namespace cutaway::desktop
