// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <optional>

namespace cutaway::desktop {

class MainWindow;

struct ScreenshotRequest {
    QString model; ///< empty: the start page
    QString output;
    QSize size{1600, 1000};
    std::optional<int> openDepth;
    QString select; ///< name of a node, value or module path, or empty
};

/// Opens the model in the window, waits for everything that is under way, writes the picture, and quits the
/// application with its exit code: 3 if the model cannot be read (the picture is then of the page that says so).
void takeScreenshot(MainWindow &window, const ScreenshotRequest &request);

} // namespace cutaway::desktop
