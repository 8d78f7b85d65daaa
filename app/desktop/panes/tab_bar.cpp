// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panes/tab_bar.h"

#include "app/desktop/model_page.h"
#include "views/appearance/icon.h"

#include <QContextMenuEvent>
#include <QDir>
#include <QFileInfo>
#include <QMouseEvent>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

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
    setElideMode(Qt::ElideNone); // short names have no letter to spare
    setUsesScrollButtons(true);
    setFocusPolicy(Qt::TabFocus);
}

void TabBar::add(ModelPage *page)
{
    const QSignalBlocker quiet(this); // the first tab becomes the current one before it has its page
    setTabData(addTab(page->name()), QVariant::fromValue<QObject *>(page));
    nameTabs();
}

void TabBar::remove(ModelPage *page)
{
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
        const QFileInfo file(pageAt(i)->path());
        const bool isAlone = std::ranges::count(pages(), pageAt(i)->name(), &ModelPage::name) == 1;
        const QString name = isAlone ? file.fileName() : file.dir().dirName() + '/' + file.fileName();
        const QString shown = fontMetrics().elidedText(name, Qt::ElideMiddle, maxNameWidth);
        setTabText(i, QString(shown).replace('&', "&&"));
        setTabToolTip(i, file.absoluteFilePath());
    }
}

/// The style sheet of the theme knows the property.
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

void TabBar::mouseReleaseEvent(QMouseEvent *event)
{
    const int index = tabAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton && index >= 0)
        return emit closeRequested(pageAt(index));
    QTabBar::mouseReleaseEvent(event);
}

/// By key it is for the current tab.
void TabBar::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const int index = isByKey ? currentIndex() : tabAt(event->pos());
    if (index >= 0)
        emit menuRequested(pageAt(index), isByKey ? mapToGlobal(tabRect(index).center()) : event->globalPos());
}

} // namespace cutaway::desktop
