// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::node_data {

/// A number, a text, or nothing.
using Cell = std::variant<std::monostate, double, std::string>;
/// Prints "0.25", "encoder", or "".
std::string print(const Cell &cell);

/// A user's table about the nodes of a model, as its file has it.
struct Table {
    struct Row {
        std::string node;
        std::vector<Cell> cells; ///< one for each column
    };
    std::vector<std::string> columns;
    std::vector<Row> rows;
};

/// Parses CSV, whose first line names the columns, or JSON in one of the forms that docs/node-data.md lists. Errors
/// (Unreadable): text that is neither CSV nor JSON, with the line; no column of nodes; a value that is neither a number
/// nor a text.
Result<Table> parseTable(std::string_view text);

/// Reads and parses a file. Errors: those of parseTable(); the file cannot be read.
Result<Table> readTable(const std::filesystem::path &path);

} // namespace cutaway::node_data
