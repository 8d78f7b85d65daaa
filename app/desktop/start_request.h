// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/annotations/colouring.h"
#include "views/session/stepping/step_display.h"

#include <QStringList>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::desktop {

/// The request of the command line to a window.
struct StartRequest {
    QString model{};                               ///< the file to open; empty for the start page
    QStringList row{};                             ///< files in a row, which are opened in place of `model`
    bool isFollowed = false;                       ///< whether the model is read again whenever its file changes
    std::vector<std::string> bindings{}, inputs{}; ///< "s0=8", "x=1x3x224x224:float32"
    std::optional<views::Colouring> colouring{};
    QString data{};                      ///< the file of a table of node data, or empty
    std::optional<std::string> passes{}; ///< the pipeline to run; "" for the default one, nothing for none
    std::optional<std::size_t> step{};   ///< after how many steps, of the pipeline or recorded ones, the model is shown
    views::StepDisplay::View stepView = views::StepDisplay::View::Both;
    bool onlyChanges = false;
    std::optional<std::string> profile{}; ///< the backend to profile with, "" for the first available; or nothing
    double profileSeconds = 1;
    QString trace{};   ///< the file of a trace of `model`, or of a trace to open without a model; or empty
    QString against{}; ///< the file of a trace to compare `trace` with, or empty
    /// The backend for a run with statistics of all values; "" for the first one available, nothing for no run.
    std::optional<std::string> statistics{};
    QString compareWith{}; ///< the file of a model to compare `model` with, or empty
    QString show{};        ///< the name of a dock to bring to the front, or empty
    std::optional<int> openDepth{};
    QString select{}; ///< name of a node or value, path of a module, name of a part that was found; or empty
    QString find{};   ///< the text to search for, or empty
    QString beside{}; ///< a file to open in the pane to the right of `model`, or empty
};

} // namespace cutaway::desktop
