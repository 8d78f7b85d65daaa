// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/survey/database/connection.h"

#include <string>

namespace cutaway::survey {

/// Makes the tables in an empty database, and of one of an earlier version of the schema one of this version, whole or
/// not at all. Errors: Unreadable: it is none of a survey, or its version is not known here; Backend: it cannot be
/// written.
Result<void> makeCurrent(sqlite3 *connection, const std::string &program);

/// The connection itself, or one to a copy of it in memory that is of this version. Errors: as makeCurrent().
Result<Connection> asCurrent(Connection connection);

} // namespace cutaway::survey
