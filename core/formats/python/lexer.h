// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::formats::python {

/// A piece of source. Keywords are names, too: an attribute may be called like one.
struct Token {
    enum class Kind : std::uint8_t {
        Name,
        Integer,
        Float,
        Imaginary, ///< "2.j"
        String,    ///< with its quotes
        Symbol,    ///< "(", "->", "<<="
        Newline,   ///< the end of a line, or ";" with something behind it
        Indent,
        Dedent,
        End,
        Wrong, ///< not source; `text` says what is wrong, nothing follows
    };
    Kind kind = Kind::End;
    std::uint32_t offset = 0; ///< bytes from the start of the source
    std::uint32_t line = 0;   ///< from 1
    std::uint32_t column = 0; ///< from 1, in bytes
    std::string_view text;    ///< in the source

    /// Whether it is this symbol or this name.
    bool is(std::string_view symbolOrName) const
    {
        return (kind == Kind::Symbol || kind == Kind::Name) && text == symbolOrName;
    }
    bool isNumber() const { return kind == Kind::Integer || kind == Kind::Float || kind == Kind::Imaginary; }
};

/// "# what stands here", up to the end of its line.
struct Comment {
    std::uint32_t offset = 0;
    std::uint32_t line = 0; ///< from 1
    std::string_view text;  ///< with its "#"
};

/// Cuts Python source into tokens, one at a time: blocks by indentation, lines joined inside brackets. The source must
/// outlive the tokens and be shorter than 4 GiB.
class Lexer {
public:
    explicit Lexer(std::string_view source) : m_source(source) { }
    Token next();
    /// The comments before the last token of next(), in order.
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
    std::size_t m_brackets = 0; ///< open ones
    Token m_firstBracket;       ///< the outermost of them
    bool m_atLineStart = true;
    bool m_isLineOpen = false;
    bool m_isOver = false;
    std::vector<std::size_t> m_indents{0};
    std::vector<Comment> m_comments;
};

/// Whether the text can be a name in source; non-ASCII bytes count as letters.
bool isIdentifier(std::string_view text);

/// Whether Python keeps the name for itself.
bool isKeyword(std::string_view name);

} // namespace cutaway::formats::python
