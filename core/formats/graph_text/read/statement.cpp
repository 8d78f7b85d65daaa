// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/statement.h"

#include "core/formats/graph_text/read/lines.h"
#include "core/formats/python/parser.h"
#include "core/formats/unusable.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

using python::Position;
using python::Token;

class StatementParser final : public python::Parser {
public:
    StatementParser(python::TokenStream &tokens, python::Tree &tree, bool isListing)
        : Parser(tokens, tree),
          m_isListing(isListing)
    {
    }

    void parse(Statement &statement)
    {
        if (m_tokens.accept("return"))
            statement.what = Returned{isAtEnd() ? std::nullopt : std::optional(list())};
        else if (m_tokens.is(Token::Kind::Name) && (m_tokens.ahead().is("=") || m_tokens.ahead().is(":")))
            named(statement);
        else
            other(statement);
        if (!isAtEnd())
            m_tokens.failWanted("the end of the statement");
    }

    ExpressionId whole()
    {
        const ExpressionId id = expression();
        if (!isAtEnd())
            m_tokens.failWanted("the end of the expression");
        return id;
    }

    void header(std::vector<python::Parameter> &parameters)
    {
        m_tokens.expect("def");
        name("the function's name");
        m_tokens.expect("(");
        m_tokens.untilClosed(")", [&] { parameters.push_back(parameter()); });
    }

private:
    bool isAtEnd() const { return m_tokens.is(Token::Kind::Newline) || m_tokens.is(Token::Kind::End); }

    void named(Statement &statement)
    {
        Definition definition{name("a name"), std::nullopt, {}};
        if (m_tokens.accept(":")) {
            definition.type = expression();
            if (isAtEnd()) {
                statement.what = Declaration{definition.name, *definition.type};
                return;
            }
        }
        m_tokens.expect("=");
        definition.value = expression();
        if (m_tokens.is("="))
            skipRest();
        else
            statement.what = definition;
    }

    void skipRest()
    {
        while (m_tokens.accept("="))
            expression();
    }

    /// Reads `a, b, = value`, `x += value` or `x[i] = value`.
    void other(Statement &statement)
    {
        const ExpressionId first = list();
        if (m_tokens.is(Token::Kind::Symbol) && m_tokens.now().text.ends_with('=')) {
            const std::string_view symbol = m_tokens.take().text;
            const ExpressionId value = expression();
            if (std::get_if<python::Tuple>(&m_tree.at(first).kind))
                statement.what = Unpacking{namesIn(first), value};
            else
                statement.what = Change{first, symbol.substr(0, symbol.size() - 1), value};
        }
    }

    std::vector<std::string_view> namesIn(ExpressionId tuple) const
    {
        std::vector<std::string_view> names;
        for (const ExpressionId item : python::itemsOf(m_tree, tuple))
            if (const auto *name = std::get_if<python::Name>(&m_tree.at(item).kind))
                names.push_back(name->text);
        return names;
    }

    /// Reads expressions that commas separate, without brackets around them.
    ExpressionId list()
    {
        const Position position = m_tokens.position();
        const ExpressionId first = expression();
        if (!m_tokens.is(","))
            return first;
        python::Tuple tuple{{first}};
        while (m_tokens.accept(","))
            if (!m_tokens.is("=") && !isAtEnd())
                tuple.items.push_back(expression());
        const unsigned below = deepest(tuple.items);
        return add(position, std::move(tuple), below);
    }

    ExpressionId atom() override
    {
        if (!m_isListing || !m_tokens.is("%"))
            return Parser::atom();
        m_tokens.take();
        const Position position = m_tokens.position();
        const Token name = m_tokens.expect(Token::Kind::Name, "a value's name");
        return add(position, python::Name{name.text});
    }

    /// Up to torch 2.2, types are printed without quotes, also that of a scalar: `f32[]`.
    ExpressionId subscriptIndex() override
    {
        return m_tokens.is("]") ? add(m_tokens.position(), python::Tuple{}) : Parser::subscriptIndex();
    }

    bool m_isListing;
};

} // namespace

Statement parseStatement(std::string_view text)
{
    Statement statement;
    statement.tree.source = text;
    python::TokenStream tokens(text);
    StatementParser(tokens, statement.tree, false).parse(statement);
    statement.comments = tokens.comments();
    return statement;
}

ParsedExpression parseExpression(std::string_view text, bool isListing)
{
    ParsedExpression parsed;
    parsed.tree.source = text;
    python::TokenStream tokens(text);
    parsed.root = StatementParser(tokens, parsed.tree, isListing).whole();
    return parsed;
}

Header parseHeader(std::string_view text)
{
    Header header;
    header.tree.source = text;
    const auto parsed = resultOf([&] {
        python::TokenStream tokens(text);
        const auto read = resultOf([&] { StatementParser(tokens, header.tree, false).header(header.parameters); });
        header.comments = tokens.comments();
        orThrow(read);
    });
    if (!parsed)
        header.error = parsed.error().message;
    if (!header.parameters.empty() && header.parameters.front().name == "self")
        header.parameters.erase(header.parameters.begin());
    return header;
}

std::string_view withoutHash(std::string_view comment)
{
    return trimmed(comment.substr(std::min(comment.find_first_not_of('#'), comment.size())));
}

std::string_view commentBehind(std::string_view source, std::size_t end, std::span<const python::Comment> comments)
{
    const std::size_t start = source.find_first_not_of(" \t,)]", end);
    const auto comment = std::ranges::lower_bound(comments, start, {}, &python::Comment::offset);
    return comment == comments.end() || comment->offset != start ? std::string_view() : withoutHash(comment->text);
}

std::string_view typeText(const python::Tree &tree, ExpressionId type)
{
    const std::string_view text = tree.textOf(type);
    const bool isQuoted =
        text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

std::string_view nameDefinedBy(std::string_view statement)
{
    const std::size_t end = std::min(statement.find_first_of(":= \t"), statement.size());
    const std::string_view name = statement.substr(0, end);
    const std::string_view rest = trimmed(statement.substr(end));
    const bool isDefined = rest.starts_with(':') || (rest.starts_with('=') && !rest.starts_with("=="));
    return isDefined && python::isIdentifier(name) && !python::isKeyword(name) ? name : std::string_view();
}

} // namespace cutaway::formats::graph_text
