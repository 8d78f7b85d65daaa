// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/document.h"
#include "views/session/selection.h"

#include <QObject>
#include <QString>

namespace cutaway::views {

class Navigation;

/// A box that the user wants to find again.
struct Bookmark {
    ir::FunctionId function;
    layout::Subject subject;
    QString note; ///< the user's note, or ""
    bool operator==(const Bookmark &) const = default;
};

/// The user's bookmarks and the notes on them, in the order in which they were made. Every change can be undone.
class Bookmarks : public QObject {
    Q_OBJECT

public:
    Bookmarks(Document &document, Navigation &navigation);

    const std::vector<Bookmark> &all() const { return m_all; }
    /// Returns the bookmark of a subject in the shown function; nullptr if there is none.
    const Bookmark *of(const layout::Subject &subject) const;
    /// Returns the box of the selection; nothing if it has none.
    std::optional<layout::Subject> selected() const;
    /// Returns the name of a bookmark in lists: "/stem/Conv", "module stem.near", "input x".
    QString nameOf(const Bookmark &bookmark) const;

    void toggle(const layout::Subject &subject);
    /// Sets the note of a subject's bookmark, and adds the bookmark if there is none.
    void setNote(const layout::Subject &subject, const QString &note);
    void set(std::vector<Bookmark> all);
    void remove(std::size_t index);
    void setNote(std::size_t index, const QString &note);
    /// Shows the bookmark's function, and reveals its box.
    void reveal(std::size_t index);
    /// Opens the editor for the note on a subject, which gets a bookmark if it has none.
    void requestNote(const layout::Subject &subject);

signals:
    void changed();
    void noteRequested(std::size_t index);

private:
    std::optional<std::size_t> indexOf(const layout::Subject &subject) const;
    void change(const QString &what, std::vector<Bookmark> all);

    Document &m_document;
    Navigation &m_navigation;
    std::vector<Bookmark> m_all;
};

} // namespace cutaway::views
