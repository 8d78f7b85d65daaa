// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

class QWidget;

namespace cutaway::desktop {

/// Asks for a model or a saved session, beginning in the folder of `model`, the path of the model in front or "".
/// Returns "" if the user chooses none.
QString chooseModel(QWidget &window, const QString &title, const QString &model, bool withSurveys = false);

/// Asks for a trace of `model`, beginning in its folder. Returns "" if the user chooses none.
QString chooseTrace(QWidget &window, const QString &model);

/// Returns the folder of a model if files can be written there, else the user's home folder.
QString targetFolder(const QString &model);

/// Asks for a file to write, at first beside `model` with `name` added to its name. A name without a suffix gets that
/// of the filter before the user is asked about replacing a file. `filters` are texts with their suffixes.
QString chooseTarget(QWidget &window, const QString &title, const QString &model, const QString &name,
                     const std::vector<std::pair<QString, QString>> &filters);

} // namespace cutaway::desktop
