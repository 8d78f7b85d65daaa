// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cutaway::trace {

namespace {

constexpr std::string_view space = " \t\r\n";

/// The closing quote of a string that is opened at `at`; npos where the text ends before it shows.
std::size_t closingQuote(std::string_view text, std::size_t at)
{
    while ((at = text.find_first_of("\"\\", at + 1)) != std::string_view::npos) {
        if (text[at] == '\\') {
            ++at;
            continue;
        }
        const std::size_t next = text.find_first_not_of(space, at + 1);
        if (next == std::string_view::npos || std::string_view(",:}]").contains(text[next]))
            return next == std::string_view::npos ? next : at;
    }
    return at;
}

} // namespace

std::size_t skipSpace(std::string_view text, std::size_t at)
{
    return std::min(text.find_first_not_of(space, at), text.size());
}

std::size_t valueEnd(std::string_view text, std::size_t at)
{
    std::size_t depth = 0;
    for (at = skipSpace(text, at); at < text.size();) {
        const char c = text[at];
        if (c == '"') {
            at = closingQuote(text, at);
            if (at == std::string_view::npos)
                return at;
            ++at;
        } else if (c == '{' || c == '[') {
            ++depth;
            ++at;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
            ++at;
        } else if (depth > 0) {
            at = std::min(text.find_first_of("\"{}[]", at), text.size());
        } else { // a number or a word
            return text.find_first_of(",:}] \t\r\n", at);
        }
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
