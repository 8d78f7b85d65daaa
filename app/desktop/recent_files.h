// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QSettings;

namespace cutaway::desktop {

/// Returns the most recently opened files, newest first, without those that do not exist any more.
QStringList recentFiles(const QSettings &settings);
void noteOpened(QSettings &settings, const QString &path);

} // namespace cutaway::desktop
