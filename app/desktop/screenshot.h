// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/starting.h"

#include <QSize>
#include <QString>

namespace cutaway::desktop {

/// Performs the request in the window, waits until all work is done, writes the picture and quits the application. The
/// exit code is 3 if the model cannot be read; the picture then shows the error page.
void takeScreenshot(MainWindow &window, const StartRequest &request, const QString &output, QSize size);

} // namespace cutaway::desktop
