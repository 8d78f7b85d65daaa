// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/source.h"

#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"

#include <QFileInfo>

namespace cutaway::desktop {

Source rowOf(const QStringList &files)
{
    if (files.size() == 1)
        return {.path = files.front()};
    return {.path = files.front() + QStringLiteral(" … ") + QFileInfo(files.back()).fileName(), .row = files};
}

Result<Source> sourceOfText(const QString &name, const QByteArray &text)
{
    CUTAWAY_TRY(auto folder, TemporaryFolder::make());
    const QString path = QString::fromStdString((folder.path() / name.toStdString()).string());
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(path.toStdString(), text.toStdString()));
    return Source{.path = path, .folder = std::make_shared<const TemporaryFolder>(std::move(folder))};
}

QString fileOf(const QString &path)
{
    if (QFileInfo::exists(path))
        return path;
    for (qsizetype at = path.lastIndexOf('#'); at > 0; at = path.lastIndexOf('#', at - 1))
        if (QFileInfo::exists(path.first(at)))
            return path.first(at);
    return path;
}

} // namespace cutaway::desktop
