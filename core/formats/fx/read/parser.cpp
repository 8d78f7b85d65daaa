// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/read/parser.h"

#include "core/formats/python/parser.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::fx {

using python::Token;

namespace {

/// Whether a token is a keyword that the code of torch.fx does not use.
bool isForeign(const Token &token)
{
    constexpr std::array<std::string_view, 6> known{"None", "True", "False", "not", "return", "pass"};
    return token.kind == Token::Kind::Name && isKeyword(token.text) && !std::ranges::contains(known, token.text);
}

class CodeParser final : public python::Parser {
public:
    using python::Parser::Parser;

    void parse()
    {
        while (!m_tokens.is(Token::Kind::End)) {
            if (m_tokens.is("def"))
                function();
            else
                topLevelCall();
        }
    }

private:
    void topLevelCall();
    std::string_view functionName() override;
    void beginStatement() override;
    ExpressionId atom() override;
    void check(const Statement &statement) const override;
};

/// Skips `wrap("f")`, which makes torch's tracer keep calls of f.
void CodeParser::topLevelCall()
{
    if (!m_tokens.is(Token::Kind::Name) || isForeign(m_tokens.now()))
        m_tokens.failWanted("a function");
    m_tokens.take();
    while (m_tokens.accept("."))
        name("a name");
    m_tokens.expect("(");
    if (!m_tokens.is(Token::Kind::String))
        m_tokens.failWanted("a function's name in quotes");
    m_tokens.take();
    m_tokens.expect(")");
    m_tokens.expectEndOfLine();
}

/// Takes the name of a function. In the library, a name has dots: "torch.Tensor.float".
std::string_view CodeParser::functionName()
{
    const std::uint32_t start = m_tokens.position().offset;
    name("the function's name");
    while (m_tokens.accept(".") || m_tokens.accept("|"))
        name("a name");
    return m_tokens.source().substr(start, m_tokens.end() - start);
}

void CodeParser::beginStatement()
{
    if (isForeign(m_tokens.now()))
        m_tokens.failWanted("straight-line code, as torch.fx writes it");
}

ExpressionId CodeParser::atom()
{
    if (isForeign(m_tokens.now()))
        m_tokens.failWanted("an expression, as torch.fx writes it");
    return Parser::atom();
}

void CodeParser::check(const Statement &statement) const
{
    const auto *assign = std::get_if<Assign>(&statement.kind);
    if (!assign)
        return;
    for (const ExpressionId &target : assign->targets)
        for (const ExpressionId item : itemsOf(m_tree, target))
            if (!std::holds_alternative<Name>(m_tree.at(item).kind))
                m_tokens.fail("found a value on the left of '=', expected a name", m_tree.at(item).position);
    if (assign->targets.size() > 1 && assignAt(m_tree, statement))
        m_tokens.fail("found a value for several names", m_tree.at(*assign->value).position);
}

} // namespace

Result<Program> parse(std::string_view source)
{
    return resultOf([&] {
        Program program;
        program.source = source;
        python::TokenStream tokens(source);
        CodeParser(tokens, program).parse();
        return program;
    });
}

} // namespace cutaway::formats::fx
