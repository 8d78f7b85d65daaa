// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/database/schema.h"

#include "core/survey/database/database.h"
#include "core/survey/database/transaction.h"

#include <array>

namespace cutaway::survey {

namespace {

constexpr const char *schema =
#include "core/survey/database/schema.inc"
    ;

/// Returns the version of the schema. Errors: it is no survey's; this program does not know the version.
Result<int> schemaOf(sqlite3 *connection)
{
    Statement query(connection, "SELECT value FROM survey WHERE key = 'schema'");
    const Result<bool> found = query.next();
    if (!found && sqlite3_errcode(connection) == SQLITE_ERROR)
        return unreadable("the database is none of a survey");
    CUTAWAY_RETURN_IF_ERROR(found);
    const std::string version = *found ? query.text(0) : "none";
    for (int known = 1; known <= schemaVersion; ++known)
        if (version == std::to_string(known))
            return known;
    return unreadable("the survey has version " + version + " of the schema, and this program reads versions 1 to "
                      + std::to_string(schemaVersion));
}

/// The statements that change a database of each version of the schema to the next version.
constexpr std::array migrations{
    // Version 1 kept only the operators of the main graph. A record does not show that others are missing, so models
    // with several functions are surveyed again.
    "UPDATE models SET program = '' WHERE id IN (SELECT model FROM functions GROUP BY model HAVING count(*) > 1)"};
static_assert(migrations.size() + 1 == schemaVersion);

Result<void> migrate(sqlite3 *connection)
{
    Transaction transaction(connection);
    CUTAWAY_RETURN_IF_ERROR(transaction.begin());
    CUTAWAY_TRY(const int version, schemaOf(connection)); // another survey may have updated it meanwhile
    for (auto from = static_cast<std::size_t>(version); from < schemaVersion; ++from)
        CUTAWAY_RETURN_IF_ERROR(execute(connection, migrations[from - 1]));
    CUTAWAY_RETURN_IF_ERROR(execute(connection, schema));
    CUTAWAY_RETURN_IF_ERROR(
        Statement(connection, "UPDATE survey SET value = ? WHERE key = 'schema'", {std::to_string(schemaVersion)})
            .run());
    return transaction.commit();
}

Result<bool> isEmpty(sqlite3 *connection)
{
    Statement query(connection, "SELECT 1 FROM sqlite_schema LIMIT 1");
    const Result<bool> found = query.next();
    return found ? Result<bool>(!*found) : found;
}

Result<void> makeSchema(sqlite3 *connection, const std::string &program)
{
    Transaction transaction(connection);
    CUTAWAY_RETURN_IF_ERROR(transaction.begin());
    CUTAWAY_TRY(const bool empty, isEmpty(connection)); // another survey may have created it meanwhile
    if (!empty)
        return transaction.commit();
    CUTAWAY_RETURN_IF_ERROR(execute(connection, schema));
    for (const auto &[key, value] : {std::pair("schema", std::to_string(schemaVersion)), std::pair("program", program)})
        if (const Result<void> put =
                Statement(connection, "INSERT INTO survey VALUES (?, ?)", {std::string(key), value}).run();
            !put)
            return put;
    return transaction.commit();
}

/// Copies a database into memory.
Result<Connection> copyOf(sqlite3 *original)
{
    sqlite3 *opened = nullptr;
    const int code = sqlite3_open(":memory:", &opened);
    Connection copy(opened);
    if (code != SQLITE_OK)
        return failure(opened);
    sqlite3_backup *copying = sqlite3_backup_init(opened, "main", original, "main");
    if (!copying)
        return failure(opened);
    sqlite3_backup_step(copying, -1);
    if (sqlite3_backup_finish(copying) != SQLITE_OK)
        return failure(opened);
    return copy;
}

} // namespace

Result<void> makeCurrent(sqlite3 *connection, const std::string &program)
{
    CUTAWAY_TRY(const bool empty, isEmpty(connection));
    CUTAWAY_RETURN_IF_ERROR(empty ? makeSchema(connection, program) : Result<void>());
    CUTAWAY_TRY(const int version, schemaOf(connection));
    // An earlier program may have made only some of the tables of this version.
    return version < schemaVersion ? migrate(connection) : execute(connection, schema);
}

Result<Connection> asCurrent(Connection connection)
{
    CUTAWAY_TRY(const int version, schemaOf(connection.get()));
    if (version == schemaVersion)
        return connection;
    auto copy = copyOf(connection.get());
    if (!copy)
        return copy;
    CUTAWAY_RETURN_IF_ERROR(migrate(copy->get()));
    return copy;
}

} // namespace cutaway::survey
