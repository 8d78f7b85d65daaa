// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/database/statement.h"

namespace cutaway::survey {

/// Executes statements without results. Errors: those of failure().
inline Result<void> execute(sqlite3 *connection, const char *text)
{
    return sqlite3_exec(connection, text, nullptr, nullptr, nullptr) == SQLITE_OK ? Result<void>()
                                                                                  : failure(connection);
}

/// A transaction that is rolled back by the destructor unless it was committed.
class Transaction {
public:
    explicit Transaction(sqlite3 *connection) : m_connection(connection) { }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    ~Transaction()
    {
        if (m_isOpen)
            sqlite3_exec(m_connection, "ROLLBACK", nullptr, nullptr, nullptr);
    }

    /// Begins the transaction. Errors: those of failure().
    Result<void> begin()
    {
        const Result<void> begun = execute(m_connection, "BEGIN IMMEDIATE");
        m_isOpen = begun.has_value();
        return begun;
    }
    /// Commits the transaction. Errors: those of failure(); then nothing is committed.
    Result<void> commit()
    {
        const Result<void> done = execute(m_connection, "COMMIT");
        m_isOpen = !done;
        return done;
    }

private:
    sqlite3 *m_connection;
    bool m_isOpen = false;
};

} // namespace cutaway::survey
