// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/source.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <filesystem>
#include <optional>

namespace cutaway::desktop {

/// A model that another program of the user asks a window to open.
struct Letter {
    Source source;
    QString compared{}; ///< a model to compare it with, or empty
    QString trace{};    ///< a run of it that was recorded, or empty
};

/// Reads {"open": PATH, "compare": PATH, "trace": PATH, "folder": PATH}. The folder is a temporary one that a model is
/// in, and goes with the source; another folder is left alone. Nothing: it is no such text.
std::optional<Letter> parseLetter(const QByteArray &text);

/// A folder of this window into which programs of the same user put letters, as cutaway.show() of Python does, so that
/// a model comes into a window that is open: FOLDER_OF_ALL/DISPLAY/PROCESS, see app/python/cutaway_window/letters.py.
/// The window holds a lock in it; a letter that was taken is removed.
class Letterbox : public QObject {
    Q_OBJECT

public:
    /// Where no folder can be made that is the user's alone, no letters come.
    explicit Letterbox(QObject *parent = nullptr);
    ~Letterbox() override;

    const std::filesystem::path &folder() const { return m_folder; } ///< empty if there is none

signals:
    void received(const cutaway::desktop::Letter &letter);

private:
    void take();

    std::filesystem::path m_folder;
    int m_lock = -1;
    QFileSystemWatcher m_watcher;
};

} // namespace cutaway::desktop
