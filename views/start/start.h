// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QWidget;

namespace cutaway::views {

/// Actions that the page asks its window for.
struct StartActions {
    std::function<void()> browse; ///< asks for a file
    std::function<void(const QString &path)> open;
};

/// A file that was open before, with the paths of pictures of it in both themes, which may be missing.
struct RecentFile {
    QString path, lightPicture, darkPicture;
};

/// Makes the page of an empty window: a drop area, recent files, and the formats that can be opened. `sample` is the
/// path of a model to begin with; "" if there is none.
QWidget *makeStartPage(const QList<RecentFile> &recentFiles, const QString &sample, const QStringList &formats,
                       const StartActions &actions, QWidget *parent);

} // namespace cutaway::views
