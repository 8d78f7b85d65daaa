// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

class QStackedWidget;

namespace cutaway::desktop {

class DropPlace;
class ModelPage;
class TabBar;

/// An area of the window with the tabs of some pages and the page in front. Without pages it shows another widget.
class Pane : public QWidget {
    Q_OBJECT

public:
    enum class Part { Left, Middle, Right };

    explicit Pane(QWidget *parent);

    QList<ModelPage *> pages() const;
    int count() const;
    /// Returns the page in front; nullptr without pages.
    ModelPage *current() const;
    /// Adds a page, which does not come to the front unless it is the first.
    void add(ModelPage &page);
    /// Removes a page without deleting it.
    void remove(ModelPage &page);
    void setCurrent(ModelPage &page);
    /// Brings the next tab (1) or the previous one (-1) to the front; after the last one comes the first.
    void step(int by);
    void showInstead(QWidget *widget);
    /// Sets how the tabs look. If there are other panes, even a single page has a tab; if this pane is the active one,
    /// the tab of the page in front is highlighted.
    void setAmong(bool hasOthers, bool isActive);
    /// Returns the part of the pane at a point of the screen. The left and the right quarter are sides; all else, the
    /// tabs included, is the middle.
    Part partAt(const QPoint &place) const;
    /// Shows that a dragged tab would go to the left or right of this pane or, for Middle, into it; nullopt hides that.
    void showDrop(std::optional<Part> part, const QString &name);

signals:
    void currentChanged();
    void tabClicked();
    void closeRequested(cutaway::desktop::ModelPage *page);
    void menuRequested(cutaway::desktop::ModelPage *page, const QPoint &at);
    void carried(cutaway::desktop::ModelPage *page, const QPoint &at);
    void carryEnded();
    void dropped(cutaway::desktop::ModelPage *page, const QPoint &at);

private:
    TabBar *m_tabs;
    QStackedWidget *m_stack;
    DropPlace *m_drop;
    QWidget *m_instead = nullptr;
};

} // namespace cutaway::desktop
