// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::node_data {

struct CsvLine {
    std::size_t number = 1; ///< the number of the row's first line in the file, from 1
    std::vector<std::string> fields;
};

/// Reads the lines of comma-separated values (RFC 4180), without empty lines; lines may end in LF or CRLF. Errors
/// (Unreadable), with the line: a quote that is not closed, or one within a field that does not begin with a quote.
Result<std::vector<CsvLine>> parseCsv(std::string_view text);

} // namespace cutaway::node_data
