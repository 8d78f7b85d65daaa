// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QSettings;

namespace cutaway::desktop {

/// The files opened last, newest first; those that are gone are left out.
QStringList recentFiles(const QSettings &settings);
void noteOpened(QSettings &settings, const QString &path);

} // namespace cutaway::desktop
