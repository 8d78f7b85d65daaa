// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/highlighting.h"

#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"

#include <algorithm>
#include <set>

namespace cutaway::views {

Highlighting::Highlighting(Session &session) : m_session(session)
{
    connect(&session.navigation(), &Navigation::selectionChanged, this, &Highlighting::updateEmphasis);
    connect(&session.analysing(), &Analysing::figuresChanged, this, &Highlighting::updateTinting);
    connect(&session.analysing(), &Analysing::colouringChanged, this, &Highlighting::updateTinting);
    connect(&session.annotating(), &Annotating::changed, this, &Highlighting::updateTinting);
    connect(&session.annotating(), &Annotating::changed, this, &Highlighting::updateNotFinite);
    for (const auto change : {&Searching::hitsChanged, &Searching::fadingChanged})
        connect(&session.searching(), change, this, &Highlighting::updateHits);
    connect(&session.bookmarks(), &Bookmarks::changed, this, &Highlighting::updateBookmarks);
}

std::optional<std::uint32_t> Highlighting::selectedBox() const
{
    const auto subject = subjectOf(m_session.drawing().function(), m_session.navigation().selection());
    return subject ? visibleBox(*subject) : std::nullopt;
}

std::optional<std::uint32_t> Highlighting::visibleBox(const layout::Subject &subject) const
{
    if (!m_picture)
        return {};
    if (auto box = m_picture->find(subject))
        return box;
    std::optional<std::uint32_t> innermost;
    for (const layout::Subject &around : m_session.drawing().enclosing(subject))
        if (auto box = m_picture->find(around))
            // Boxes are listed from the outside in, so the innermost has the highest index.
            innermost = std::max(innermost.value_or(0), *box);
    return innermost;
}

void Highlighting::setPicture(const Picture &picture)
{
    m_picture = &picture;
    updateTinting();
    updateEmphasis();
    updateHits();
    updateBookmarks();
    updateNotFinite();
}

void Highlighting::clear()
{
    m_picture = nullptr;
    m_tinting.reset();
    m_emphasis = {};
}

void Highlighting::hover(std::optional<std::uint32_t> box)
{
    if (box == m_emphasis.hoveredBox)
        return;
    m_emphasis.hoveredBox = box;
    emit changed();
}

void Highlighting::updateTinting()
{
    m_tinting.reset();
    const Colouring &colouring = m_session.analysing().colouring();
    const Figures *figures = m_session.analysing().figures().get();
    if (const auto *measure = std::get_if<Measure>(&colouring); measure && m_picture && figures)
        m_tinting = heatOf(m_picture->diagram(), *figures, *measure);
    const auto *name = std::get_if<ByColumn>(&colouring);
    const node_data::Column *column = name ? m_session.annotating().column(name->name) : nullptr;
    const auto &outline = m_session.drawing().drawnOutline();
    if (column && outline && m_picture && m_session.drawing().isShown(m_picture->diagram()))
        m_tinting = columnTints(m_picture->diagram(), *outline, *column);
    emit tintingChanged();
    emit changed();
}

/// Counts the matches of the search by box; a match inside a closed box counts for that box.
void Highlighting::updateHits()
{
    const Searching &searching = m_session.searching();
    m_emphasis.hits.clear();
    m_emphasis.fadesOthers = searching.fadesOthers();
    emit changed();
    const bool isShown = m_picture && m_session.drawing().isShown(m_picture->diagram());
    if (!isShown || !searching.nodeMarks())
        return;
    const layout::Marks marks = m_session.drawing().marksOf(*searching.nodeMarks());
    for (const layout::Marks::OfBox &box : marks.boxes)
        m_emphasis.hits.push_back(box.changed);
    const auto count = [this](const layout::Subject &subject) {
        if (const auto box = m_picture->find(subject))
            ++m_emphasis.hits[*box];
    };
    for (const Selection &hit : searching.hits()) // matching nodes have been counted above, and weights have no box
        if (const auto *module = std::get_if<layout::ScopeSubject>(&hit))
            count(*module);
        else if (const auto *input = std::get_if<layout::InputSubject>(&hit))
            count(*input);
}

void Highlighting::updateBookmarks()
{
    m_emphasis.bookmarks.clear();
    for (const Bookmark &bookmark : m_session.bookmarks().all())
        if (bookmark.function == m_session.document().functionId()
            && isThere(m_session.drawing().function(), toSelection(bookmark.subject)))
            if (const auto box = visibleBox(bookmark.subject))
                m_emphasis.bookmarks.push_back(*box);
    emit changed();
}

/// Finds the boxes that make the first NaN and the first infinity of the last run.
void Highlighting::updateNotFinite()
{
    m_emphasis.notFinite.clear();
    std::set<run::NotFinite::Kind> seen;
    for (const run::NotFinite &each : m_session.annotating().notFinite())
        if (isThere(m_session.drawing().function(), each.node) && seen.insert(each.kind).second)
            if (const auto box = visibleBox(each.node))
                m_emphasis.notFinite.emplace_back(*box, each.kind);
    emit changed();
}

void Highlighting::updateEmphasis()
{
    const auto *value = std::get_if<ir::ValueId>(&m_session.navigation().selection());
    emphasize(m_emphasis, m_picture, selectedBox(), value ? std::optional(*value) : std::nullopt);
    emit changed();
}

} // namespace cutaway::views
