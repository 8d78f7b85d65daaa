// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::formats::fx {

/// A piece of Python source. Keywords are names, too.
struct Token {
    enum class Kind : std::uint8_t { Name, Integer, Float, Imaginary, String, Symbol, Newline, End };
    Kind kind = Kind::End;
    std::uint32_t offset = 0;
    std::string_view text;
    bool isIndented = false; ///< the line that it is on starts with spaces

    bool is(std::string_view nameOrSymbol) const
    {
        return (kind == Kind::Symbol || kind == Kind::Name) && text == nameOrSymbol;
    }
};

/// Cuts source into tokens, one at a time. Ends of lines inside brackets and empty lines are no tokens; `;` is the end
/// of a line. Throws Unusable for what no such source has.
class Lexer {
public:
    explicit Lexer(std::string_view source);
    Token next();

private:
    Token take(Token::Kind kind, std::size_t length);
    Token number();
    Token string();
    Token symbol();
    Token endOfLine();
    void skipBlanks();
    char at(std::size_t offset) const { return offset < m_source.size() ? m_source[offset] : '\0'; }
    [[noreturn]] void fail(std::string message) const;

    std::string_view m_source;
    std::size_t m_offset = 0;
    int m_brackets = 0;
    bool m_isLineOpen = false; ///< it has a token
    bool m_isIndented = false;
};

/// "line 3, column 5", both from 1.
std::string lineAndColumn(std::string_view source, std::size_t offset);

/// The text that a literal with its quotes stands for. Escapes that are not Python's stay as they are written.
std::string unquoted(std::string_view literal);

} // namespace cutaway::formats::fx
