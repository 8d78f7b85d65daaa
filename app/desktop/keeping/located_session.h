// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"

#include <QString>

namespace cutaway::desktop {

/// Reads a saved session, and replaces the names of its files by the paths where they exist, since they may have been
/// moved together with the session. The compared model, the node data, the traces and the sessions beside it keep their
/// names if they do not exist. Errors: the session cannot be read, or its model does not exist.
Result<SavedSession> readLocatedSession(const QString &path);

} // namespace cutaway::desktop
