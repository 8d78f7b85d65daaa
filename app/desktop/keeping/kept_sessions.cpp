// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/kept_sessions.h"

#include "core/base/digests/sha256.h"
#include "core/base/whole_file.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>

namespace cutaway::desktop {
namespace {

constexpr qsizetype maxSessions = 300;
constexpr std::size_t keyLength = 32;

} // namespace

QString KeptSessions::place(const QString &model, const QString &suffix) const
{
    const QString absolute = QFileInfo(model).absoluteFilePath();
    return QDir(m_folder).filePath(QString::fromStdString(sha256(absolute.toStdString()).substr(0, keyLength))
                                   + suffix);
}

std::optional<Result<SavedSession>> KeptSessions::of(const QString &model) const
{
    const QString path = place(model, ".json");
    if (!QFileInfo::exists(path))
        return {};
    auto session = readSession(path.toStdString());
    if (!session) {
        const QString aside = path + ".unread";
        QFile::remove(aside);
        const bool isAside = QFile::rename(path, aside);
        session.error() = session.error().noting("it is kept as " + (isAside ? aside : path).toStdString());
    }
    return session;
}

Result<void> KeptSessions::keep(const QString &model, const SavedSession &session) const
{
    QDir().mkpath(m_folder);
    auto written = writeWholeFile(place(model, ".json").toStdString(), printSession(session));
    dropOldest();
    return written;
}

void KeptSessions::dropOldest() const
{
    const QFileInfoList all = QDir(m_folder).entryInfoList({"*.json"}, QDir::Files, QDir::Time); // newest first
    for (qsizetype i = maxSessions; i < all.size(); ++i)
        for (const char *suffix : {".json", ".light.png", ".dark.png"})
            QFile::remove(QDir(m_folder).filePath(all[i].completeBaseName() + suffix));
}

QString KeptSessions::picturePath(const QString &model, bool dark) const
{
    return place(model, dark ? QStringLiteral(".dark.png") : QStringLiteral(".light.png"));
}

void KeptSessions::keepPicture(const QString &model, bool dark, const QImage &picture) const
{
    QDir().mkpath(m_folder);
    picture.save(picturePath(model, dark)); // if the picture cannot be saved, the start page shows an empty frame
}

} // namespace cutaway::desktop
