// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/saved_session.h"

#include <QString>

namespace cutaway::desktop {

/// Reads a saved session whose files may have moved with it: it names them by the paths where they are. What it
/// compares with, its node data and what stood beside it keep their names if they are nowhere. Errors: the session
/// cannot be read, or its model is nowhere.
Result<SavedSession> readLocatedSession(const QString &path);

} // namespace cutaway::desktop
