// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <memory>
#include <optional>
#include <sqlite3.h>
#include <variant>
#include <vector>

namespace cutaway::survey {

/// Returns the error that SQLite reports: Unreadable if the file is no database, else Backend.
inline std::unexpected<Error> failure(sqlite3 *connection)
{
    const int code = sqlite3_errcode(connection);
    const std::string message = sqlite3_errmsg(connection);
    const bool isNone = code == SQLITE_NOTADB || code == SQLITE_CANTOPEN || code == SQLITE_CORRUPT;
    return isNone ? unreadable("the survey cannot be opened: " + message)
                  : backendError("the survey cannot be read or written: " + message);
}

using Parameter = std::variant<std::nullptr_t, std::int64_t, double, std::string>;

inline Parameter orNull(const std::optional<std::int64_t> &value)
{
    return value ? Parameter(*value) : Parameter(nullptr);
}
inline Parameter orNull(const std::optional<double> &value) { return value ? Parameter(*value) : Parameter(nullptr); }

/// A prepared statement with its parameters.
class Statement {
public:
    Statement(sqlite3 *connection, const char *text, const std::vector<Parameter> &parameters = {})
        : m_connection(connection)
    {
        sqlite3_stmt *made = nullptr;
        m_code = sqlite3_prepare_v2(connection, text, -1, &made, nullptr);
        m_statement.reset(made);
        for (std::size_t i = 0; m_code == SQLITE_OK && i < parameters.size(); ++i)
            bind(static_cast<int>(i + 1), parameters[i]);
    }

    /// Moves to the next row. Returns whether there is one. Errors: those of failure().
    Result<bool> next()
    {
        if (m_code == SQLITE_OK)
            m_code = sqlite3_step(m_statement.get());
        if (m_code == SQLITE_ROW) {
            m_code = SQLITE_OK;
            return true;
        }
        return m_code == SQLITE_DONE ? Result<bool>(false) : failure(m_connection);
    }

    /// Executes a statement without results. Errors: those of failure().
    Result<void> run()
    {
        CUTAWAY_RETURN_IF_ERROR(next());
        return {};
    }

    std::string text(int column) const
    {
        const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_statement.get(), column));
        return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column)))
                     : std::string();
    }
    double real(int column) const { return sqlite3_column_double(m_statement.get(), column); }
    std::int64_t number(int column) const { return sqlite3_column_int64(m_statement.get(), column); }
    bool isNull(int column) const { return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL; }
    std::optional<std::int64_t> known(int column) const
    {
        return isNull(column) ? std::nullopt : std::optional(number(column));
    }
    std::optional<double> knownReal(int column) const
    {
        return isNull(column) ? std::nullopt : std::optional(real(column));
    }

private:
    void bind(int index, const Parameter &parameter);

    struct Finalize {
        void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
    };
    sqlite3 *m_connection;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    int m_code = SQLITE_OK;
};

} // namespace cutaway::survey
