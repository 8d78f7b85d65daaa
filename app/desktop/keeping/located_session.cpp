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

/// The places of a file that a session names: there, or beside the session. An address is one of a file of the same
/// name, whose name ends before one of its '#'; what stands behind the last '/' of an address is no file's name.
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

/// The model that a session names; "": it is nowhere.
QString modelOf(const SavedSession &saved, const QString &sessionPath)
{
    const QString own = QFileInfo(sessionPath).fileName().chopped(qsizetype(sessionSuffix.size()));
    return firstThere(placesOf(saved.file) << own, sessionPath);
}

/// The first file of a row that is nowhere; "" if all are found, by which their names are replaced.
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

/// Replaces the files of a session besides its model by the paths where they are found: what that is compared with,
/// its node data and its traces.
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
        if (const QString file = modelOf(each, path); each.row.empty() && !file.isEmpty())
            each.file = file.toStdString();
    }
    return saved;
}

} // namespace cutaway::desktop
