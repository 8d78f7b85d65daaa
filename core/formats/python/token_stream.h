// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/lexer.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::python {

/// A position in the source, in bytes.
struct Position {
    std::uint32_t offset = 0;
};

/// The tokens of a source, with one token of lookahead. Throws Unusable for unexpected ones, with line and column.
class TokenStream {
public:
    explicit TokenStream(std::string_view source);

    std::string_view source() const { return m_source; }
    const Token &now() const { return m_now; }
    const Token &ahead() const { return m_ahead; }
    Position position() const { return {m_now.offset}; }
    /// Returns the end of the previous token.
    std::uint32_t end() const { return m_end; }
    const std::vector<Comment> &comments() const { return m_lexer.comments(); }
    bool is(Token::Kind kind) const { return m_now.kind == kind; }
    bool is(std::string_view symbolOrName) const { return m_now.is(symbolOrName); }

    Token take();
    /// Takes the next token if it is this symbol or name; returns whether it is.
    bool accept(std::string_view symbolOrName);
    bool accept(Token::Kind kind);
    void expect(std::string_view symbolOrName);
    /// Takes a token of this kind; fails with a message that names `wanted` if the next one is of another kind.
    Token expect(Token::Kind kind, std::string_view wanted);
    void expectEndOfLine() { expect(Token::Kind::Newline, "the end of the line"); }
    [[noreturn]] void failWanted(std::string_view wanted) const;
    [[noreturn]] void fail(std::string message, Position position) const;

    /// Reads items up to the closing bracket, and takes the bracket; a comma may precede it.
    template <class Read>
    void untilClosed(std::string_view close, Read item)
    {
        while (!is(close)) {
            item();
            if (!accept(","))
                break;
        }
        expect(close);
    }

private:
    std::string_view m_source;
    Lexer m_lexer;
    Token m_now;
    Token m_ahead;
    std::uint32_t m_end = 0;
};

/// Returns "line 3, column 5"; both count from 1, columns in bytes.
std::string lineAndColumn(std::string_view source, Position position);

} // namespace cutaway::formats::python
