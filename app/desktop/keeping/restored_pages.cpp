// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/restored_pages.h"

#include "app/desktop/banner.h"
#include "app/desktop/keeping/kept_pages.h"
#include "app/desktop/keeping/session_state.h"
#include "app/desktop/model_page.h"
#include "app/desktop/panes/lockstep.h"
#include "app/desktop/panes/panes.h"
#include "views/parts/text.h"
#include "views/session/comparing.h"
#include "views/session/session.h"

#include <QFileInfo>
#include <algorithm>
#include <ranges>

namespace cutaway::desktop {
namespace {

constexpr std::size_t mostBeside = 7; ///< more pages beside each other would not fit into a window

bool isThere(const Source &source)
{
    const auto exists = [](const QString &file) { return QFileInfo::exists(fileOf(file)); };
    return source.row.isEmpty() ? exists(source.path) : std::ranges::all_of(source.row, exists);
}

} // namespace

Source sourceOf(const SavedSession &session)
{
    QStringList row;
    for (const std::string &file : session.row)
        row << QString::fromStdString(file);
    return row.isEmpty() ? Source{.path = QString::fromStdString(session.file)} : rowOf(row);
}

RestoredPages::RestoredPages(Panes &panes, const KeptPages &kept, Lockstep &lockstep, Open open)
    : m_panes(panes),
      m_kept(kept),
      m_lockstep(lockstep),
      m_open(std::move(open))
{
}

void RestoredPages::restore(ModelPage &page, const SavedSession &saved) const
{
    Unfit unfit = desktop::restore(saved, *page.session(), page.canvas());
    addRest(unfit.rest, page.rest);
    page.rest = std::move(unfit.rest);
    if (const QStringList missing = bringBeside(page, saved); !missing.isEmpty())
        unfit.problems << QObject::tr("%1, which was beside it, was not found.").arg(missing.join(QObject::tr(", ")));
    if (const QString other = QString::fromStdString(saved.compared); QFileInfo::exists(fileOf(other))) {
        if (!page.session()->comparing().other())
            page.openingOther().start(other);
    } else if (!other.isEmpty()) {
        unfit.problems
            << QObject::tr("%1, which it was compared with, was not found.").arg(QFileInfo(other).fileName());
    }
    if (!unfit.problems.isEmpty())
        page.banner().tell(unfit.problems.join(' '));
}

/// Opens the files that were beside a page, unless they are open. Returns the names of those that do not exist any
/// more.
QStringList RestoredPages::bringBeside(const ModelPage &page, const SavedSession &saved) const
{
    const Pane *left = &m_panes.paneOf(page);
    QStringList missing;
    for (const SavedSession &each : saved.beside | std::views::take(mostBeside)) {
        const Source source = sourceOf(each);
        if (std::ranges::any_of(m_panes.pagesOf(source.path), [&](const ModelPage *view) { return view != &page; }))
            continue;
        if (!isThere(source)) {
            missing << QFileInfo(source.path).fileName();
            continue;
        }
        Pane &pane = m_panes.rightOf(*left);
        left = &pane;
        m_open(source, pane, each == sessionOfFile(each.file, each.row) ? std::nullopt : std::optional(each));
    }
    if (saved.inStep)
        m_lockstep.setOn(true);
    return missing;
}

void RestoredPages::restoreKept(ModelPage &page) const
{
    const auto kept = m_kept.of(page.path());
    if (kept && *kept)
        restore(page, **kept);
    else if (kept)
        page.banner().tell(
            QObject::tr("Could not restore the previous session: %1.").arg(views::shown(kept->error().text())));
}

} // namespace cutaway::desktop
