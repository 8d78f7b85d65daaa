// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace cutaway::desktop {

/// Tells that plugins may have come, gone or changed, as when they are built while the window is open: something did in
/// the folders that they are looked for in, or the user comes back from another window.
class PluginWatch : public QObject {
    Q_OBJECT

public:
    explicit PluginWatch(QObject *parent = nullptr);

signals:
    void changed();

private:
    void follow();

    QFileSystemWatcher m_watcher;
    QTimer m_pause; ///< a build changes many files at once
};

} // namespace cutaway::desktop
