// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/emphasis.h"
#include "views/graph/tinting.h"
#include "views/session/session.h"

#include <QObject>

namespace cutaway::views {

/// The emphasis of a picture's boxes: the colours of a measure or a column, the selection and its neighbours, matches
/// of a search, bookmarks, and values that are not finite. It follows the session.
class Highlighting : public QObject {
    Q_OBJECT

public:
    explicit Highlighting(Session &session);

    const Emphasis &emphasis() const { return m_emphasis; }
    /// Returns the colours of boxes; nothing while boxes are coloured by their category.
    const std::optional<Tinting> &tinting() const { return m_tinting; }
    const Tinting *tints() const { return m_tinting ? &*m_tinting : nullptr; }
    /// Returns the colours of boxes if they show a measure, else null.
    const Heat *heat() const { return m_tinting ? std::get_if<Heat>(&*m_tinting) : nullptr; }
    /// Returns the box of the selection: its own, or the closed box that contains it.
    std::optional<std::uint32_t> selectedBox() const;
    /// Returns the box of a subject, or the closed box that contains it; nothing if there is none.
    std::optional<std::uint32_t> visibleBox(const layout::Subject &subject) const;

    void setPicture(const Picture &picture);
    /// Forgets the picture, until the next one is set.
    void clear();
    void hover(std::optional<std::uint32_t> box);

signals:
    void changed();
    void tintingChanged();

private:
    void updateEmphasis();
    void updateTinting();
    void updateNotFinite();
    void updateHits();
    void updateBookmarks();

    Session &m_session;
    const Picture *m_picture = nullptr;
    Emphasis m_emphasis;
    std::optional<Tinting> m_tinting;
};

} // namespace cutaway::views
