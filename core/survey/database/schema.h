// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/survey/database/connection.h"

#include <string>

namespace cutaway::survey {

/// Makes the tables in an empty database, and updates a database with an earlier version of the schema to this version,
/// whole or not at all. Errors: Unreadable: it is not that of a survey, or this program does not know its version;
/// Backend: it cannot be written.
Result<void> makeCurrent(sqlite3 *connection, const std::string &program);

/// Returns the connection itself, or one to a copy of the database in memory that has been updated to this version.
/// Errors: those of makeCurrent().
Result<Connection> asCurrent(Connection connection);

} // namespace cutaway::survey
