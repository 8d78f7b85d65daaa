// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/expression.h"
#include "core/formats/torchscript/source/lexer.h"

#include <string>
#include <string_view>

namespace cutaway::formats::torchscript {

/// The tokens as a parser walks them, one ahead. Throws Unusable for an unexpected token.
class TokenStream {
public:
    explicit TokenStream(std::string_view source);

    const Token &now() const { return m_now; }
    const Token &ahead() const { return m_ahead; }
    Position position() const { return {m_now.offset}; }
    bool is(Token::Kind kind) const { return m_now.kind == kind; }
    bool isSymbol(std::string_view symbol) const { return m_now.isSymbol(symbol); }

    Token take();
    /// Takes the symbol if it is there.
    bool accept(std::string_view symbol);
    bool accept(Token::Kind kind);
    void expect(std::string_view symbol);
    void expectName(std::string_view name);
    /// Fails, telling that `wanted` was, if the token is of another kind.
    Token expect(Token::Kind kind, std::string_view wanted);
    [[noreturn]] void failWanted(std::string_view wanted) const;
    [[noreturn]] void fail(std::string message, Position position) const;

private:
    std::string_view m_source;
    Lexer m_lexer;
    Token m_now;
    Token m_ahead;
};

/// "line 3, column 5", both from 1, the column in bytes.
std::string lineAndColumn(std::string_view source, Position position);

} // namespace cutaway::formats::torchscript
