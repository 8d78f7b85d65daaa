// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace cutaway::report {

namespace {

using Texts = std::vector<std::string>;

std::size_t width(std::string_view cellText)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(cellText, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Returns a text with all Markdown escaped.
std::string plain(std::string_view cellText)
{
    std::string out;
    const auto isInWord = [&](std::size_t i) {
        const auto isWord = [&](std::size_t k) {
            return k < cellText.size() && std::isalnum(static_cast<unsigned char>(cellText[k]));
        };
        return cellText[i] == '_' && isWord(i - 1) && isWord(i + 1);
    };
    for (std::size_t i = 0; i < cellText.size(); ++i) {
        if (std::string_view("\\`*_[]<>|~&").contains(cellText[i]) && !isInWord(i))
            out += '\\';
        out += cellText[i];
    }
    return out;
}

/// Returns a name as a code span.
std::string code(std::string_view cellText)
{
    if (cellText.empty())
        return {};
    std::size_t longest = 0, run = 0;
    for (const char c : cellText) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    const std::string space(cellText.front() == '`' || cellText.back() == '`' ? " " : "");
    return fence + space + std::string(cellText) + space + fence;
}

std::string padded(const std::string &cellText, std::size_t wanted, bool right)
{
    const std::string space(wanted - std::min(wanted, width(cellText)), ' ');
    return right ? space + cellText : cellText + space;
}

/// Returns a code span for a table, where only the bar between cells needs escaping.
std::string cellCode(const std::string &cellText)
{
    std::string out;
    for (const char c : code(cellText))
        out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

/// Returns a figure. A formula becomes a code span, since its asterisks would mark emphasis.
std::string figureText(const std::string &cellText)
{
    const std::string escaped = plain(cellText);
    return escaped == cellText ? cellText : cellCode(cellText);
}

/// A table as texts: the titles, and the rows. A column of exact values follows its rounded column.
struct Grid {
    std::vector<bool> isNumber; ///< by column
    std::vector<Texts> rows;
};

bool hasExact(const Table &table, std::size_t column)
{
    return !table.columns[column].exactTitle.empty()
        && std::ranges::any_of(table.rows, [&](const auto &row) { return !row[column].exact.empty(); });
}

std::string cellText(Column::Kind kind, const std::string &cell)
{
    return kind == Column::Kind::Name ? cellCode(cell) : kind == Column::Kind::Number ? figureText(cell) : plain(cell);
}

Texts texts(const Table &table, const std::vector<Cell> &row, const std::vector<bool> &exact)
{
    Texts cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
        std::string indent;
        for (int k = 0; k < row[i].depth; ++k)
            indent += "· ";
        const std::string text = cellText(table.columns[i].kind, row[i].text);
        cells.push_back(indent + (row[i].link.empty() ? text : formatted("[{}](<{}>)", text, row[i].link)));
        if (exact[i])
            cells.push_back(figureText(row[i].exact));
    }
    return cells;
}

/// Returns the rows that are shown: of a tree the upper levels, as far as there is room; else the first rows.
std::vector<std::size_t> briefRows(const Table &table)
{
    std::vector<std::size_t> shown;
    const auto take = [&](int depth) {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            if (table.rows[i][0].depth <= depth)
                rows.push_back(i);
        return rows;
    };
    int deepest = 0;
    for (const auto &row : table.rows)
        deepest = std::max(deepest, row[0].depth);
    for (int depth = 0; depth <= deepest; ++depth) {
        auto rows = take(depth);
        if (rows.size() > table.briefRows && !shown.empty())
            break;
        shown = std::move(rows);
    }
    shown.resize(std::min(shown.size(), table.briefRows));
    return shown;
}

Grid grid(const Table &table)
{
    Grid grid;
    std::vector<bool> exact;
    Texts titles;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        exact.push_back(hasExact(table, i));
        for (int k = 0; k <= exact[i]; ++k) {
            titles.push_back(plain(k == 0 ? table.columns[i].title : table.columns[i].exactTitle));
            grid.isNumber.push_back(table.columns[i].kind == Column::Kind::Number);
        }
    }
    grid.rows.push_back(std::move(titles));
    for (const std::size_t i : briefRows(table))
        grid.rows.push_back(texts(table, table.rows[i], exact));
    return grid;
}

std::string gridLine(const Grid &grid, const Texts &cells, const std::vector<std::size_t> &widths)
{
    std::string cellText = "|";
    for (std::size_t i = 0; i < cells.size(); ++i)
        cellText += " " + padded(cells[i], widths[i], grid.isNumber[i]) + " |";
    return cellText + "\n";
}

std::string print(const Grid &grid)
{
    std::vector<std::size_t> widths(grid.isNumber.size(), 3);
    for (const Texts &row : grid.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], std::min<std::size_t>(width(row[i]), 60));
    std::string cellText = gridLine(grid, grid.rows.front(), widths) + "|";
    for (std::size_t i = 0; i < widths.size(); ++i)
        cellText +=
            (grid.isNumber[i] ? " " : " :") + std::string(widths[i] - 1, '-') + (grid.isNumber[i] ? ": |" : " |");
    cellText += "\n";
    for (std::size_t i = 1; i < grid.rows.size(); ++i)
        cellText += gridLine(grid, grid.rows[i], widths);
    return cellText;
}

std::string print(const Table &table)
{
    std::string cellText = table.title.empty() ? "" : "### " + plain(table.title) + "\n\n";
    const Grid shown = grid(table);
    const std::size_t all = table.rows.size() + table.leftOut;
    cellText += print(shown);
    if (all > shown.rows.size() - 1)
        cellText += "\n… and " + grouped(static_cast<long long>(all + 1 - shown.rows.size())) + " more\n";
    return cellText + "\n";
}

std::string print(const Section &section)
{
    std::string cellText;
    for (const std::string &note : section.notes)
        cellText += plain(note) + "\n\n";
    for (const Plot &plot : section.plots)
        if (!plot.text.empty())
            cellText += "```text\n" + plot.text + "\n```\n\n";
    for (const Picture &picture : section.pictures)
        cellText += "![" + plain(section.title) + "](" + picture.file + ")\n\n";
    for (const Table &table : section.tables)
        if (table.briefRows > 0)
            cellText += print(table);
    return cellText.empty() ? "" : "## " + plain(section.title) + "\n\n" + cellText;
}

} // namespace

std::string markdownTable(const Table &table) { return print(table); }

std::string markdownName(std::string_view name) { return code(name); }

std::string markdown(const Document &document)
{
    std::string cellText = "# " + code(document.title) + "\n\n" + plain(document.subtitle) + "\n\n";
    for (const Section &section : document.sections)
        cellText += print(section);
    cellText.pop_back();
    return cellText;
}

} // namespace cutaway::report
