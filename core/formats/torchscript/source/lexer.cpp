// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/lexer.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool startsName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continuesName(char c) { return startsName(c) || isDigit(c); }

} // namespace

bool isIdentifier(std::string_view text)
{
    return !text.empty() && startsName(text.front()) && std::ranges::all_of(text, continuesName);
}

Token Lexer::next()
{
    if (m_isOver)
        return {Token::Kind::End, static_cast<std::uint32_t>(m_source.size()), {}};
    if (m_atLineStart) {
        if (const Token token = startOfLine(); token.kind != Token::Kind::Newline)
            return token;
    }
    skipSpace();
    const char c = at(m_offset);
    if (m_offset == m_source.size())
        return endOfSource();
    m_isLineOpen = c != '\n';
    if (c == '\n') { // never inside brackets: skipSpace goes over it there
        m_atLineStart = true;
        return take(Token::Kind::Newline, 1);
    }
    if (startsName(c))
        return name();
    if (isDigit(c))
        return number();
    return c == '"' || c == '\'' ? string() : symbol();
}

/// An Indent or Dedent where the line's indentation changes; a Newline token means neither. Dedents come one per call.
Token Lexer::startOfLine()
{
    std::size_t line = m_offset;
    skipSpace();
    while (at(m_offset) == '\n') { // blank lines have no indentation
        line = ++m_offset;
        skipSpace();
    }
    const std::size_t indent = m_offset == m_source.size() ? 0 : m_offset - line;
    if (indent > m_indents.back()) {
        m_indents.push_back(indent);
        m_atLineStart = false;
        return take(Token::Kind::Indent, 0);
    }
    if (indent < m_indents.back()) {
        m_indents.pop_back();
        if (indent > m_indents.back())
            return wrong("a line is indented less than its block and more than the one around it");
        m_offset = line; // the next call compares again
        return take(Token::Kind::Dedent, 0);
    }
    m_atLineStart = false;
    return {Token::Kind::Newline, 0, {}};
}

/// Spaces, comments and, inside brackets, ends of lines.
void Lexer::skipSpace()
{
    for (;; ++m_offset) {
        if (at(m_offset) == '#')
            m_offset = std::min(m_source.find('\n', m_offset), m_source.size());
        const char c = at(m_offset);
        if (c != ' ' && c != '\t' && c != '\r' && !(c == '\n' && m_brackets > 0))
            return;
    }
}

void Lexer::skipDigits()
{
    while (isDigit(at(m_offset)))
        ++m_offset;
}

Token Lexer::take(Token::Kind kind, std::size_t length)
{
    const Token token{kind, static_cast<std::uint32_t>(m_offset), m_source.substr(m_offset, length)};
    m_offset += length;
    return token;
}

Token Lexer::name()
{
    std::size_t end = m_offset;
    while (continuesName(at(end)))
        ++end;
    return take(Token::Kind::Name, end - m_offset);
}

Token Lexer::number()
{
    const std::size_t start = m_offset;
    Token::Kind kind = Token::Kind::Integer;
    skipDigits();
    if (at(m_offset) == '.') {
        kind = Token::Kind::Float;
        ++m_offset;
        skipDigits();
    }
    if (at(m_offset) == 'e' || at(m_offset) == 'E') {
        const std::size_t sign = at(m_offset + 1) == '+' || at(m_offset + 1) == '-' ? 1 : 0;
        if (isDigit(at(m_offset + 1 + sign))) {
            kind = Token::Kind::Float;
            m_offset += 1 + sign;
            skipDigits();
        }
    }
    if (at(m_offset) == 'j') {
        kind = Token::Kind::Imaginary;
        ++m_offset;
    }
    const std::size_t length = m_offset - start;
    m_offset = start;
    return take(kind, length);
}

Token Lexer::string()
{
    const char quote = at(m_offset);
    std::size_t end = m_offset + 1;
    while (end < m_source.size() && at(end) != quote && at(end) != '\n')
        end += at(end) == '\\' ? 2 : 1;
    return at(end) == quote && end < m_source.size() ? take(Token::Kind::String, end + 1 - m_offset)
                                                     : wrong("a string is not closed on its line");
}

Token Lexer::symbol()
{
    const char c = at(m_offset);
    if (std::string_view("()[]{},:=.+-").find(c) == std::string_view::npos)
        return wrong("found what no TorchScript source has");
    if (std::string_view("([{").find(c) != std::string_view::npos)
        m_firstBracket = m_brackets++ > 0 ? m_firstBracket : m_offset;
    else if (std::string_view(")]}").find(c) != std::string_view::npos && m_brackets > 0)
        --m_brackets;
    return take(Token::Kind::Symbol, c == '-' && at(m_offset + 1) == '>' ? 2 : 1);
}

/// A last line without its end still ends, and every block with it.
Token Lexer::endOfSource()
{
    if (m_brackets > 0) {
        m_offset = m_firstBracket;
        return wrong("a bracket is not closed");
    }
    if (m_isLineOpen) {
        m_isLineOpen = false;
        m_atLineStart = true;
        return take(Token::Kind::Newline, 0);
    }
    m_isOver = true;
    return take(Token::Kind::End, 0);
}

Token Lexer::wrong(std::string_view what)
{
    m_isOver = true;
    return {Token::Kind::Wrong, static_cast<std::uint32_t>(m_offset), what};
}

} // namespace cutaway::formats::torchscript
