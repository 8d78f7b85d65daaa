// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/text_lexer.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace cutaway::ir {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isPartCharacter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_'; }

bool isDottedCharacter(char c) { return isPartCharacter(c) || c == '.'; }

bool isNameCharacter(char c) { return isDottedCharacter(c) || c == '/'; }

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

} // namespace

bool isBareName(std::string_view name)
{
    // The name must not contain "//", which would start a comment.
    return !name.empty() && std::ranges::all_of(name, isNameCharacter) && name.find("//") == name.npos;
}

bool isBarePart(std::string_view name) { return !name.empty() && std::ranges::all_of(name, isPartCharacter); }

void TextLexer::failWith(std::string message) { failWith(std::move(message), m_at); }

void TextLexer::failWith(std::string message, std::size_t position)
{
    if (!m_error) {
        const std::string_view before = m_text.substr(0, position);
        const auto line = 1 + std::ranges::count(before, '\n');
        const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
        m_error = Error{ErrorKind::Unreadable, std::move(message),
                        "line " + std::to_string(line) + ", column " + std::to_string(column)};
    }
    m_at = m_text.size();
}

void TextLexer::fail(std::string_view wanted)
{
    skipSpace();
    const std::string_view rest = m_text.substr(m_at, 40);
    const auto end = std::ranges::find_if(rest, isSpace);
    const std::string found(rest.begin(), std::max(end, rest.begin() + (rest.empty() ? 0 : 1)));
    failWith((found.empty() ? "the text ends" : "found '" + sanitized(found) + "'") + " where " + std::string(wanted)
             + " is expected");
}

void TextLexer::skipSpace()
{
    while (m_at < m_text.size()) {
        if (isSpace(m_text[m_at]))
            ++m_at;
        else if (m_text.substr(m_at).starts_with("//"))
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        else
            return;
    }
}

std::size_t TextLexer::position()
{
    skipSpace();
    return m_at;
}

bool TextLexer::atEnd()
{
    skipSpace();
    return m_at == m_text.size();
}

char TextLexer::peek() { return atEnd() ? '\0' : m_text[m_at]; }

bool TextLexer::startsWith(std::string_view symbol)
{
    skipSpace();
    return m_text.substr(m_at).starts_with(symbol);
}

bool TextLexer::accept(std::string_view symbol)
{
    const bool found = startsWith(symbol);
    m_at += found ? symbol.size() : 0;
    return found;
}

bool TextLexer::acceptAdjacent(std::string_view symbol)
{
    const bool found = m_text.substr(m_at).starts_with(symbol);
    m_at += found ? symbol.size() : 0;
    return found;
}

void TextLexer::expect(std::string_view symbol)
{
    if (!failed() && !accept(symbol))
        fail("'" + std::string(symbol) + "'");
}

template <class Belongs>
std::string_view TextLexer::run(Belongs belongs)
{
    skipSpace();
    std::size_t end = m_at;
    while (end < m_text.size() && belongs(m_text[end]) && !m_text.substr(end).starts_with("//"))
        ++end;
    return m_text.substr(m_at, end - m_at);
}

std::string_view TextLexer::peekWord() { return run(isNameCharacter); }

bool TextLexer::acceptWord(std::string_view word)
{
    const bool found = peekWord() == word;
    m_at += found ? word.size() : 0;
    return found;
}

std::string TextLexer::takeName()
{
    if (peek() == '"')
        return takeText();
    const std::string_view name = peekWord();
    if (name.empty() && !failed())
        fail("a name");
    m_at += name.size();
    return std::string(name);
}

std::optional<std::string> TextLexer::acceptNameBefore(std::string_view symbol)
{
    const std::size_t start = position();
    if (peek() == '"' || !peekWord().empty()) {
        std::string name = takeName();
        if (failed() || accept(symbol))
            return name;
    }
    m_at = start;
    return std::nullopt;
}

std::string TextLexer::takePart(bool dots)
{
    if (peek() == '"')
        return takeText();
    const std::string_view part = dots ? run(isDottedCharacter) : run(isPartCharacter);
    if (part.empty() && !failed())
        fail("an operator's name");
    m_at += part.size();
    return std::string(part);
}

std::string_view TextLexer::takeNumber()
{
    // A sign is part of a number at its start and after the "e" of its exponent.
    char before = 'e';
    const std::string_view number = run([&](char c) {
        const bool belongs = isDottedCharacter(c) || ((c == '-' || c == '+') && before == 'e');
        before = c;
        return belongs;
    });
    if (number.empty() && !failed())
        fail("a number");
    m_at += number.size();
    return number;
}

std::optional<std::int64_t> TextLexer::acceptDigits()
{
    skipSpace();
    const char *const begin = m_text.data() + m_at, *const last = m_text.data() + m_text.size();
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(begin, last, n);
    if (error != std::errc() || end == last || (*end != ',' && *end != ')' && *end != ']'))
        return std::nullopt;
    m_at += static_cast<std::size_t>(end - begin);
    return n;
}

std::string_view TextLexer::takeExpression()
{
    int brackets = 0;
    bool quoted = false;
    skipSpace();
    std::size_t end = m_at;
    for (; end < m_text.size(); ++end) {
        const char c = m_text[end];
        quoted = quoted != (c == '`');
        if (quoted)
            continue;
        if (brackets == 0 && (c == ',' || c == ')' || c == ']'))
            break;
        brackets += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    const std::string_view expression = m_text.substr(m_at, end - m_at);
    m_at = end;
    return expression;
}

std::string TextLexer::takeText()
{
    const std::size_t start = position();
    std::string out;
    if (!accept("\"")) {
        fail("a quoted text");
        return out;
    }
    while (m_at < m_text.size() && m_text[m_at] != '"') {
        const std::size_t end = std::min(m_text.find_first_of("\"\\", m_at), m_text.size());
        out += m_text.substr(m_at, end - m_at);
        m_at = end;
        if (m_at < m_text.size() && m_text[m_at] == '\\')
            takeEscape(out);
    }
    if (m_at == m_text.size())
        failWith("the quoted text that begins here has no end", start);
    else
        ++m_at;
    return out;
}

void TextLexer::takeEscape(std::string &out)
{
    const std::string_view escape = m_text.substr(m_at, 4);
    const char kind = escape.size() > 1 ? escape[1] : '\0';
    std::uint8_t byte = 0;
    if (kind == 'n' || kind == 't') {
        out += kind == 'n' ? '\n' : '\t';
        m_at += 2;
    } else if (kind == '"' || kind == '\\') {
        out += kind;
        m_at += 2;
    } else if (kind == 'x' && escape.size() == 4
               && std::from_chars(escape.data() + 2, escape.data() + 4, byte, 16).ptr == escape.data() + 4) {
        out += static_cast<char>(byte);
        m_at += 4;
    } else {
        failWith("found '" + sanitized(escape.substr(0, 2))
                 + R"(' in a text where \n, \t, \\, \" or \xNN is expected)");
    }
}

} // namespace cutaway::ir
