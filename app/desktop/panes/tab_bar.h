// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace cutaway::desktop {

class ModelPage;

/// A tab for each file of a pane. Tabs are dragged into another order, carried out of the bar to where the window has a
/// place for them (Esc: back), and closed with their button or the middle one of the mouse.
class TabBar : public QTabBar {
    Q_OBJECT

public:
    explicit TabBar(QWidget *parent);

    void add(ModelPage *page);
    void remove(ModelPage *page);
    /// Returns the pages in the order of the tabs.
    QList<ModelPage *> pages() const;
    /// Nullptr if there is no tab.
    ModelPage *currentPage() const;
    void setCurrent(ModelPage *page);
    /// Brings the next tab (1) or the one before (-1) to the front, round and round.
    void step(int by);
    /// Names each tab after its file, with the folder where two names are equal.
    void nameTabs();
    /// `isQuiet`: the current tab does not stand out.
    void setQuiet(bool isQuiet);

signals:
    void closeRequested(cutaway::desktop::ModelPage *page);
    void menuRequested(cutaway::desktop::ModelPage *page, const QPoint &at);
    /// The pointer carries the tab, and is at a point of the screen.
    void carried(cutaway::desktop::ModelPage *page, const QPoint &at);
    void carryEnded();
    /// The tab was dropped. Sent after carryEnded(), unless the carrying was ended by Esc.
    void dropped(cutaway::desktop::ModelPage *page, const QPoint &at);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void tabInserted(int index) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    ModelPage *pageAt(int index) const;
    int indexOf(const ModelPage *page) const;
    void beginCarry(QPointF at);
    void endCarry();

    ModelPage *m_pressed = nullptr; ///< the page whose tab the pointer holds
    bool m_isCarrying = false;      ///< out of the bar
};

} // namespace cutaway::desktop
