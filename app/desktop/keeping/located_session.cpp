// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/located_session.h"

#include "app/desktop/source.h"

#include <QDir>
#include <QFileInfo>

namespace cutaway::desktop {
namespace {

/// Returns the first of these paths or addresses that exists, relative to the folder of the session; "" if none does.
QString firstThere(const QStringList &files, const QString &sessionPath)
{
    const QDir folder = QFileInfo(sessionPath).absoluteDir();
    for (const QString &file : files)
        if (!file.isEmpty() && QFileInfo::exists(fileOf(folder.filePath(file))))
            return QDir::cleanPath(folder.filePath(file));
    return {};
}

/// Returns the paths at which a file of a session may be: as the session names it, or in the folder of the session. The
/// name may be an address, a file's name and the name of a part of it after a '#'. The file's name may contain a '#',
/// too, and the name of the part a '/', so each '#' is tried.
QStringList placesOf(const std::string &named)
{
    const QString name = QString::fromStdString(named);
    QStringList places{name};
    if (const qsizetype mark = name.indexOf('#'); mark < 0 || mark > name.lastIndexOf('/'))
        places << QFileInfo(name).fileName();
    for (qsizetype at = name.lastIndexOf('#'); at > 0; at = name.lastIndexOf('#', at - 1))
        places << QFileInfo(name.first(at)).fileName() + name.sliced(at);
    return places;
}

/// Returns the path of the model that a session names, or else of the model that the session's file is named after; ""
/// if neither exists.
QString modelOf(const SavedSession &saved, const QString &sessionPath)
{
    const QString own = QFileInfo(sessionPath).fileName().chopped(qsizetype(sessionSuffix.size()));
    return firstThere(placesOf(saved.file) << own, sessionPath);
}

/// Replaces the names of files in a row by the paths where they exist. Returns the first that does not exist, or "".
std::string findRow(std::vector<std::string> &row, const QString &sessionPath)
{
    for (std::string &each : row) {
        const QString file = firstThere(placesOf(each), sessionPath);
        if (file.isEmpty())
            return each;
        each = file.toStdString();
    }
    return {};
}

/// Replaces the names of the other files of a session by the paths where they exist: the compared model, the node data
/// and the traces.
void findOthers(SavedSession &saved, const QString &sessionPath)
{
    for (std::string *other : {&saved.compared, &saved.data, &saved.trace, &saved.against}) {
        if (const QString file = firstThere(placesOf(*other), sessionPath); !file.isEmpty())
            *other = file.toStdString();
    }
}

} // namespace

Result<SavedSession> readLocatedSession(const QString &path)
{
    CUTAWAY_TRY(auto saved, readSession(path.toStdString()));
    const QString model = saved.row.empty() ? modelOf(saved, path) : QString();
    const std::string missing = findRow(saved.row, path);
    if (!missing.empty() || (saved.row.empty() && model.isEmpty()))
        return std::unexpected(Error{ErrorKind::Unreadable,
                                     "its model " + (missing.empty() ? saved.file : missing)
                                         + " was not found, nor a file of its name beside the session",
                                     {}});
    if (saved.row.empty())
        saved.file = model.toStdString();
    findOthers(saved, path);
    for (SavedSession &each : saved.beside) {
        findOthers(each, path);
        findRow(each.row, path);
        if (const QString file = firstThere(placesOf(each.file), path); each.row.empty() && !file.isEmpty())
            each.file = file.toStdString();
    }
    return saved;
}

} // namespace cutaway::desktop
