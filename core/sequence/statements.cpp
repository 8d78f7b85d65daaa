// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/statements.h"

namespace cutaway::sequence {

namespace {

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

} // namespace

std::size_t Statements::take(std::string_view line, std::size_t at)
{
    const char c = line[at];
    switch (c) {
    case ' ':
    case '\t':
    case '\f':
        m_hasBlank = true;
        return at + 1;
    case '#':
        return line.size();
    case '"':
    case '\'':
        return takeString(line, at);
    case '(':
    case '[':
    case '{':
        takeOpening(c);
        return at + 1;
    case ')':
    case ']':
    case '}':
        takeClosing(c);
        return at + 1;
    default:
        break;
    }
    if (isWordPart(c))
        return takeWord(line, at);
    if (c == ',' && !m_brackets.empty())
        ++m_brackets.back().commas;
    m_statement += c;
    m_hasBlank = false;
    return at + 1;
}

/// Reads a string. One that does not end on its line is damaged, and is taken to end with the line.
std::size_t Statements::takeString(std::string_view line, std::size_t at)
{
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != line[at])
        end += line[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, line.size());
    m_statement += line.substr(at, end - at);
    m_hasBlank = false;
    return end;
}

std::size_t Statements::takeWord(std::string_view line, std::size_t at)
{
    std::size_t end = at;
    while (end < line.size() && isWordPart(line[end]))
        ++end;
    if (m_hasBlank && !m_statement.empty() && isWordPart(m_statement.back()))
        m_statement += ' ';
    m_statement += line.substr(at, end - at);
    m_hasBlank = false;
    return end;
}

void Statements::takeOpening(char bracket)
{
    const bool isCall = bracket != '(' || (!m_statement.empty() && isWordPart(m_statement.back()) && !m_hasBlank);
    m_brackets.push_back({isCall, 0});
    m_statement += bracket;
    m_hasBlank = false;
}

void Statements::takeClosing(char bracket)
{
    if (!m_brackets.empty()) {
        const Bracket &open = m_brackets.back();
        if (m_statement.ends_with(',') && (open.isCall || open.commas > 1))
            m_statement.pop_back();
        m_brackets.pop_back();
    }
    m_statement += bracket;
    m_hasBlank = false;
}

} // namespace cutaway::sequence
