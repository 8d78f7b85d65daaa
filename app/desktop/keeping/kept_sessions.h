// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"

#include <QString>

class QImage;

namespace cutaway::desktop {

/// The sessions of files that were opened before, and a small picture of each, in a folder. The oldest ones go when
/// there are many.
class KeptSessions {
public:
    explicit KeptSessions(QString folder) : m_folder(std::move(folder)) { }

    /// Nothing if there is none. Errors: it cannot be read; it is then put aside, and is not written over.
    std::optional<Result<SavedSession>> of(const QString &model) const;
    Result<void> keep(const QString &model, const SavedSession &session) const;

    /// Of a dark window and of a light one.
    void keepPicture(const QString &model, bool dark, const QImage &picture) const;
    QString picturePath(const QString &model, bool dark) const;

private:
    QString place(const QString &model, const QString &suffix) const;
    void dropOldest() const;

    QString m_folder;
};

} // namespace cutaway::desktop
