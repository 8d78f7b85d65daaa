// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/json_entries.h"

#include "core/trace/limits.h"
#include "core/trace/read/json_text.h"

#include <algorithm>

namespace cutaway::trace {

JsonEntries::Next JsonEntries::next()
{
    for (std::size_t blanks = 0;;) {
        const std::string_view ahead = m_file.ahead(1);
        std::size_t at = skipSpace(ahead, 0);
        while (at < ahead.size() && ahead[at] == ',')
            at = skipSpace(ahead, at + 1);
        m_file.skip(at);
        blanks += at;
        m_isValueTooLong |= blanks > limits::maxValue;
        if (m_isValueTooLong)
            return Next::Cut;
        if (at < ahead.size())
            return ahead[at] == ']' || ahead[at] == '}' ? Next::End : Next::Value;
        if (ahead.empty())
            return Next::Cut;
    }
}

std::optional<std::string_view> JsonEntries::value()
{
    for (std::size_t size = 1u << 16; size <= limits::maxValue; size *= 4) {
        const std::string_view ahead = m_file.ahead(size);
        std::size_t end = valueEnd(ahead, 0);
        if (end != std::string_view::npos) {
            end = std::max<std::size_t>(end, 1); // a character with which no value begins is skipped
            m_file.skip(end);
            return ahead.substr(0, end);
        }
        if (ahead.size() < size)
            return std::nullopt;
    }
    m_isValueTooLong = true;
    return std::nullopt;
}

bool JsonEntries::skipContainer()
{
    m_file.skip(1);
    Next at = Next::Value;
    while ((at = next()) == Next::Value) {
        if (m_file.ahead(1).starts_with(':'))
            m_file.skip(1);
        if (!value())
            return false;
    }
    m_file.skip(at == Next::End ? 1 : 0);
    return at == Next::End;
}

} // namespace cutaway::trace
