// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/json_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace cutaway::trace {

namespace {

/// The meaning of a character outside of strings. Traces have gigabytes, so texts are scanned with a table of these.
enum class Mark : std::uint8_t { Other, Space, Open, Close, Quote, End };

constexpr std::array<Mark, 256> markTable = [] {
    std::array<Mark, 256> table{};
    for (const char c : {' ', '\t', '\r', '\n'})
        table[static_cast<unsigned char>(c)] = Mark::Space;
    table['{'] = table['['] = Mark::Open;
    table['}'] = table[']'] = Mark::Close;
    table[','] = table[':'] = Mark::End;
    table['"'] = Mark::Quote;
    return table;
}();

Mark markOf(char c) { return markTable[static_cast<unsigned char>(c)]; }

/// Returns the position of a string's closing quote; npos if the text ends before that is certain.
std::size_t closingQuote(std::string_view text, std::size_t at)
{
    while (++at < text.size()) {
        if (text[at] == '\\') {
            ++at;
            continue;
        }
        if (text[at] != '"')
            continue;
        const std::size_t next = skipSpace(text, at + 1);
        if (next >= text.size())
            break;
        if (const Mark mark = markOf(text[next]); mark == Mark::End || mark == Mark::Close)
            return at;
    }
    return std::string_view::npos;
}

/// Returns the position after a number or a word; npos if the text ends in it.
std::size_t wordEnd(std::string_view text, std::size_t at)
{
    for (; at < text.size(); ++at)
        if (const Mark mark = markOf(text[at]); mark == Mark::Space || mark == Mark::End || mark == Mark::Close)
            return at;
    return std::string_view::npos;
}

} // namespace

std::size_t skipSpace(std::string_view text, std::size_t at)
{
    while (at < text.size() && markOf(text[at]) == Mark::Space)
        ++at;
    return std::min(at, text.size());
}

std::size_t valueEnd(std::string_view text, std::size_t at)
{
    std::size_t depth = 0;
    for (at = skipSpace(text, at); at < text.size();) {
        switch (markOf(text[at])) {
        case Mark::Quote:
            at = closingQuote(text, at);
            if (at == std::string_view::npos)
                return at;
            break;
        case Mark::Open:
            ++depth;
            break;
        case Mark::Close:
            depth -= depth > 0 ? 1 : 0;
            break;
        default:
            if (depth == 0)
                return wordEnd(text, at);
            ++at;
            continue;
        }
        ++at;
        if (depth == 0)
            return at;
    }
    return std::string_view::npos;
}

bool Members::next()
{
    m_at = skipSpace(m_text, m_at);
    if (m_at < m_text.size() && m_text[m_at] == ',')
        m_at = skipSpace(m_text, m_at + 1);
    if (isAtEnd())
        return false;
    if (m_isObject) {
        const std::size_t end = valueEnd(m_text, m_at);
        if (m_text[m_at] != '"' || end == std::string_view::npos)
            return false;
        m_key = m_text.substr(m_at + 1, end - m_at - 2);
        m_at = skipSpace(m_text, end);
        if (m_at >= m_text.size() || m_text[m_at] != ':')
            return false;
        m_at = skipSpace(m_text, m_at + 1);
    }
    const std::size_t end = valueEnd(m_text, m_at);
    if (end == std::string_view::npos || end == m_at)
        return false;
    m_value = m_text.substr(m_at, end - m_at);
    m_at = end;
    return true;
}

std::string plainText(std::string_view value)
{
    if (!value.starts_with('"') || value.size() < 2)
        return std::string(value);
    if (value.contains('\\'))
        if (const auto json = nlohmann::json::parse(value, nullptr, false); json.is_string())
            return json.get<std::string>();
    return std::string(value.substr(1, value.size() - 2));
}

} // namespace cutaway::trace
