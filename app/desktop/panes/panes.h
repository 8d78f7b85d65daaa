// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/panes/pane.h"

#include <QSplitter>
#include <functional>
#include <optional>

namespace cutaway::desktop {

/// The panes of a window, beside each other. One is active: it has the keyboard, or had it last. A pane whose last page
/// is removed is removed, too, unless it is the only one. A tab that is dragged out of its bar moves into another pane,
/// or beside one.
class Panes : public QSplitter {
    Q_OBJECT

public:
    explicit Panes(QWidget *parent);
    ~Panes() override;

    Pane &active() const { return *m_active; }
    const QList<Pane *> &all() const { return m_panes; }
    Pane &paneOf(const ModelPage &page) const;
    /// The pages of all panes, from left to right.
    QList<ModelPage *> pages() const;
    /// The pages in front of their panes, from left to right.
    QList<ModelPage *> fronts() const;
    /// The pages of a file, from left to right.
    QList<ModelPage *> pagesOf(const QString &path) const;
    /// The page of a file: the one in front of the active pane, or else the first; nullptr if there is none.
    ModelPage *pageOf(const QString &path) const;
    /// The page in front of the active pane; nullptr while the pane has no page.
    ModelPage *current() const;

    /// The pane to the right of another one, which is made if there is none.
    Pane &rightOf(const Pane &pane);
    /// Brings a page to the front of its pane, and activates the pane.
    void setCurrent(ModelPage &page);
    /// Removes a page without deleting it.
    void remove(ModelPage &page);
    /// Moves a page into the pane to the right (1) or left (-1), or into a new one at that end.
    bool canMove(const ModelPage &page, int by) const;
    void move(ModelPage &page, int by);
    /// Makes the next pane (1) or the one before (-1) active.
    void step(int by);
    /// Makes a change that may move the keyboard, and keeps the active pane.
    void keepActive(const std::function<void()> &change);

signals:
    /// Another page is in front of the active pane.
    void currentChanged();
    /// Another pane is active.
    void activeChanged();
    /// Other pages are in front, or there are other panes. Sent after the two signals above.
    void frontsChanged();
    void closeRequested(cutaway::desktop::ModelPage *page);
    /// The user wants the menu of the page that is in front.
    void menuRequested(const QPoint &at);

private:
    /// The pane, and the part of it, that a dragged tab would move to.
    struct Drop {
        Pane *pane;
        Pane::Part part;
    };
    std::optional<Drop> dropAt(const ModelPage &page, const QPoint &place) const;
    void showDrop(const ModelPage &page, const QPoint &place);
    void drop(ModelPage &page, const QPoint &place);
    void moveTo(ModelPage &page, const std::function<Pane &()> &target);
    Pane &insert(qsizetype place);
    void close(Pane &pane);
    void setActive(Pane &pane);
    void mark();
    void followFocus(const QWidget *focused);

    QList<Pane *> m_panes; ///< from left to right
    Pane *m_active;
    bool m_isChanging = false;
};

} // namespace cutaway::desktop
