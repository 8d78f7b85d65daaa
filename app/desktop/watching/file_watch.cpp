// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/watching/file_watch.h"

#include <QFileInfo>

namespace cutaway::desktop {
namespace {

constexpr int restMs = 300;

} // namespace

FileWatch::FileWatch(QObject *parent) : QObject(parent)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(restMs);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(&m_pause, &QTimer::timeout, this, &FileWatch::look);
}

FileWatch::Stamp FileWatch::stampOf(const QString &path)
{
    const QFileInfo file(path);
    return file.exists() ? Stamp{true, file.size(), file.lastModified()} : Stamp{};
}

void FileWatch::watch(const QString &path)
{
    const Stamp now = stampOf(path);
    m_files[path] = {now, now};
    follow();
}

void FileWatch::forget(const QString &path)
{
    m_files.remove(path);
    m_watcher.removePath(path);
    const auto isNeeded = [this](const QString &folder) {
        for (auto file = m_files.cbegin(); file != m_files.cend(); ++file)
            if (QFileInfo(file.key()).absolutePath() == folder)
                return true;
        return false;
    };
    if (const QString folder = QFileInfo(path).absolutePath(); !isNeeded(folder))
        m_watcher.removePath(folder);
}

/// Watches again each file that exists, and its folder. The system does not watch a file any more after it was
/// replaced; its folder shows when it exists again.
void FileWatch::follow()
{
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (auto file = m_files.cbegin(); file != m_files.cend(); ++file)
        for (const QString &path : {file.key(), QFileInfo(file.key()).absolutePath()})
            if (!watched.contains(path) && QFileInfo::exists(path))
                m_watcher.addPath(path);
}

void FileWatch::look()
{
    follow(); // before the signals, so that a later change is noticed
    QList<std::pair<QString, State>> news;
    for (auto file = m_files.begin(); file != m_files.end(); ++file) {
        const Stamp now = stampOf(file.key());
        if (now == file->last)
            continue;
        file->last = now;
        news.emplace_back(file.key(), now == file->first ? State::Same : now.isThere ? State::Changed : State::Gone);
    }
    for (const auto &[path, state] : news)
        emit seen(path, state);
}

} // namespace cutaway::desktop
