// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/database/statement.h"

#include "core/base/overloaded.h"

namespace cutaway::survey {

void Statement::bind(int index, const Parameter &parameter)
{
    sqlite3_stmt *statement = m_statement.get();
    m_code = std::visit(Overloaded{[&](std::nullptr_t) { return sqlite3_bind_null(statement, index); },
                                   [&](std::int64_t n) { return sqlite3_bind_int64(statement, index, n); },
                                   [&](double x) { return sqlite3_bind_double(statement, index, x); },
                                   [&](const std::string &text) {
                                       return sqlite3_bind_text64(statement, index, text.data(), text.size(),
                                                                  SQLITE_TRANSIENT, SQLITE_UTF8);
                                   }},
                        parameter);
}

} // namespace cutaway::survey
