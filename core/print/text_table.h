// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// The longest line of a text report, in code points.
inline constexpr std::size_t maxLine = 120;

/// Returns the text, with "…" in place of its middle if it has more than `most` code points (at least 3).
std::string elided(std::string_view text, std::size_t most);

/// Breaks lines longer than maxLine; their rest continues in lines below that are indented further. A word that is
/// longer than a line is elided.
std::string fitted(std::string_view text);
/// Breaks a line as fitted() does, and puts `mark`, such as "# ", before each of the resulting lines.
std::string fittedAfter(std::string_view mark, std::string_view line);

/// Removes the backquotes that formulas have around names of sizes that are no identifiers.
std::string withoutBackquotes(std::string text);

/// Prints rows of cells in columns of equal width, for a terminal. A cell wider than its column's limit overflows
/// instead of widening the column. Where that makes a line longer than maxLine, prose continues below and other cells
/// are elided, the longest first. Widths are counted in code points.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        Align align = Align::Left;
        std::size_t maxWidth = 48;
        bool isProse = false; ///< whether long texts of the column may be wrapped
    };

    enum class Lines { Fitted, Whole };

    /// `lines`: whether lines longer than maxLine are broken, or stay whole for programs that read them.
    explicit TextTable(std::vector<Column> columns, Lines lines = Lines::Fitted);

    /// Adds a row, one cell per column; missing cells are empty.
    void addRow(std::vector<std::string> cells);
    bool empty() const { return m_rows.empty(); }

    /// Returns the rows, each indented by `indent` spaces and ended by a newline; two spaces between columns, none at
    /// the end.
    std::string print(std::size_t indent) const;

private:
    std::vector<std::size_t> widths() const;
    std::size_t lengthOf(const std::vector<std::string> &row, const std::vector<std::size_t> &width,
                         std::size_t indent) const;
    std::vector<std::string> wrapProse(std::vector<std::string> &row, const std::vector<std::size_t> &width,
                                       std::size_t indent) const;
    void elideCells(std::vector<std::string> &row, const std::vector<std::size_t> &width, std::size_t indent) const;

    std::vector<Column> m_columns;
    Lines m_lines;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace cutaway::print
