// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <QString>
#include <QStringList>
#include <memory>

namespace cutaway {
class TemporaryFolder;
}

namespace cutaway::desktop {

/// The file, folder or text that a page is made from.
struct Source {
    QString path;      ///< a file, a folder, or the address of a step or a sequence in one: "run.log#0/1"
    QStringList row{}; ///< files in a row that are read in place of `path`
    /// The sequence with the address `path`, if it was read already.
    std::shared_ptr<const sequence::Sequence> sequence{};
    /// The temporary folder with the file, which is deleted with the last page of the file; null if there is none.
    std::shared_ptr<const TemporaryFolder> folder{};
    bool isFollowed = false; ///< whether the file is read again whenever it changes
};

/// Returns a source for files in a row, or for the file if it is only one.
Source rowOf(const QStringList &files);

/// Writes text to a temporary file of this name, and returns its source. Errors: the file cannot be written.
Result<Source> sourceOfText(const QString &name, const QByteArray &text);

/// Returns the file or folder that an address begins with: "run.log" for "run.log#0/1"; other paths as they are.
QString fileOf(const QString &path);

} // namespace cutaway::desktop
