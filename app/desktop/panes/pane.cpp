// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panes/pane.h"

#include "app/desktop/model_page.h"
#include "app/desktop/panes/drop_place.h"
#include "app/desktop/panes/tab_bar.h"

#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

namespace cutaway::desktop {

Pane::Pane(QWidget *parent)
    : QWidget(parent),
      m_tabs(new TabBar(this)),
      m_stack(new QStackedWidget(this)),
      m_drop(new DropPlace(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this] {
        if (current())
            m_stack->setCurrentWidget(current());
        emit currentChanged();
    });
    connect(m_tabs, &QTabBar::tabBarClicked, this, &Pane::tabClicked);
    connect(m_tabs, &TabBar::closeRequested, this, &Pane::closeRequested);
    connect(m_tabs, &TabBar::menuRequested, this, &Pane::menuRequested);
    connect(m_tabs, &TabBar::carried, this, &Pane::carried);
    connect(m_tabs, &TabBar::carryEnded, this, &Pane::carryEnded);
    connect(m_tabs, &TabBar::dropped, this, &Pane::dropped);
}

QList<ModelPage *> Pane::pages() const { return m_tabs->pages(); }

int Pane::count() const { return m_tabs->count(); }

ModelPage *Pane::current() const { return m_tabs->currentPage(); }

void Pane::add(ModelPage &page)
{
    m_stack->addWidget(&page);
    m_tabs->add(&page);
    if (current() == &page)
        m_stack->setCurrentWidget(&page);
    if (m_instead)
        std::exchange(m_instead, nullptr)->deleteLater(); // the call may come from a button of the widget
}

void Pane::remove(ModelPage &page)
{
    m_tabs->remove(&page);
    m_stack->removeWidget(&page);
}

void Pane::setCurrent(ModelPage &page) { m_tabs->setCurrent(&page); }

void Pane::step(int by) { m_tabs->step(by); }

void Pane::showInstead(QWidget *widget)
{
    m_instead = widget;
    m_stack->addWidget(widget);
    m_stack->setCurrentWidget(widget);
}

void Pane::setAmong(bool hasOthers, bool isActive)
{
    m_tabs->setAutoHide(!hasOthers);
    m_tabs->setQuiet(hasOthers && !isActive);
}

Pane::Part Pane::partAt(const QPoint &place) const
{
    const QPoint at = m_stack->mapFromGlobal(place);
    const int side = m_stack->width() / 4;
    if (at.y() < 0) // the tabs are above the pages, so the pointer is on them
        return Part::Middle;
    return at.x() < side ? Part::Left : at.x() >= m_stack->width() - side ? Part::Right : Part::Middle;
}

void Pane::showDrop(std::optional<Part> part, const QString &name)
{
    if (!part)
        return m_drop->hide();
    QRect place = m_stack->geometry();
    if (*part != Part::Middle)
        place.setWidth(place.width() / 2);
    if (*part == Part::Right)
        place.moveRight(m_stack->geometry().right());
    m_drop->showAt(place, name);
}

} // namespace cutaway::desktop
