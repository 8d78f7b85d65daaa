// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/source_folders.h"

namespace cutaway::views {

void SourceFolders::setPaths(const QStringList &paths)
{
    if (paths == m_paths)
        return;
    m_paths = paths;
    emit changed();
}

} // namespace cutaway::views
