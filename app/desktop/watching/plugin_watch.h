// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace cutaway::desktop {

/// Reports that plugins may have been installed, removed or rebuilt, because a folder of plugins has changed or the
/// user has returned from another program.
class PluginWatch : public QObject {
    Q_OBJECT

public:
    explicit PluginWatch(QObject *parent = nullptr);

signals:
    void changed();

private:
    void follow();

    QFileSystemWatcher m_watcher;
    QTimer m_pause; ///< joins the many changes of a build into one signal
};

} // namespace cutaway::desktop
