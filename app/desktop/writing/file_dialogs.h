// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

class QWidget;

namespace cutaway::desktop {

/// Asks for a model or a saved session in the folder of the model in front; `model` is its path, or "". Returns "" if
/// none was chosen.
QString chooseModel(QWidget &window, const QString &title, const QString &model, bool withSurveys = false);

/// Asks for a trace of the model in front, in its folder. Returns "" if none was chosen.
QString chooseTrace(QWidget &window, const QString &model);

/// Returns the folder of a model if files can be written there, else the home folder.
QString targetFolder(const QString &model);

/// Asks for a file to write beside the model's, which is called as that with `name` added. A name without a suffix gets
/// that of the filter before it is asked whether a file is to be replaced. `filters`: texts with their suffixes.
QString chooseTarget(QWidget &window, const QString &title, const QString &model, const QString &name,
                     const std::vector<std::pair<QString, QString>> &filters);

} // namespace cutaway::desktop
