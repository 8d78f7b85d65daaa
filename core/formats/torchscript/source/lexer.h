// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::formats::torchscript {

/// A piece of source. Keywords are names, too: an attribute may be called like one.
struct Token {
    enum class Kind : std::uint8_t {
        Name,
        Integer,
        Float,
        Imaginary, ///< "2.j"
        String,    ///< with its quotes
        Symbol,    ///< one character, or "->"
        Newline,
        Indent,
        Dedent,
        End,
        Wrong, ///< not source; `text` says what is wrong, nothing follows
    };
    Kind kind = Kind::End;
    std::uint32_t offset = 0; ///< bytes from the start of the source
    std::string_view text;    ///< in the source

    bool isSymbol(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
    bool isName(std::string_view name) const { return kind == Kind::Name && text == name; }
};

/// Cuts TorchScript source into tokens, one at a time: blocks by indentation, lines joined inside brackets. Columns are
/// bytes. The source must outlive the tokens and be shorter than 4 GiB.
class Lexer {
public:
    explicit Lexer(std::string_view source) : m_source(source) { }
    Token next();

private:
    Token startOfLine();
    Token name();
    Token number();
    Token string();
    Token symbol();
    Token endOfSource();
    Token wrong(std::string_view what);
    Token take(Token::Kind kind, std::size_t length);
    void skipSpace();
    void skipDigits();
    char at(std::size_t offset) const { return offset < m_source.size() ? m_source[offset] : '\0'; }

    std::string_view m_source;
    std::size_t m_offset = 0;
    std::size_t m_brackets = 0;     ///< open ones
    std::size_t m_firstBracket = 0; ///< where the outermost of them is
    bool m_atLineStart = true;
    bool m_isLineOpen = false;
    bool m_isOver = false;
    std::vector<std::size_t> m_indents{0};
};

/// Whether the text can be a name in source; non-ASCII bytes count as letters.
bool isIdentifier(std::string_view text);

} // namespace cutaway::formats::torchscript
