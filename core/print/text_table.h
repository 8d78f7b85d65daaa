// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// Prints rows of cells in columns of equal width, for a terminal. A cell wider than its column's limit overflows
/// instead of widening the column. Widths are counted in code points.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        Align align = Align::Left;
        std::size_t maxWidth = 48;
    };

    explicit TextTable(std::vector<Column> columns);

    /// Adds a row, one cell per column; missing cells are empty.
    void addRow(std::vector<std::string> cells);
    bool empty() const { return m_rows.empty(); }

    /// The rows, each indented by `indent` spaces and ended by a newline; two spaces between columns, none at the end.
    std::string print(std::size_t indent) const;

private:
    std::vector<std::size_t> widths() const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace cutaway::print
