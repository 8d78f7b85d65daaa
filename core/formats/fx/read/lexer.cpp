// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/read/lexer.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace cutaway::formats::fx {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isNamePart(char c)
{
    return c == '_' || isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || static_cast<signed char>(c) < 0;
}

constexpr std::string_view longSymbols[] = {"...", "**=", "//=", "<<=", ">>=", "->", "**", "//", "==", "!=", "<=", ">=",
                                            "<<",  ">>",  "+=",  "-=",  "*=",  "/=", "%=", "@=", "&=", "|=", "^="};

/// The character of `\n` and the like; nothing for other letters.
std::optional<char> plainEscape(char letter)
{
    static constexpr std::pair<char, char> known[] = {{'n', '\n'}, {'t', '\t'},  {'r', '\r'}, {'\\', '\\'},
                                                      {'"', '"'},  {'\'', '\''}, {'a', '\a'}, {'b', '\b'},
                                                      {'f', '\f'}, {'v', '\v'},  {'0', '\0'}};
    const auto *const found = std::ranges::find(known, letter, &std::pair<char, char>::first);
    return found == std::end(known) ? std::nullopt : std::optional(found->second);
}

} // namespace

Lexer::Lexer(std::string_view source) : m_source(source)
{
    if (source.size() >= std::numeric_limits<std::uint32_t>::max())
        unusable("the code is longer than 4 GiB");
}

void Lexer::fail(std::string message) const { unusable(std::move(message), lineAndColumn(m_source, m_offset)); }

Token Lexer::take(Token::Kind kind, std::size_t length)
{
    if (!m_isLineOpen) {
        m_isLineOpen = true;
        m_isIndented = m_offset > 0 && (m_source[m_offset - 1] == ' ' || m_source[m_offset - 1] == '\t');
    }
    const Token token{kind, static_cast<std::uint32_t>(m_offset), m_source.substr(m_offset, length), m_isIndented};
    m_offset += length;
    return token;
}

void Lexer::skipBlanks()
{
    for (; m_offset < m_source.size(); ++m_offset) {
        if (at(m_offset) == '#')
            m_offset = std::min(m_source.find('\n', m_offset), m_source.size());
        const char c = at(m_offset);
        const bool isFreeEnd = c == '\n' && (m_brackets > 0 || !m_isLineOpen);
        if (c != ' ' && c != '\t' && c != '\r' && !isFreeEnd)
            return;
    }
}

Token Lexer::endOfLine()
{
    const bool isIndented = m_isIndented;
    Token token = take(Token::Kind::Newline, 1);
    // A statement after ';' is on the same line.
    m_isLineOpen = token.text == ";";
    m_isIndented = m_isLineOpen && isIndented;
    return token;
}

Token Lexer::next()
{
    skipBlanks();
    if (m_offset >= m_source.size()) {
        if (m_brackets > 0)
            fail("a bracket is not closed");
        if (!m_isLineOpen)
            return {Token::Kind::End, static_cast<std::uint32_t>(m_offset), {}, false};
        m_isLineOpen = false;
        return {Token::Kind::Newline, static_cast<std::uint32_t>(m_offset), {}, m_isIndented};
    }
    const char c = at(m_offset);
    if (c == '\n' || (c == ';' && m_brackets == 0))
        return endOfLine();
    if (isDigit(c) || (c == '.' && isDigit(at(m_offset + 1))))
        return number();
    if (c == '"' || c == '\'')
        return string();
    if (!isNamePart(c))
        return symbol();
    std::size_t end = m_offset;
    while (isNamePart(at(end)))
        ++end;
    return take(Token::Kind::Name, end - m_offset);
}

Token Lexer::number()
{
    std::size_t end = m_offset;
    Token::Kind kind = Token::Kind::Integer;
    const auto skipDigits = [&] {
        while (isDigit(at(end)))
            ++end;
    };
    skipDigits();
    if (at(end) == '.') {
        kind = Token::Kind::Float;
        ++end;
        skipDigits();
    }
    const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
    if ((at(end) == 'e' || at(end) == 'E') && isDigit(at(end + 1 + sign))) {
        kind = Token::Kind::Float;
        end += 1 + sign;
        skipDigits();
    }
    if (at(end) == 'j') {
        kind = Token::Kind::Imaginary;
        ++end;
    }
    return take(kind, end - m_offset);
}

Token Lexer::string()
{
    const char quote = at(m_offset);
    std::size_t end = m_offset + 1;
    while (end < m_source.size() && at(end) != quote && at(end) != '\n')
        end += at(end) == '\\' ? 2 : 1;
    if (end >= m_source.size() || at(end) != quote)
        fail("a string is not closed on its line");
    return take(Token::Kind::String, end + 1 - m_offset);
}

Token Lexer::symbol()
{
    for (const std::string_view symbol : longSymbols)
        if (m_source.substr(m_offset, symbol.size()) == symbol)
            return take(Token::Kind::Symbol, symbol.size());
    const char c = at(m_offset);
    if (std::string_view("()[]{},:=.+-*/%@&|^~<>").find(c) == std::string_view::npos)
        fail("found '" + sanitized(m_source.substr(m_offset, 1)) + "', which is in no code that torch.fx writes");
    if (c == '(' || c == '[' || c == '{')
        ++m_brackets;
    else if ((c == ')' || c == ']' || c == '}') && m_brackets > 0)
        --m_brackets;
    return take(Token::Kind::Symbol, 1);
}

std::string lineAndColumn(std::string_view source, std::size_t offset)
{
    const std::string_view before = source.substr(0, offset);
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return formatted("line {}, column {}", std::ranges::count(before, '\n') + 1, before.size() - lineStart + 1);
}

std::string unquoted(std::string_view literal)
{
    std::string text;
    literal = literal.substr(1, literal.size() - 2);
    for (std::size_t i = 0; i < literal.size(); ++i) {
        if (literal[i] != '\\' || i + 1 == literal.size()) {
            text += literal[i];
            continue;
        }
        int code = 0;
        const char *digits = literal.data() + i + 2;
        if (literal[i + 1] == 'x' && literal.size() - i >= 4
            && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
            text += static_cast<char>(code);
            i += 3;
        } else if (const auto plain = plainEscape(literal[i + 1])) {
            text += *plain;
            ++i;
        } else {
            text += literal[i];
        }
    }
    return text;
}

} // namespace cutaway::formats::fx
