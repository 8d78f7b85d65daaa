// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/panes/pane.h"

#include <QSplitter>
#include <functional>
#include <optional>

namespace cutaway::desktop {

/// The panes of a window, beside each other. The active one is the one that has, or had last, the keyboard focus. A
/// pane is removed with its last page, unless it is the only one. A tab that is dragged out of its bar moves into
/// another pane, or into a new one beside it.
class Panes : public QSplitter {
    Q_OBJECT

public:
    explicit Panes(QWidget *parent);
    ~Panes() override;

    Pane &active() const { return *m_active; }
    const QList<Pane *> &all() const { return m_panes; }
    Pane &paneOf(const ModelPage &page) const;
    /// Returns the pages of all panes, from left to right.
    QList<ModelPage *> pages() const;
    /// Returns the page in front of each pane, from left to right.
    QList<ModelPage *> fronts() const;
    /// Returns the pages of a file, from left to right.
    QList<ModelPage *> pagesOf(const QString &path) const;
    /// Returns a page of a file: the one in front of the active pane, or else the first; nullptr if there is none.
    ModelPage *pageOf(const QString &path) const;
    /// Returns the page in front of the active pane; nullptr if the pane has no page.
    ModelPage *current() const;

    /// Returns the pane to the right of another one; it is made if there is none.
    Pane &rightOf(const Pane &pane);
    /// Brings a page to the front of its pane, and activates the pane.
    void setCurrent(ModelPage &page);
    /// Removes a page without deleting it.
    void remove(ModelPage &page);
    /// move() moves a page into the pane to its right (1) or left (-1), or into a new pane at that end. canMove() is
    /// false if that would only move the pane: for the only page of the outermost pane.
    bool canMove(const ModelPage &page, int by) const;
    void move(ModelPage &page, int by);
    /// Activates the next pane (1) or the previous one (-1).
    void step(int by);
    /// Makes a change during which another pane that gets the keyboard focus does not become the active one.
    void keepActive(const std::function<void()> &change);

signals:
    /// Emitted when another page is in front of the active pane.
    void currentChanged();
    /// Emitted when another pane is active.
    void activeChanged();
    /// Emitted after the two signals above when other pages are in front, or panes were added or removed.
    void frontsChanged();
    void closeRequested(cutaway::desktop::ModelPage *page);
    /// Emitted when the user opens the menu of the page in front.
    void menuRequested(const QPoint &at);

private:
    /// The pane and its part that a dragged tab would move to.
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
