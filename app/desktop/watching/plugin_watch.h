// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace cutaway::desktop {

/// Signals that plugins may have been installed, removed or rebuilt: a plugin folder has changed,
/// or the user has come back from another window.
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
