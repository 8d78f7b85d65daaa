// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/csv.h"

#include "core/base/text.h"

#include <charconv>

namespace cutaway::print {

namespace {

bool isNumber(std::string_view text)
{
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    return fault == std::errc() && end == text.data() + text.size();
}

} // namespace

std::string csvCell(std::string_view text)
{
    std::string cell = sanitized(text);
    if (!cell.empty() && std::string_view("=+-@").contains(cell.front()) && !isNumber(cell))
        cell.insert(0, "'");
    if (cell.find_first_of(",;\"") == std::string::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted += c == '"' ? std::string(2, c) : std::string(1, c);
    return quoted + "\"";
}

std::string csvRow(std::span<const std::string> texts)
{
    std::string row;
    for (std::size_t i = 0; i < texts.size(); ++i)
        row += (i ? "," : "") + csvCell(texts[i]);
    return row + "\r\n";
}

} // namespace cutaway::print
