// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>

class QWidget;

namespace cutaway::views {

struct StartActions {
    std::function<void()> browse;
    std::function<void(const QString &path)> open;
};

/// The page of an empty window: a drop area, recent files, and the formats that can be opened.
QWidget *makeStartPage(const QStringList &recentFiles, const QStringList &formats, const StartActions &actions,
                       QWidget *parent);

} // namespace cutaway::views
