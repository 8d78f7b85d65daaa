// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cutaway::desktop {

class MainWindow;

/// Opens the model in the window, opens all of its modules, pans and zooms by script at 100 %, 10 % and 1 %, prints a
/// line of JSON with the times of frames, and quits the application with an exit code: 3 if the model cannot be read.
void benchCanvas(MainWindow &window, const QString &model);

} // namespace cutaway::desktop
