// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace cutaway::views {

/// The folders below which source files that a model names may be read; none unless the user names some.
class SourceFolders : public QObject {
    Q_OBJECT

public:
    const QStringList &paths() const { return m_paths; }
    void setPaths(const QStringList &paths);

signals:
    void changed();

private:
    QStringList m_paths;
};

} // namespace cutaway::views
