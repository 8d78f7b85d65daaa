// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/sample.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace cutaway::desktop {

QString samplePath()
{
    const QString name = QStringLiteral("small_vision.onnx");
    QDir folder(QCoreApplication::applicationDirPath());
    const QString installed = folder.filePath("../share/doc/cutaway/examples/" + name);
    if (QFileInfo::exists(installed))
        return QFileInfo(installed).canonicalFilePath();
    constexpr int deepest = 6; // enough to get from a test's program in a build folder up to the sources
    for (int i = 0; i < deepest && folder.cdUp(); ++i)
        if (const QString path = folder.filePath("resources/samples/" + name); QFileInfo::exists(path))
            return path;
    return {};
}

} // namespace cutaway::desktop
