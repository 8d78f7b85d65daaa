// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/string_literal.h"
#include "core/formats/python/syntax.h"

namespace cutaway::formats::python {

/// Reads expressions from a token stream into a tree. A language overrides the functions in which it differs from
/// Python. Throws Unusable: what was found and what was wanted, with line and column; nesting deeper or trees larger
/// than the limits.
class ExpressionParser {
public:
    ExpressionParser(TokenStream &tokens, Tree &tree) : m_tokens(tokens), m_tree(tree) { }
    ExpressionParser(const ExpressionParser &) = delete;
    ExpressionParser &operator=(const ExpressionParser &) = delete;
    virtual ~ExpressionParser() = default;

    ExpressionId expression();
    /// Takes the next token, which must be a string literal, and decodes it.
    std::string_view string();

protected:
    virtual ExpressionId withOperators();
    /// Reads the beginning of a chain: a name, a literal, something in brackets.
    virtual ExpressionId atom();
    virtual ExpressionId subscriptIndex();
    /// Throws for a call that is not part of the language.
    virtual void checkCall(ExpressionId) const { }
    virtual DecodedString decoded(const Token &literal) { return decodeString(literal.text, Escapes::Python); }

    /// Reads an atom and the attributes, calls and subscripts after it: `(a.b)[0].c(x, )`.
    ExpressionId chain();
    /// Takes a number; `isNegative`: a minus stood before it. `position` is that of the sign.
    ExpressionId number(Position position, bool isNegative);
    /// Takes a number without sign, and returns it without its "j".
    double magnitude();

    /// Adds an expression to the tree. `below` is the depth of its deepest child.
    ExpressionId add(Position position, Expression::Kind kind, unsigned below = 0);
    unsigned depth(ExpressionId id) const { return m_depths[id.index]; }
    unsigned deepest(const std::vector<ExpressionId> &ids) const;
    void enter();
    void leave() { --m_open; }

    TokenStream &m_tokens;
    Tree &m_tree;

private:
    ExpressionId binary(int weakest);
    ExpressionId unary();
    ExpressionId power();
    ExpressionId call(Position position, ExpressionId callee);
    ExpressionId subscriptItem();
    ExpressionId name();
    ExpressionId text();
    ExpressionId parenthesized();
    ExpressionId list();
    ExpressionId dict();
    std::string_view binaryOperator() const;

    std::vector<std::uint16_t> m_depths; ///< the depth of each expression, which counts itself
    int m_open = 0;                      ///< the present depth of recursion
};

} // namespace cutaway::formats::python
