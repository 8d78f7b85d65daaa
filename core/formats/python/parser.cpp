// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/parser.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"

namespace cutaway::formats::python {

namespace {

/// Whether the token is an augmented assignment such as `+=`, not a comparison.
bool isAugmentation(const Token &token)
{
    return token.kind == Token::Kind::Symbol && token.text.size() > 1 && token.text.ends_with('=')
        && (token.text.size() > 2 || !std::string_view("=!<>").contains(token.text.front()));
}

} // namespace

FunctionId Parser::function()
{
    Function function;
    function.position = m_tokens.position();
    m_tokens.expect("def");
    function.name = functionName();
    m_tokens.expect("(");
    m_tokens.untilClosed(")", [&] { function.parameters.push_back(parameter()); });
    if (m_tokens.accept("->"))
        function.result = type();
    function.body = block();
    m_tree.functions.push_back(std::move(function));
    return {static_cast<std::uint32_t>(m_tree.functions.size() - 1)};
}

Parameter Parser::parameter()
{
    Parameter parameter;
    parameter.position = m_tokens.position();
    while (m_tokens.is("*") || m_tokens.is("**"))
        parameter.stars += static_cast<int>(m_tokens.take().text.size());
    parameter.name = name("a parameter's name");
    if (m_tokens.accept(":"))
        parameter.type = type();
    if (m_tokens.accept("="))
        parameter.value = expression();
    return parameter;
}

void Parser::openBlock()
{
    m_tokens.expect(":");
    m_tokens.expectEndOfLine();
    m_tokens.expect(Token::Kind::Indent, "a deeper block");
    if (++m_openBlocks > limits::maxNesting)
        m_tokens.fail(formatted("blocks nested deeper than {}", limits::maxNesting), m_tokens.position());
}

void Parser::closeBlock()
{
    --m_openBlocks;
    m_tokens.accept(Token::Kind::Dedent);
}

Block Parser::block()
{
    Block block;
    suite([&] { statement(block); });
    return block;
}

void Parser::statement(Block &block)
{
    if (m_tokens.is(Token::Kind::Indent))
        m_tokens.failWanted("a line of this block");
    beginStatement();
    if (m_tokens.accept("pass"))
        return m_tokens.expectEndOfLine();
    Statement made{{}, m_tokens.position(), m_tokens.now().line};
    made.kind = statementKind();
    check(made);
    m_tree.statements.push_back(std::move(made));
    block.push_back({static_cast<std::uint32_t>(m_tree.statements.size() - 1)});
}

Statement::Kind Parser::statementKind()
{
    constexpr std::pair<std::string_view, Statement::Kind (Parser::*)()> keywords[] = {
        {"if", &Parser::ifStatement},     {"while", &Parser::whileStatement},   {"for", &Parser::forStatement},
        {"with", &Parser::withStatement}, {"return", &Parser::returnStatement}, {"def", &Parser::localFunction},
    };
    for (const auto &[keyword, read] : keywords)
        if (m_tokens.is(keyword))
            return (this->*read)();
    Statement::Kind simple = simpleStatement();
    m_tokens.expectEndOfLine();
    return simple;
}

/// Reads `a`, `a, b` or `a, b,`.
ExpressionId Parser::expressions()
{
    const Position position = m_tokens.position();
    const ExpressionId first = expression();
    if (!m_tokens.is(","))
        return first;
    Tuple tuple{{first}, false};
    while (!tuple.endsInComma && m_tokens.accept(",")) {
        tuple.endsInComma = m_tokens.is("=") || m_tokens.is(Token::Kind::Newline);
        if (!tuple.endsInComma)
            tuple.items.push_back(expression());
    }
    const unsigned below = deepest(tuple.items);
    return add(position, std::move(tuple), below);
}

Statement::Kind Parser::simpleStatement()
{
    const Token first = m_tokens.now();
    const ExpressionId left = expressions();
    const bool isOne = !std::holds_alternative<Tuple>(m_tree.at(left).kind) || first.is("(");
    if (isOne && isAugmentation(m_tokens.now())) {
        const std::string_view op = m_tokens.take().text;
        return Augment{left, op.substr(0, op.size() - 1), expression()};
    }
    Assign assign{{left}, {}, {}};
    if (isOne && m_tokens.accept(":"))
        assign.type = type();
    else if (isOne && !m_tokens.is("="))
        return Evaluate{left};
    if (assign.type && m_tokens.is(Token::Kind::Newline))
        return assign;
    m_tokens.expect("=");
    assign.value = expressions();
    while (m_tokens.accept("=")) {
        assign.targets.push_back(*assign.value);
        assign.value = expressions();
    }
    return assign;
}

Statement::Kind Parser::ifStatement()
{
    m_tokens.take();
    If statement{expression(), {}, {}};
    statement.then = block();
    if (m_tokens.accept("else"))
        statement.orElse = block();
    return statement;
}

Statement::Kind Parser::whileStatement()
{
    m_tokens.take();
    While statement{expression(), {}};
    statement.body = block();
    return statement;
}

Statement::Kind Parser::forStatement()
{
    m_tokens.take();
    For statement{name("the loop's variable"), {}, {}};
    m_tokens.expect("in");
    statement.items = expressions();
    statement.body = block();
    return statement;
}

Statement::Kind Parser::withStatement()
{
    m_tokens.take();
    With statement{expression(), {}, {}};
    if (m_tokens.accept("as"))
        statement.variable = name("the name of what is entered");
    statement.body = block();
    return statement;
}

Statement::Kind Parser::returnStatement()
{
    m_tokens.take();
    Return statement;
    if (!m_tokens.is(Token::Kind::Newline))
        statement.value = expressions();
    m_tokens.expectEndOfLine();
    return statement;
}

} // namespace cutaway::formats::python
