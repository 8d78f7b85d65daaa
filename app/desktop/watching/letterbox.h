// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/source.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <filesystem>
#include <optional>

namespace cutaway::desktop {

/// The request of another program of the user to open a model.
struct Letter {
    Source source;
    QString compared{}; ///< a model to compare the opened one with, or empty
    QString trace{};    ///< the file of a recorded run of the model, or empty
};

/// Parses {"open": PATH, "compare": PATH, "trace": PATH, "folder": PATH}; nothing for any other text. The folder is a
/// temporary one with the model, which is removed with the source; another folder is left alone.
std::optional<Letter> parseLetter(const QByteArray &text);

/// A folder of this window into which programs of the same user put letters, so that a model is shown in a window that
/// is open; cutaway.show() of Python does so. Its path is FOLDER_OF_ALL/DISPLAY/PROCESS, see
/// app/python/cutaway_window/letters.py. The window holds a lock in the folder, and removes each letter that it takes.
class Letterbox : public QObject {
    Q_OBJECT

public:
    /// Makes the folder. If no folder can be made that only the user can access, no letters are received.
    explicit Letterbox(QObject *parent = nullptr);
    ~Letterbox() override;

    const std::filesystem::path &folder() const { return m_folder; } ///< empty if it could not be made

signals:
    void received(const cutaway::desktop::Letter &letter);

private:
    void take();

    std::filesystem::path m_folder;
    int m_lock = -1;
    QFileSystemWatcher m_watcher;
};

} // namespace cutaway::desktop
