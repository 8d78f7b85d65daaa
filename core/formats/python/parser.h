// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/expression_parser.h"

namespace cutaway::formats::python {

/// Reads functions and their statements into a tree. A language overrides the functions in which it differs from
/// Python.
class Parser : public ExpressionParser {
public:
    using ExpressionParser::ExpressionParser;

protected:
    FunctionId function();
    std::string_view name(std::string_view wanted) { return m_tokens.expect(Token::Kind::Name, wanted).text; }
    /// Reads `:` and an indented block; `line` reads one of its statements.
    template <class Read>
    void suite(Read line)
    {
        openBlock();
        while (!m_tokens.is(Token::Kind::Dedent))
            line();
        closeBlock();
    }

    virtual std::string_view functionName() { return name("the function's name"); }
    virtual Parameter parameter();
    virtual ExpressionId type() { return expression(); }
    /// Throws if no statement of the language begins here.
    virtual void beginStatement() { }
    /// Throws for a statement that is not part of the language.
    virtual void check(const Statement &) const { }

private:
    Block block();
    void statement(Block &block);
    Statement::Kind statementKind();
    Statement::Kind simpleStatement();
    Statement::Kind ifStatement();
    Statement::Kind whileStatement();
    Statement::Kind forStatement();
    Statement::Kind withStatement();
    Statement::Kind returnStatement();
    Statement::Kind localFunction() { return LocalFunction{function()}; }
    ExpressionId expressions();
    void openBlock();
    void closeBlock();

    int m_openBlocks = 0;
};

} // namespace cutaway::formats::python
