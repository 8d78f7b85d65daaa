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

/// Pages that share one place of the window: their tabs, and the page in front. Without a page it shows what it is
/// given in place of one.
class Pane : public QWidget {
    Q_OBJECT

public:
    enum class Part { Left, Middle, Right };

    explicit Pane(QWidget *parent);

    QList<ModelPage *> pages() const;
    int count() const;
    /// The page in front, or nullptr.
    ModelPage *current() const;
    /// Adds a page behind the one in front, if there is one.
    void add(ModelPage &page);
    /// Removes a page without deleting it.
    void remove(ModelPage &page);
    void setCurrent(ModelPage &page);
    /// Brings the next tab (1) or the one before (-1) to the front, round and round.
    void step(int by);
    void showInstead(QWidget *widget);
    /// Tells the pane whether others stand beside it: then even a single page has a tab. The tab of the active pane
    /// stands out.
    void setAmong(bool hasOthers, bool isActive);
    /// Returns the part of the pane at a point of the screen: a quarter at each side; the rest, tabs included, is the
    /// middle.
    Part partAt(const QPoint &place) const;
    /// Shows that a tab would go beside this pane, or (Middle) into it; without a part, neither.
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
