// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

struct sqlite3;

namespace cutaway::survey {

struct CloseConnection {
    void operator()(sqlite3 *connection) const;
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;

} // namespace cutaway::survey
