// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/csv.h"

#include "core/base/text.h"

namespace cutaway::print {

std::string csvCell(std::string_view text)
{
    std::string cell = sanitized(text);
    if (!cell.empty() && std::string_view("=+-@").contains(cell.front()))
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
