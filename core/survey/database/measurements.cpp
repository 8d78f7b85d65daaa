// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "core/survey/database/database.h"
#include "core/survey/database/transaction.h"

namespace cutaway::survey {

namespace {

/// Returns the id of a model; 0 if it is not in the database, or was not read.
Result<std::int64_t> idOf(sqlite3 *connection, const FileVersion &file)
{
    Statement model(connection,
                    "SELECT id FROM models WHERE path = ? AND bytes = ? AND modified = ? AND state = 'read'",
                    {file.path, file.bytes, file.modified});
    CUTAWAY_TRY(const bool found, model.next());
    return found ? model.number(0) : 0;
}

} // namespace

Result<bool> Database::lacksMeasurement(const FileVersion &file, const Request &request, const std::string &machine,
                                        bool again) const
{
    CUTAWAY_TRY(const std::int64_t id, idOf(m_connection.get(), file));
    if (id == 0 || again)
        return id != 0;
    Statement known(m_connection.get(),
                    "SELECT state FROM profiles WHERE model = ? AND request = ? AND machine = ? AND backend = ?",
                    {id, request.name(), machine, std::get<Profile>(request.asked).backend});
    const Result<bool> found = known.next();
    if (!found)
        return found;
    const auto state = *found ? measurementStateOf(known.text(0)) : std::nullopt;
    return !state || !Measurement{.state = *state}.isFinal();
}

Result<void> Database::put(const FileVersion &file, const Measurement &measurement)
{
    sqlite3 *connection = m_connection.get();
    Transaction transaction(connection);
    CUTAWAY_RETURN_IF_ERROR(transaction.begin());
    CUTAWAY_TRY(const std::int64_t id, idOf(connection, file));
    if (id == 0)
        return {};
    const Measurement &m = measurement;
    CUTAWAY_RETURN_IF_ERROR(
        Statement(connection, "INSERT OR REPLACE INTO profiles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  {id, m.request, m.machine, m.backend, m.processor, std::string(name(m.state)), m.message,
                   orNull(m.seconds), orNull(m.p5), orNull(m.p95), m.runs, orNull(m.peakBytes), orNull(m.predicted)})
            .run());
    return transaction.commit();
}

} // namespace cutaway::survey
