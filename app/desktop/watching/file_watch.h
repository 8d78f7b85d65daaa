// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>

namespace cutaway::desktop {

/// Tells what becomes of files while they are open.
class FileWatch : public QObject {
    Q_OBJECT

public:
    enum class State : std::uint8_t {
        Same,    ///< again, after it was another
        Changed, ///< written to, or replaced by another file
        Gone,
    };

    explicit FileWatch(QObject *parent = nullptr);

    /// Watches a file from now on, compared with its present state.
    void watch(const QString &path);
    void forget(const QString &path);

signals:
    /// Sent once for each new state, when the file has been left alone for a moment.
    void seen(const QString &path, cutaway::desktop::FileWatch::State state);

private:
    /// A file with another content has another stamp, unless somebody takes pains to keep it.
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
    QTimer m_pause; ///< a large file is written for a while
};

} // namespace cutaway::desktop
