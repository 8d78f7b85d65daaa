// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panes/tab_bar.h"

#include "app/desktop/model_page.h"
#include "views/appearance/icon.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace cutaway::desktop {
namespace {

constexpr int maxNameWidth = 220;

} // namespace

TabBar::TabBar(QWidget *parent) : QTabBar(parent)
{
    setObjectName("tabs");
    setAccessibleName(tr("Open files"));
    setAutoHide(true);
    setDocumentMode(true);
    setDrawBase(false);
    setExpanding(false);
    setMovable(true);
    setElideMode(Qt::ElideNone); // file names are short, so an elided one would have few letters left
    setUsesScrollButtons(true);
    setFocusPolicy(Qt::TabFocus);
}

void TabBar::add(ModelPage *page)
{
    // When the first tab is added, Qt signals it as the current one before it has its page.
    const QSignalBlocker quiet(this);
    setTabData(addTab(page->name()), QVariant::fromValue<QObject *>(page));
    nameTabs();
}

void TabBar::remove(ModelPage *page)
{
    if (m_pressed == page)
        endCarry();
    removeTab(indexOf(page));
    nameTabs();
}

ModelPage *TabBar::pageAt(int index) const { return static_cast<ModelPage *>(tabData(index).value<QObject *>()); }

int TabBar::indexOf(const ModelPage *page) const
{
    int index = 0;
    while (index < count() && pageAt(index) != page)
        ++index;
    return index < count() ? index : -1;
}

QList<ModelPage *> TabBar::pages() const
{
    QList<ModelPage *> all;
    for (int i = 0; i < count(); ++i)
        all << pageAt(i);
    return all;
}

ModelPage *TabBar::currentPage() const { return count() == 0 ? nullptr : pageAt(currentIndex()); }

void TabBar::setCurrent(ModelPage *page) { setCurrentIndex(indexOf(page)); }

void TabBar::step(int by)
{
    if (count() > 0)
        setCurrentIndex((currentIndex() + by + count()) % count());
}

void TabBar::nameTabs()
{
    for (int i = 0; i < count(); ++i) {
        const QFileInfo file(pageAt(i)->file());
        const bool isAlone = std::ranges::count(pages(), pageAt(i)->name(), &ModelPage::name) == 1;
        const QString name = (isAlone ? QString() : file.dir().dirName() + '/') + pageAt(i)->name();
        const QString shown = fontMetrics().elidedText(name, Qt::ElideMiddle, maxNameWidth);
        setTabText(i, QString(shown).replace('&', "&&"));
        setTabToolTip(i, QFileInfo(pageAt(i)->path()).absoluteFilePath());
    }
}

/// Sets a property that the theme's style sheet refers to.
void TabBar::setQuiet(bool isQuiet)
{
    if (property("quiet").toBool() == isQuiet)
        return;
    setProperty("quiet", isQuiet);
    style()->unpolish(this);
    style()->polish(this);
}

void TabBar::tabInserted(int index)
{
    auto *close = new QToolButton(this);
    close->setIcon(views::icon("close"));
    close->setIconSize({10, 10});
    close->setToolTip(tr("Close (Ctrl+W)"));
    close->setAccessibleName(tr("Close"));
    close->setFocusPolicy(Qt::NoFocus);
    connect(close, &QToolButton::clicked, this, [this, close] {
        for (int i = 0; i < count(); ++i)
            if (tabButton(i, QTabBar::RightSide) == close)
                return emit closeRequested(pageAt(i));
    });
    setTabButton(index, QTabBar::RightSide, close);
    QTabBar::tabInserted(index);
}

void TabBar::mousePressEvent(QMouseEvent *event)
{
    QTabBar::mousePressEvent(event);
    const int index = tabAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index >= 0)
        m_pressed = pageAt(index);
}

void TabBar::mouseMoveEvent(QMouseEvent *event)
{
    const bool isHeld = m_pressed && (event->buttons() & Qt::LeftButton);
    const double above = -event->position().y(), below = event->position().y() - height();
    if (isHeld && !m_isCarrying && std::max(above, below) > height() / 2.0)
        beginCarry(event->position());
    if (!m_isCarrying)
        return QTabBar::mouseMoveEvent(event);
    if (isHeld)
        emit carried(m_pressed, event->globalPosition().toPoint());
    else
        endCarry(); // the button was released outside of the window, so there was no event
}

/// Begins to drag a tab out of the bar. It stays in the bar until it is dropped elsewhere.
void TabBar::beginCarry(QPointF at)
{
    QMouseEvent release(QEvent::MouseButtonRelease, at, mapToGlobal(at), Qt::LeftButton, Qt::NoButton, {});
    QTabBar::mouseReleaseEvent(&release);
    m_isCarrying = true;
    setCursor(Qt::ClosedHandCursor);
    qApp->installEventFilter(this);
}

void TabBar::endCarry()
{
    m_pressed = nullptr;
    if (!std::exchange(m_isCarrying, false))
        return;
    qApp->removeEventFilter(this);
    unsetCursor();
    emit carryEnded();
}

/// Ends the dragging of a tab when Esc is pressed, even if another widget has the keyboard focus.
bool TabBar::eventFilter(QObject *watched, QEvent *event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!isKey || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
        return QTabBar::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        endCarry();
    return true;
}

void TabBar::mouseReleaseEvent(QMouseEvent *event)
{
    ModelPage *carriedPage = m_isCarrying && event->button() == Qt::LeftButton ? m_pressed : nullptr;
    if (event->button() == Qt::LeftButton)
        endCarry();
    if (carriedPage)
        return emit dropped(carriedPage, event->globalPosition().toPoint());
    const int index = tabAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton && index >= 0)
        return emit closeRequested(pageAt(index));
    QTabBar::mouseReleaseEvent(event);
}

/// Asks for the menu of the tab under the pointer or, if a key opened it, of the current tab.
void TabBar::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const int index = isByKey ? currentIndex() : tabAt(event->pos());
    if (index >= 0)
        emit menuRequested(pageAt(index), isByKey ? mapToGlobal(tabRect(index).center()) : event->globalPos());
}

} // namespace cutaway::desktop
