// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::formats::python {

/// A token of the source. Keywords are names, too, because an attribute may have such a name.
struct Token {
    enum class Kind : std::uint8_t {
        Name,
        Integer,
        Float,
        Imaginary, ///< "2.j"
        String,    ///< a string literal with its quotes
        Symbol,    ///< "(", "->", "<<="
        Newline,   ///< the end of a line, or ";" if a statement follows on the line
        Indent,
        Dedent,
        End,
        Wrong, ///< text that is not valid; `text` is the message, and there are no tokens after it
    };
    Kind kind = Kind::End;
    std::uint32_t offset = 0; ///< in bytes from the start of the source
    std::uint32_t line = 0;   ///< from 1
    std::uint32_t column = 0; ///< from 1, in bytes
    std::string_view text;    ///< a view of the source

    /// Whether the token is this symbol or this name.
    bool is(std::string_view symbolOrName) const
    {
        return (kind == Kind::Symbol || kind == Kind::Name) && text == symbolOrName;
    }
    bool isNumber() const { return kind == Kind::Integer || kind == Kind::Float || kind == Kind::Imaginary; }
};

/// A comment, "# text", up to the end of its line.
struct Comment {
    std::uint32_t offset = 0;
    std::uint32_t line = 0; ///< from 1
    std::string_view text;  ///< a view of the source, with its "#"
};

/// Splits Python source into tokens, one at a time: indentation makes blocks, and inside brackets line ends do not
/// count. The source must outlive the tokens and be shorter than 4 GiB.
class Lexer {
public:
    explicit Lexer(std::string_view source) : m_source(source) { }
    Token next();
    /// Returns the comments before the last token that next() returned, in order.
    const std::vector<Comment> &comments() const { return m_comments; }

private:
    std::optional<Token> startOfLine();
    Token name();
    Token number();
    Token string();
    Token symbol();
    Token endOfSource();
    Token wrong(std::string_view what);
    Token take(Token::Kind kind, std::size_t length);
    void endLine();
    void skipSpace();
    bool skipSemicolons();
    char at(std::size_t offset) const { return offset < m_source.size() ? m_source[offset] : '\0'; }

    std::string_view m_source;
    std::size_t m_offset = 0;
    std::size_t m_lineStart = 0;
    std::uint32_t m_line = 1;
    std::size_t m_brackets = 0; ///< the number of open brackets
    Token m_firstBracket;       ///< the outermost open bracket
    bool m_atLineStart = true;
    bool m_isLineOpen = false;
    bool m_isOver = false;
    std::vector<std::size_t> m_indents{0};
    std::vector<Comment> m_comments;
};

/// Whether the text can be a name in Python; non-ASCII bytes count as letters.
bool isIdentifier(std::string_view text);

/// Whether the name is reserved in Python.
bool isKeyword(std::string_view name);

} // namespace cutaway::formats::python
