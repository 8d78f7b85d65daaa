// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/parser.h"
#include "core/formats/torchscript/source/token_stream.h"

namespace cutaway::formats::torchscript {

/// Expressions and types from a token stream into a file's tree. Throws Unusable.
class ExpressionParser {
public:
    ExpressionParser(TokenStream &tokens, ParsedFile &file) : m_tokens(tokens), m_file(file) { }

    ExpressionId expression();
    TypeId type();
    /// The next token, a string literal, decoded.
    std::string_view string();

    /// Reads `item` after `item` up to the closing bracket, which it takes; a comma may stand before it.
    template <class Read>
    void untilClosed(std::string_view close, Read item)
    {
        while (!m_tokens.isSymbol(close)) {
            item();
            if (!m_tokens.accept(","))
                break;
        }
        m_tokens.expect(close);
    }

private:
    ExpressionId signedExpression();
    ExpressionId chain();
    ExpressionId call(Position position, ExpressionId callee);
    ExpressionId atom();
    ExpressionId name();
    ExpressionId getAttribute();
    template <class Node>
    ExpressionId typed();
    ExpressionId uninitialized();
    ExpressionId isInstance();
    ExpressionId parenthesized();
    ExpressionId list();
    ExpressionId dict();
    ExpressionId number();
    double magnitude();
    TypeId typeOfName();
    std::string_view dottedName();

    /// `below`: the depth of the deepest child.
    ExpressionId add(Position position, Expression::Kind kind, unsigned below = 0);
    unsigned depth(ExpressionId id) const { return m_depths[id.index]; }
    unsigned deepest(const std::vector<ExpressionId> &ids) const;
    void enter();

    TokenStream &m_tokens;
    ParsedFile &m_file;
    std::vector<std::uint16_t> m_depths; ///< per expression, itself counted
    int m_open = 0;                      ///< calls of expression() and type() that have not returned
};

} // namespace cutaway::formats::torchscript
