// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/emphasis.h"
#include "views/graph/tinting.h"
#include "views/session/session.h"

#include <QObject>

namespace cutaway::views {

/// How the boxes of a picture stand out: by the colours of a measure or a column, the selection and what it is linked
/// with, hits of a search, bookmarks, and values that are not finite. It follows the session.
class Highlighting : public QObject {
    Q_OBJECT

public:
    explicit Highlighting(Session &session);

    const Emphasis &emphasis() const { return m_emphasis; }
    /// The colours of boxes; nothing while boxes are coloured by their category.
    const std::optional<Tinting> &tinting() const { return m_tinting; }
    const Tinting *tints() const { return m_tinting ? &*m_tinting : nullptr; }
    /// The colours of boxes if they show a measure, or null.
    const Heat *heat() const { return m_tinting ? std::get_if<Heat>(&*m_tinting) : nullptr; }
    /// The box of the selection: its own, or the closed box that contains it.
    std::optional<std::uint32_t> selectedBox() const;
    /// The box of a subject, or the closed box that contains it.
    std::optional<std::uint32_t> visibleBox(const layout::Subject &subject) const;

    void setPicture(const Picture &picture);
    /// There is no picture until the next one is set.
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
