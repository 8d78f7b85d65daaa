// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/located_session.h"

#include "app/desktop/source.h"

#include <QDir>
#include <QFileInfo>

namespace cutaway::desktop {
namespace {

/// The first of these files, folders or addresses in one that is there, from the folder of the session; "": none is.
QString firstThere(const QStringList &files, const QString &sessionPath)
{
    const QDir folder = QFileInfo(sessionPath).absoluteDir();
    for (const QString &file : files)
        if (!file.isEmpty() && QFileInfo::exists(fileOf(folder.filePath(file))))
            return QDir::cleanPath(folder.filePath(file));
    return {};
}

/// The model that a session names; "": it is nowhere.
QString modelOf(const SavedSession &saved, const QString &sessionPath)
{
    const QString own = QFileInfo(sessionPath).fileName().chopped(qsizetype(sessionSuffix.size()));
    const QString named = QString::fromStdString(saved.file);
    return firstThere({named, QFileInfo(named).fileName(), own}, sessionPath);
}

/// Replaces the file that a session compares its model with, and that of its node data, by the paths where they are
/// found.
void findOthers(SavedSession &saved, const QString &sessionPath)
{
    for (std::string *other : {&saved.compared, &saved.data}) {
        const QString named = QString::fromStdString(*other);
        if (const QString file = firstThere({named, QFileInfo(named).fileName()}, sessionPath); !file.isEmpty())
            *other = file.toStdString();
    }
}

} // namespace

Result<SavedSession> readLocatedSession(const QString &path)
{
    CUTAWAY_TRY(auto saved, readSession(path.toStdString()));
    const QString model = modelOf(saved, path);
    if (model.isEmpty())
        return std::unexpected(
            Error{ErrorKind::Unreadable,
                  "its model " + saved.file + " was not found, nor a file of its name beside the session",
                  {}});
    saved.file = model.toStdString();
    findOthers(saved, path);
    for (SavedSession &each : saved.beside) {
        findOthers(each, path);
        if (const QString file = modelOf(each, path); !file.isEmpty())
            each.file = file.toStdString();
    }
    return saved;
}

} // namespace cutaway::desktop
