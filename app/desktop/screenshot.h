// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/measure.h"
#include "views/session/stepping.h"

#include <QSize>
#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::desktop {

class MainWindow;

struct ScreenshotRequest {
    QString model; ///< empty: the start page
    QString output;
    QSize size{1600, 1000};
    std::optional<int> openDepth;
    std::vector<std::string> bindings, inputs; ///< "s0=8", "x=1x3x224x224:float32"
    std::optional<views::Measure> colouring;
    std::optional<std::string> passes; ///< a pipeline to run, "" for the default one
    std::optional<std::size_t> step;   ///< number of its steps to apply
    views::Stepping::View stepView = views::Stepping::View::Both;
    bool onlyChanges = false;
    std::optional<std::string> profile; ///< a backend to profile with, "" for the first one available
    double profileSeconds = 1;
    QString beside;      ///< a file to open beside it, or empty
    QString compareWith; ///< a model to compare it with, or empty
    QString show;        ///< name of a dock to bring to the front, or empty
    QString select;      ///< name of a node, value or module path, or empty
    QString find;        ///< what to look for, or empty
};

/// Opens the model in the window, waits until all work is done, writes the picture and quits the application with an
/// exit code: 3 if the model cannot be read (the picture then shows the error page).
void takeScreenshot(MainWindow &window, const ScreenshotRequest &request);

} // namespace cutaway::desktop
