// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"

#include <QString>

class QImage;

namespace cutaway::desktop {

/// The sessions of files that were opened before, and a small picture of each, in a folder. The oldest sessions are
/// removed when there are many.
class KeptSessions {
public:
    explicit KeptSessions(QString folder) : m_folder(std::move(folder)) { }

    /// Returns the session of a model; nothing if none was kept. Errors: the session cannot be read; its file is then
    /// put aside, and is not overwritten.
    std::optional<Result<SavedSession>> of(const QString &model) const;
    Result<void> keep(const QString &model, const SavedSession &session) const;

    /// Keeps the picture of a model for the dark or the light theme.
    void keepPicture(const QString &model, bool dark, const QImage &picture) const;
    QString picturePath(const QString &model, bool dark) const;

private:
    QString place(const QString &model, const QString &suffix) const;
    void dropOldest() const;

    QString m_folder;
};

} // namespace cutaway::desktop
