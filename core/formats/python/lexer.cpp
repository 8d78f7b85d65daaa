// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/lexer.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::python {

namespace {

/// The symbols of several characters; longer ones come before their prefixes.
constexpr std::string_view longSymbols[] = {"...", "**=", "//=", "<<=", ">>=", "->", "**", "//", "==", "!=", "<=", ">=",
                                            "<<",  ">>",  "+=",  "-=",  "*=",  "/=", "%=", "@=", "&=", "|=", "^="};

/// Python's reserved words, sorted for binary search.
constexpr std::array<std::string_view, 35> keywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

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

bool isKeyword(std::string_view name) { return std::ranges::binary_search(keywords, name); }

Token Lexer::next()
{
    if (m_isOver)
        return take(Token::Kind::End, 0);
    if (m_atLineStart) {
        if (const auto token = startOfLine())
            return *token;
    }
    skipSpace();
    if (at(m_offset) == ';' && m_brackets == 0) {
        const Token end = take(Token::Kind::Newline, 1);
        if (skipSemicolons())
            return end;
    }
    const char c = at(m_offset);
    if (m_offset == m_source.size())
        return endOfSource();
    m_isLineOpen = c != '\n';
    if (c == '\n') { // this line end is outside of brackets: skipSpace() skips those inside
        const Token end = take(Token::Kind::Newline, 1);
        endLine();
        m_atLineStart = true;
        return end;
    }
    if (startsName(c))
        return name();
    if (isDigit(c) || (c == '.' && isDigit(at(m_offset + 1))))
        return number();
    return c == '"' || c == '\'' ? string() : symbol();
}

/// Returns an Indent or Dedent if the line's indentation changes. Dedents come one per call.
std::optional<Token> Lexer::startOfLine()
{
    skipSpace();
    while (at(m_offset) == '\n') { // blank lines have no indentation
        ++m_offset;
        endLine();
        skipSpace();
    }
    const std::size_t indent = m_offset == m_source.size() ? 0 : m_offset - m_lineStart;
    if (indent > m_indents.back()) {
        m_indents.push_back(indent);
        m_atLineStart = false;
        return take(Token::Kind::Indent, 0);
    }
    if (indent < m_indents.back()) { // m_atLineStart stays set, so that the next call compares again
        m_indents.pop_back();
        if (indent > m_indents.back())
            return wrong("a line is indented less than its block and more than the one around it");
        return take(Token::Kind::Dedent, 0);
    }
    m_atLineStart = false;
    return std::nullopt;
}

/// Begins the next line at the offset, which is after the end of the last line.
void Lexer::endLine()
{
    m_lineStart = m_offset;
    ++m_line;
}

/// Skips spaces, comments and, inside brackets, ends of lines.
void Lexer::skipSpace()
{
    while (true) {
        const char c = at(m_offset);
        if (c == '#') {
            const std::size_t end = std::min(m_source.find('\n', m_offset), m_source.size());
            m_comments.push_back(
                {static_cast<std::uint32_t>(m_offset), m_line, m_source.substr(m_offset, end - m_offset)});
            m_offset = end;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++m_offset;
        } else if (c == '\n' && m_brackets > 0) {
            ++m_offset;
            endLine();
        } else {
            return;
        }
    }
}

/// Skips semicolons; returns whether a statement follows on the line.
bool Lexer::skipSemicolons()
{
    skipSpace();
    while (at(m_offset) == ';') {
        ++m_offset;
        skipSpace();
    }
    return m_offset < m_source.size() && at(m_offset) != '\n';
}

Token Lexer::take(Token::Kind kind, std::size_t length)
{
    const Token token{kind, static_cast<std::uint32_t>(m_offset), m_line,
                      static_cast<std::uint32_t>(m_offset - m_lineStart + 1), m_source.substr(m_offset, length)};
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
        return wrong("a string is not closed on its line");
    const Token token = take(Token::Kind::String, end + 1 - m_offset);
    // A string literal continues on the next line after a backslash.
    if (const std::size_t last = token.text.rfind('\n'); last != token.text.npos) {
        m_line += static_cast<std::uint32_t>(std::ranges::count(token.text, '\n'));
        m_lineStart = token.offset + last + 1;
    }
    return token;
}

Token Lexer::symbol()
{
    // The second character of every longer symbol is one of these.
    if (std::string_view("=.>*/<").contains(at(m_offset + 1)))
        for (const std::string_view symbol : longSymbols)
            if (m_source.substr(m_offset, symbol.size()) == symbol)
                return take(Token::Kind::Symbol, symbol.size());
    if (std::string_view("()[]{},:;=.+-*/%@&|^~<>").find(at(m_offset)) == std::string_view::npos)
        return wrong("found what no Python code has");
    const Token token = take(Token::Kind::Symbol, 1);
    if (std::string_view("([{").contains(token.text))
        m_firstBracket = m_brackets++ > 0 ? m_firstBracket : token;
    else if (std::string_view(")]}").contains(token.text) && m_brackets > 0)
        --m_brackets;
    return token;
}

/// Returns the tokens due at the end: the end of a last line that lacks it, and that of every open block.
Token Lexer::endOfSource()
{
    if (m_brackets > 0) {
        m_isOver = true;
        m_firstBracket.kind = Token::Kind::Wrong;
        m_firstBracket.text = "a bracket is not closed";
        return m_firstBracket;
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
    Token token = take(Token::Kind::Wrong, 0);
    token.text = what;
    return token;
}

} // namespace cutaway::formats::python
