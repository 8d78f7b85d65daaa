// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>

namespace cutaway::desktop {

/// Watches open files for changes.
class FileWatch : public QObject {
    Q_OBJECT

public:
    enum class State : std::uint8_t {
        Same,    ///< the file has changed, and is now as it was when it was read
        Changed, ///< the file was written to, or replaced by another one
        Gone,
    };

    explicit FileWatch(QObject *parent = nullptr);

    /// Watches a file from now on, and compares it with its present state.
    void watch(const QString &path);
    void forget(const QString &path);

signals:
    /// Emitted once for each new state, when the file has not changed for a moment.
    void seen(const QString &path, cutaway::desktop::FileWatch::State state);

private:
    /// Identifies the content of a file, unless a change of it is disguised on purpose.
    struct Stamp {
        bool isThere = false;
        qint64 size = 0;
        QDateTime modified;
        bool operator==(const Stamp &) const = default;
    };
    struct Watched {
        Stamp first, last;
    };
    static Stamp stampOf(const QString &path);
    void follow();
    void look();

    QFileSystemWatcher m_watcher;
    QHash<QString, Watched> m_files;
    QTimer m_pause; ///< a large file takes a while to be written
};

} // namespace cutaway::desktop
