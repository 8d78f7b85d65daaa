// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QSettings;

namespace cutaway::desktop {

/// The most recently opened files, newest first, without those that no longer exist.
QStringList recentFiles(const QSettings &settings);
void noteOpened(QSettings &settings, const QString &path);

} // namespace cutaway::desktop
