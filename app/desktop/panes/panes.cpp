// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panes/panes.h"

#include "app/desktop/model_page.h"

#include <QApplication>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <algorithm>

namespace cutaway::desktop {

Panes::Panes(QWidget *parent) : QSplitter(parent), m_active(&insert(0))
{
    setChildrenCollapsible(false);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { followFocus(now); });
    mark();
}

/// Disconnects the signals of panes and of the keyboard focus, which would reach this object during its destruction.
Panes::~Panes()
{
    qApp->disconnect(this);
    for (Pane *pane : m_panes)
        pane->disconnect(this);
}

Pane &Panes::insert(qsizetype place)
{
    auto *pane = new Pane(this);
    const int at = place < m_panes.size() ? indexOf(m_panes[place]) : count();
    insertWidget(at, pane);
    m_panes.insert(place, pane);
    connect(pane, &Pane::currentChanged, this, [this, pane] {
        if (m_isChanging)
            return;
        if (pane == m_active)
            emit currentChanged();
        emit frontsChanged();
    });
    connect(pane, &Pane::tabClicked, this, [this, pane] { setActive(*pane); });
    connect(pane, &Pane::closeRequested, this, &Panes::closeRequested);
    connect(pane, &Pane::menuRequested, this, [this](ModelPage *page, const QPoint &position) {
        setCurrent(*page);
        emit menuRequested(position);
    });
    connect(pane, &Pane::carried, this, [this](ModelPage *page, const QPoint &pointer) { showDrop(*page, pointer); });
    connect(pane, &Pane::carryEnded, this, [this] {
        for (Pane *each : m_panes)
            each->showDrop({}, {});
    });
    connect(pane, &Pane::dropped, this, [this](ModelPage *page, const QPoint &pointer) { drop(*page, pointer); });
    setSizes(QList<int>(count(), 1000)); // equal widths
    return *pane;
}

/// Removes a pane. It is deleted later, since the call may come from a child of it.
void Panes::close(Pane &pane)
{
    const qsizetype place = m_panes.indexOf(&pane);
    m_panes.removeAt(place);
    pane.hide();
    pane.deleteLater();
    if (m_active == &pane)
        m_active = m_panes[std::max<qsizetype>(place - 1, 0)];
    setSizes(QList<int>(count(), 1000));
    mark();
}

Pane &Panes::paneOf(const ModelPage &page) const
{
    const auto found =
        std::ranges::find_if(m_panes, [&](const Pane *pane) { return std::ranges::contains(pane->pages(), &page); });
    Q_ASSERT(found != m_panes.end());
    return **found;
}

QList<ModelPage *> Panes::pages() const
{
    QList<ModelPage *> all;
    for (const Pane *pane : m_panes)
        all += pane->pages();
    return all;
}

QList<ModelPage *> Panes::fronts() const
{
    QList<ModelPage *> all;
    for (const Pane *pane : m_panes)
        if (ModelPage *page = pane->current())
            all << page;
    return all;
}

QList<ModelPage *> Panes::pagesOf(const QString &path) const
{
    QList<ModelPage *> all = pages();
    const QString wanted = QFileInfo(path).absoluteFilePath();
    all.removeIf([&](const ModelPage *page) { return QFileInfo(page->path()).absoluteFilePath() != wanted; });
    return all;
}

ModelPage *Panes::pageOf(const QString &path) const
{
    const QList<ModelPage *> all = pagesOf(path);
    return all.contains(current()) ? current() : all.value(0, nullptr);
}

ModelPage *Panes::current() const { return m_active->current(); }

Pane &Panes::rightOf(const Pane &pane)
{
    const qsizetype next = m_panes.indexOf(&pane) + 1;
    if (next < m_panes.size())
        return *m_panes[next];
    Pane &made = insert(next);
    mark();
    return made;
}

void Panes::setCurrent(ModelPage &page)
{
    if (current() == &page)
        return;
    keepActive([&] {
        Pane &pane = paneOf(page);
        pane.setCurrent(page);
        m_active = &pane;
        mark();
    });
    emit currentChanged();
    emit frontsChanged();
}

void Panes::remove(ModelPage &page)
{
    const bool wasCurrent = current() == &page;
    keepActive([&] {
        Pane &pane = paneOf(page);
        pane.remove(page);
        if (pane.count() == 0 && m_panes.size() > 1)
            close(pane);
    });
    if (wasCurrent)
        emit currentChanged();
    emit frontsChanged();
}

bool Panes::canMove(const ModelPage &page, int by) const
{
    const Pane &pane = paneOf(page);
    const qsizetype to = m_panes.indexOf(&pane) + by;
    return (to >= 0 && to < m_panes.size()) || pane.count() > 1;
}

void Panes::move(ModelPage &page, int by)
{
    if (!canMove(page, by))
        return;
    const qsizetype place = m_panes.indexOf(&paneOf(page)) + by;
    moveTo(page, [&]() -> Pane & {
        return place < 0 ? insert(0) : place < m_panes.size() ? *m_panes[place] : insert(place);
    });
}

/// Returns where a tab that is dropped at a point would go; nothing if that changes nothing.
std::optional<Panes::Drop> Panes::dropAt(const ModelPage &page, const QPoint &place) const
{
    const auto under = std::ranges::find_if(
        m_panes, [&](const Pane *pane) { return pane->rect().contains(pane->mapFromGlobal(place)); });
    if (under == m_panes.end())
        return {};
    const Drop drop{*under, (*under)->partAt(place)};
    const Pane &from = paneOf(page);
    if (drop.part == Pane::Part::Middle)
        return drop.pane == &from ? std::nullopt : std::optional(drop);
    const qsizetype gap = m_panes.indexOf(drop.pane) + (drop.part == Pane::Part::Right ? 1 : 0);
    const qsizetype own = m_panes.indexOf(&from);
    return from.count() == 1 && (gap == own || gap == own + 1) ? std::nullopt : std::optional(drop);
}

void Panes::showDrop(const ModelPage &page, const QPoint &place)
{
    const auto drop = dropAt(page, place);
    for (Pane *pane : m_panes)
        pane->showDrop(drop && drop->pane == pane ? std::optional(drop->part) : std::nullopt, page.name());
}

void Panes::drop(ModelPage &page, const QPoint &place)
{
    const auto drop = dropAt(page, place);
    if (!drop)
        return;
    const qsizetype at = m_panes.indexOf(drop->pane) + (drop->part == Pane::Part::Right ? 1 : 0);
    moveTo(page, [&]() -> Pane & { return drop->part == Pane::Part::Middle ? *drop->pane : insert(at); });
}

void Panes::moveTo(ModelPage &page, const std::function<Pane &()> &target)
{
    keepActive([&] {
        Pane &from = paneOf(page);
        Pane &to = target();
        from.remove(page);
        to.add(page);
        to.setCurrent(page);
        m_active = &to;
        if (from.count() == 0)
            close(from);
        mark();
    });
    emit currentChanged();
    emit frontsChanged();
}

void Panes::step(int by)
{
    const qsizetype count = m_panes.size();
    setActive(*m_panes[(m_panes.indexOf(m_active) + by + count) % count]);
}

void Panes::setActive(Pane &pane)
{
    if (&pane == m_active || m_isChanging)
        return;
    m_active = &pane;
    mark();
    emit activeChanged();
}

void Panes::mark()
{
    for (Pane *pane : m_panes)
        pane->setAmong(m_panes.size() > 1, pane == m_active);
}

void Panes::followFocus(const QWidget *focused)
{
    for (Pane *pane : QList<Pane *>(m_panes))
        if (focused && pane->isAncestorOf(focused))
            return setActive(*pane);
}

void Panes::keepActive(const std::function<void()> &change)
{
    const QScopedValueRollback changing(m_isChanging, true);
    change();
}

} // namespace cutaway::desktop
