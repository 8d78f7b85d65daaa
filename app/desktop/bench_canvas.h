// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cutaway::desktop {

class MainWindow;

/// Opens the model in the window, opens all of its modules, pans and zooms by script at 100 %, 10 % and 1 %, prints the
/// times of frames as a line of JSON, and quits the application; the exit code is 3 if the model cannot be read.
void benchCanvas(MainWindow &window, const QString &model);

} // namespace cutaway::desktop
