// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/text_table.h"

#include <algorithm>
#include <cassert>

namespace cutaway::print {

namespace {

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The width that a cell gives its column; a cell that is too wide does not count.
std::size_t room(const std::string &cell, std::size_t maxWidth)
{
    const std::size_t n = codePoints(cell);
    return n <= maxWidth ? n : 1;
}

std::string aligned(const std::string &cell, std::size_t width, TextTable::Align align)
{
    const std::size_t used = codePoints(cell);
    const std::string space(width > used ? width - used : 0, ' ');
    return align == TextTable::Align::Right ? space + cell : cell + space;
}

} // namespace

TextTable::TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) { }

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() <= m_columns.size());
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::string TextTable::print(std::size_t indent) const
{
    const std::vector<std::size_t> width = widths();
    std::string text;
    for (const auto &row : m_rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i)
            if (width[i] > 0)
                line += aligned(row[i], width[i], m_columns[i].align) + "  ";
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::vector<std::size_t> TextTable::widths() const
{
    std::vector<std::size_t> width(m_columns.size());
    for (const auto &row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            width[i] = std::max(width[i], room(row[i], m_columns[i].maxWidth));
    return width;
}

} // namespace cutaway::print
