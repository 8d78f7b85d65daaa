// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/watching/plugin_watch.h"

#include "core/plugin/found.h"

#include <QGuiApplication>

namespace cutaway::desktop {
namespace {

namespace fs = std::filesystem;

constexpr int watchPauseMs = 300;

/// Returns the paths to watch: a plugin folder, its subfolders and manifests; without it the nearest existing parent.
QStringList watchedPaths(fs::path folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        while (folder.has_relative_path() && !fs::is_directory(folder, error))
            folder = folder.parent_path();
        return {QString::fromStdString(folder.string())};
    }
    QStringList paths{QString::fromStdString(folder.string())};
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code none;
        if (fs::is_directory(entry->path(), none))
            paths << QString::fromStdString(entry->path().string());
    }
    for (const QString &each : QStringList(paths))
        if (const fs::path manifest = fs::path(each.toStdString()) / plugin::manifestName; fs::exists(manifest, error))
            paths << QString::fromStdString(manifest.string());
    return paths;
}

} // namespace

PluginWatch::PluginWatch(QObject *parent) : QObject(parent)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(watchPauseMs);
    const auto look = [this] {
        if (!m_pause.isActive()) // the timer is not restarted, and a change during the pause is noticed when it ends
            m_pause.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, look);
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [look](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive)
            look();
    });
    connect(&m_pause, &QTimer::timeout, this, [this] {
        follow(); // before the signal, so that a later change is noticed
        emit changed();
    });
    follow();
}

/// Watches replaced files again, and new folders.
void PluginWatch::follow()
{
    QStringList paths;
    for (const fs::path &folder : plugin::pluginFolders())
        paths << watchedPaths(folder);
    const QStringList watched = m_watcher.directories() + m_watcher.files();
    paths.removeIf([&](const QString &path) { return path.isEmpty() || watched.contains(path); });
    paths.removeDuplicates();
    if (!paths.isEmpty())
        m_watcher.addPaths(paths);
}

} // namespace cutaway::desktop
