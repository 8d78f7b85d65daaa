// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace cutaway::desktop {
namespace {
constexpr qsizetype maxFiles = 10;
const QString key = QStringLiteral("recentFiles");
} // namespace

QStringList recentFiles(const QSettings &settings)
{
    QStringList files = settings.value(key).toStringList();
    files.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
    return files;
}

void noteOpened(QSettings &settings, const QString &path)
{
    QStringList files = settings.value(key).toStringList();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    settings.setValue(key, QStringList(files.first(std::min(files.size(), maxFiles))));
}

} // namespace cutaway::desktop
