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

/// Returns the width that a cell gives its column: 1 if the cell is wider than the limit.
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

/// Returns the number of bytes of the first `count` code points.
std::size_t bytesOf(std::string_view text, std::size_t count)
{
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && count-- == 0)
            break;
    return at;
}

/// Breaks a text at blanks into lines of at most `further` code points, the first of at most `first`.
std::vector<std::string> linesOf(std::string_view text, std::size_t first, std::size_t further)
{
    std::vector<std::string> lines(1);
    std::size_t room = first;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = elided(text.substr(at, end - at), std::max<std::size_t>(further, 3));
        const std::size_t needed = codePoints(lines.back()) + (lines.back().empty() ? 0 : 1) + codePoints(word);
        if (needed > room && !lines.back().empty()) {
            lines.emplace_back();
            room = further;
        }
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        at = end + 1;
    }
    return lines;
}

} // namespace

std::string elided(std::string_view text, std::size_t most)
{
    const std::size_t count = codePoints(text);
    if (count <= most)
        return std::string(text);
    const std::size_t behind = (most - 1) / 2, before = most - 1 - behind;
    return std::string(text.substr(0, bytesOf(text, before))) + "…"
        + std::string(text.substr(bytesOf(text, count - behind)));
}

std::string fitted(std::string_view text)
{
    constexpr std::size_t further = 4;
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const bool isEnded = end < text.size();
        text.remove_prefix(end + (isEnded ? 1 : 0));
        if (codePoints(line) <= maxLine) {
            out.append(line).append(isEnded ? "\n" : "");
            continue;
        }
        const std::size_t indent = std::min(line.find_first_not_of(' '), maxLine / 2);
        const auto lines = linesOf(line.substr(indent), maxLine - indent, maxLine - indent - further);
        for (std::size_t i = 0; i < lines.size(); ++i)
            out.append(i == 0 ? "" : "\n").append(indent + (i == 0 ? 0 : further), ' ').append(lines[i]);
        out.append(isEnded ? "\n" : "");
    }
    return out;
}

std::string fittedAfter(std::string_view mark, std::string_view line)
{
    constexpr std::size_t further = 4;
    if (codePoints(mark) + codePoints(line) <= maxLine)
        return std::string(mark) + std::string(line);
    const std::size_t indent = std::min(line.find_first_not_of(' '), maxLine / 2),
                      room = maxLine - codePoints(mark) - indent;
    std::string out;
    for (const std::string &each : linesOf(line.substr(indent), room, room - further)) {
        const bool isFirst = out.empty();
        out.append(isFirst ? "" : "\n").append(mark).append(indent + (isFirst ? 0 : further), ' ').append(each);
    }
    return out;
}

std::string withoutBackquotes(std::string text)
{
    std::erase(text, '`');
    return text;
}

TextTable::TextTable(std::vector<Column> columns, Lines lines) : m_columns(std::move(columns)), m_lines(lines) { }

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() <= m_columns.size());
    cells.resize(m_columns.size());
    if (m_lines == Lines::Fitted)
        std::ranges::transform(cells, cells.begin(), withoutBackquotes);
    m_rows.push_back(std::move(cells));
}

std::string TextTable::print(std::size_t indent) const
{
    const std::vector<std::size_t> width = widths();
    std::string text;
    for (std::vector<std::string> row : m_rows) {
        std::vector<std::string> below;
        if (m_lines == Lines::Fitted) {
            below = wrapProse(row, width, indent);
            elideCells(row, width, indent);
        }
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i)
            if (width[i] > 0)
                line += aligned(row[i], width[i], m_columns[i].align) + "  ";
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        for (const std::string &more : below)
            text += more + "\n";
    }
    return text;
}

std::size_t TextTable::lengthOf(const std::vector<std::string> &row, const std::vector<std::size_t> &width,
                                std::size_t indent) const
{
    std::size_t start = indent, end = indent;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (width[i] > 0) {
            const std::size_t own = codePoints(row[i]), taken = std::max(width[i], own);
            if (own > 0)
                end = start + (m_columns[i].align == Align::Left ? own : taken);
            start += taken + 2;
        }
    return end;
}

/// Shortens the first long cell of prose in a row to one line if the row is too long. Returns the cell's other lines,
/// which go below the row.
std::vector<std::string> TextTable::wrapProse(std::vector<std::string> &row, const std::vector<std::size_t> &width,
                                              std::size_t indent) const
{
    constexpr std::size_t least = 48;
    const std::size_t length = lengthOf(row, width, indent);
    std::size_t start = indent;
    for (std::size_t i = 0; length > maxLine && i < row.size(); ++i) {
        const std::size_t own = codePoints(row[i]);
        if (m_columns[i].isProse && own > least) {
            const std::size_t room = std::max(least, own - std::min(own, length - maxLine));
            std::vector<std::string> lines = linesOf(row[i], room, room);
            row[i] = lines.front();
            lines.erase(lines.begin());
            for (std::string &line : lines)
                line.insert(0, start, ' ');
            return lines;
        }
        start += width[i] > 0 ? std::max(width[i], own) + 2 : 0;
    }
    return {};
}

void TextTable::elideCells(std::vector<std::string> &row, const std::vector<std::size_t> &width,
                           std::size_t indent) const
{
    constexpr std::size_t least = 24;
    for (std::size_t length = lengthOf(row, width, indent); length > maxLine; length = lengthOf(row, width, indent)) {
        std::string *longest = nullptr;
        for (std::string &cell : row)
            if (codePoints(cell) > (longest ? codePoints(*longest) : least))
                longest = &cell;
        if (!longest)
            return;
        const std::size_t own = codePoints(*longest);
        *longest = elided(*longest, std::max(least, own - std::min(own, length - maxLine)));
    }
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
