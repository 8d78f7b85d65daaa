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

/// A page is made from one source.
struct Source {
    QString path;      ///< a file, a folder, or the address of a step or a sequence in one: "run.log#0/1"
    QStringList row{}; ///< files in a row, which are read in place of `path`
    std::shared_ptr<const sequence::Sequence> sequence{}; ///< a sequence that was read already; `path` is its address
    std::shared_ptr<const TemporaryFolder> folder{}; ///< the folder that the file is in: it goes with the last page
    bool isFollowed = false;                         ///< it is read again whenever it has changed
};

/// Files in a row as one source; one of them alone as what it is.
Source rowOf(const QStringList &files);

/// Text from elsewhere as a file of this name. Errors: it cannot be written.
Result<Source> sourceOfText(const QString &name, const QByteArray &text);

/// The file or folder that an address begins with: "run.log" of "run.log#0/1"; the path itself if it is none.
QString fileOf(const QString &path);

} // namespace cutaway::desktop
