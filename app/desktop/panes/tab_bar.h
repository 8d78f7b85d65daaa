// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace cutaway::desktop {

class ModelPage;

/// The tabs of a pane, one for each page. A tab can be dragged to another position, or out of the bar to another part
/// of the window, which Esc cancels. It is closed with its button or the middle mouse button.
class TabBar : public QTabBar {
    Q_OBJECT

public:
    explicit TabBar(QWidget *parent);

    void add(ModelPage *page);
    void remove(ModelPage *page);
    /// Returns the pages in the order of the tabs.
    QList<ModelPage *> pages() const;
    /// Returns the page of the current tab; nullptr if there is no tab.
    ModelPage *currentPage() const;
    void setCurrent(ModelPage *page);
    /// Brings the next tab (1) or the previous one (-1) to the front; after the last one comes the first.
    void step(int by);
    /// Names each tab after its file. If two names are equal, they get the folder, too.
    void nameTabs();
    /// Sets whether the current tab looks like the others.
    void setQuiet(bool isQuiet);

signals:
    void closeRequested(cutaway::desktop::ModelPage *page);
    void menuRequested(cutaway::desktop::ModelPage *page, const QPoint &at);
    /// Emitted while a tab is dragged out of the bar; `at` is the position of the pointer on the screen.
    void carried(cutaway::desktop::ModelPage *page, const QPoint &at);
    void carryEnded();
    /// Emitted after carryEnded() when the tab was dropped, but not if Esc ended the dragging.
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

    ModelPage *m_pressed = nullptr; ///< the page whose tab is being pressed; nullptr if none is
    bool m_isCarrying = false;      ///< whether a tab is being dragged out of the bar
};

} // namespace cutaway::desktop
