// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/expression_parser.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"
#include "core/formats/torchscript/source/string_literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cutaway::formats::torchscript {

namespace {

bool isNumberToken(const Token &token)
{
    using enum Token::Kind;
    return token.kind == Integer || token.kind == Float || token.kind == Imaginary || token.isName("inf")
        || token.isName("nan") || token.isName("infj") || token.isName("nanj");
}

bool isImaginary(const Token &token) { return isNumberToken(token) && token.text.back() == 'j'; }

double withSign(double magnitude, bool isNegative) { return isNegative ? -magnitude : magnitude; }

} // namespace

void ExpressionParser::enter()
{
    if (++m_open > static_cast<int>(limits::maxNesting))
        m_tokens.fail(formatted("nested deeper than {}", limits::maxNesting), m_tokens.position());
}

ExpressionId ExpressionParser::expression()
{
    enter();
    const ExpressionId id = signedExpression();
    --m_open;
    return id;
}

TypeId ExpressionParser::type()
{
    enter();
    const TypeId id = typeOfName();
    --m_open;
    return id;
}

ExpressionId ExpressionParser::add(Position position, Expression::Kind kind, unsigned below)
{
    auto &expressions = m_file.tree.expressions;
    if (below >= limits::maxNesting)
        m_tokens.fail(formatted("nested deeper than {}", limits::maxNesting), position);
    if (expressions.size() >= limits::maxSyntaxNodes)
        m_tokens.fail(formatted("more than {} expressions", limits::maxSyntaxNodes), position);
    expressions.push_back({position, std::move(kind)});
    m_depths.push_back(static_cast<std::uint16_t>(below + 1));
    return {static_cast<std::uint32_t>(expressions.size() - 1)};
}

unsigned ExpressionParser::deepest(const std::vector<ExpressionId> &ids) const
{
    unsigned most = 0;
    for (const ExpressionId id : ids)
        most = std::max(most, depth(id));
    return most;
}

ExpressionId ExpressionParser::signedExpression()
{
    if (!m_tokens.isSymbol("-"))
        return chain();
    if (isNumberToken(m_tokens.ahead()))
        return number();
    const Position position = m_tokens.position();
    m_tokens.take();
    const ExpressionId operand = expression();
    return add(position, Negation{operand}, depth(operand));
}

/// An atom and what is asked of it: `(a.b)[0].c(x, )`.
ExpressionId ExpressionParser::chain()
{
    const Position position = m_tokens.position();
    ExpressionId id = atom();
    while (true) {
        if (m_tokens.accept(".")) {
            const Token name = m_tokens.expect(Token::Kind::Name, "an attribute's name");
            id = add(position, Attribute{id, name.text}, depth(id));
        } else if (m_tokens.accept("[")) {
            const ExpressionId index = expression();
            m_tokens.expect("]");
            id = add(position, Subscript{id, index}, std::max(depth(id), depth(index)));
        } else if (m_tokens.accept("(")) {
            id = call(position, id);
        } else {
            return id;
        }
    }
}

ExpressionId ExpressionParser::call(Position position, ExpressionId callee)
{
    Call call{callee, {}};
    unsigned below = depth(callee);
    untilClosed(")", [&] {
        Argument &argument = call.arguments.emplace_back();
        if (m_tokens.is(Token::Kind::Name) && m_tokens.ahead().isSymbol("=")) {
            argument.keyword = m_tokens.take().text;
            m_tokens.take();
        }
        argument.value = expression();
        below = std::max(below, depth(argument.value));
    });
    return add(position, std::move(call), below);
}

ExpressionId ExpressionParser::atom()
{
    const Position position = m_tokens.position();
    if (isNumberToken(m_tokens.now()))
        return number();
    if (m_tokens.is(Token::Kind::Name))
        return name();
    if (m_tokens.is(Token::Kind::String))
        return add(position, Literal(StringLiteral{string()}));
    if (m_tokens.isSymbol("("))
        return parenthesized();
    if (m_tokens.isSymbol("["))
        return list();
    if (m_tokens.isSymbol("{"))
        return dict();
    m_tokens.failWanted("an expression");
}

ExpressionId ExpressionParser::name()
{
    // Not functions of their arguments' values: the syntax of their arguments is their own.
    constexpr std::pair<std::string_view, ExpressionId (ExpressionParser::*)()> builtins[] = {
        {"getattr", &ExpressionParser::getAttribute},
        {"annotate", &ExpressionParser::typed<Annotate>},
        {"unchecked_cast", &ExpressionParser::typed<UncheckedCast>},
        {"uninitialized", &ExpressionParser::uninitialized},
        {"isinstance", &ExpressionParser::isInstance},
    };
    if (m_tokens.ahead().isSymbol("(")) {
        for (const auto &[name, read] : builtins) {
            if (m_tokens.now().isName(name))
                return (this->*read)();
        }
    }
    const Token token = m_tokens.take();
    if (token.text == "None")
        return add({token.offset}, Literal(NoneLiteral{}));
    if (token.text == "True" || token.text == "False")
        return add({token.offset}, Literal(token.text == "True"));
    return add({token.offset}, Name{token.text});
}

/// `getattr(x, "0")`
ExpressionId ExpressionParser::getAttribute()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    m_tokens.expect("(");
    const ExpressionId object = expression();
    m_tokens.expect(",");
    const std::string_view name = string();
    m_tokens.expect(")");
    return add(position, Attribute{object, name}, depth(object));
}

/// `annotate(T, e)`, `unchecked_cast(T, e)`
template <class Node>
ExpressionId ExpressionParser::typed()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    m_tokens.expect("(");
    const TypeId type = this->type();
    m_tokens.expect(",");
    const ExpressionId value = expression();
    m_tokens.expect(")");
    return add(position, Node{type, value}, depth(value));
}

ExpressionId ExpressionParser::uninitialized()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    m_tokens.expect("(");
    const TypeId type = this->type();
    m_tokens.expect(")");
    return add(position, Uninitialized{type});
}

/// `isinstance(x, T)`, `isinstance(x, (T, U))`
ExpressionId ExpressionParser::isInstance()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    m_tokens.expect("(");
    IsInstance test{expression(), {}};
    const unsigned below = depth(test.value);
    m_tokens.expect(",");
    if (m_tokens.accept("("))
        untilClosed(")", [&] { test.types.push_back(type()); });
    else
        test.types.push_back(type());
    m_tokens.expect(")");
    return add(position, std::move(test), below);
}

/// `()`, `(a,)`, `(a, b)`; `(a)` is a.
ExpressionId ExpressionParser::parenthesized()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    Tuple tuple;
    bool hasComma = false;
    while (!m_tokens.isSymbol(")")) {
        tuple.items.push_back(expression());
        if (!m_tokens.accept(","))
            break;
        hasComma = true;
    }
    m_tokens.expect(")");
    if (tuple.items.size() == 1 && !hasComma)
        return tuple.items.front();
    const unsigned below = deepest(tuple.items);
    return add(position, std::move(tuple), below);
}

ExpressionId ExpressionParser::list()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    List list;
    untilClosed("]", [&] { list.items.push_back(expression()); });
    const unsigned below = deepest(list.items);
    return add(position, std::move(list), below);
}

ExpressionId ExpressionParser::dict()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    Dict dict;
    unsigned below = 0;
    untilClosed("}", [&] {
        const ExpressionId key = expression();
        m_tokens.expect(":");
        const ExpressionId value = expression();
        dict.entries.emplace_back(key, value);
        below = std::max({below, depth(key), depth(value)});
    });
    return add(position, std::move(dict), below);
}

/// An integer, a float or, in two parts, a complex number: `-5`, `1e-05`, `inf-1.j`.
ExpressionId ExpressionParser::number()
{
    const Position position = m_tokens.position();
    const bool isNegative = m_tokens.accept("-");
    const Token token = m_tokens.now();
    if (isImaginary(token))
        return add(position, Literal(ComplexLiteral{{withSign(0, isNegative)}, {withSign(magnitude(), isNegative)}}));
    const bool isComplex = m_tokens.ahead().isSymbol("+") || m_tokens.ahead().isSymbol("-");
    if (token.kind == Token::Kind::Integer && !isComplex) {
        const std::string digits = (isNegative ? "-" : "") + std::string(m_tokens.take().text);
        std::int64_t n = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), n).ec != std::errc{})
            m_tokens.fail(formatted("found an integer of {} digits, expected one of 64 bits", token.text.size()),
                          position);
        return add(position, Literal(n));
    }
    const double real = withSign(magnitude(), isNegative);
    if (!isComplex)
        return add(position, Literal(FloatLiteral{real}));
    const bool isSubtracted = m_tokens.take().text == "-";
    if (!isImaginary(m_tokens.now()))
        m_tokens.failWanted("the imaginary part of a number");
    return add(position, Literal(ComplexLiteral{{real}, {withSign(magnitude(), isSubtracted)}}));
}

/// The number's token without its sign and its "j".
double ExpressionParser::magnitude()
{
    const Token token = m_tokens.take();
    if (token.text.starts_with("inf"))
        return std::numeric_limits<double>::infinity();
    if (token.text.starts_with("nan"))
        return std::numeric_limits<double>::quiet_NaN();
    double value = 0;
    if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc{})
        m_tokens.fail("found a number beyond what a double can hold", {token.offset});
    return value;
}

std::string_view ExpressionParser::string()
{
    const Token token = m_tokens.expect(Token::Kind::String, "a string");
    if (token.text.find('\\') == std::string_view::npos)
        return token.text.substr(1, token.text.size() - 2);
    DecodedString decoded = decodeString(token.text);
    if (decoded.isRepaired)
        m_file.remarks.push_back({{token.offset}, "a string's escapes are ones that torch writes but cannot read"});
    return m_file.decoded.emplace_back(std::move(decoded.bytes));
}

TypeId ExpressionParser::typeOfName()
{
    Type type{m_tokens.position(), dottedName(), {}};
    if (m_tokens.accept("[")) {
        if (m_tokens.accept("(")) { // Tuple[()]
            m_tokens.expect(")");
            m_tokens.expect("]");
        } else {
            untilClosed("]", [&] { type.arguments.push_back(this->type()); });
        }
    }
    auto &types = m_file.tree.types;
    if (types.size() >= limits::maxSyntaxNodes)
        m_tokens.fail(formatted("more than {} types", limits::maxSyntaxNodes), type.position);
    types.push_back(std::move(type));
    return {static_cast<std::uint32_t>(types.size() - 1)};
}

/// `__torch__.a.C` as it stands in the source; a space ends it.
std::string_view ExpressionParser::dottedName()
{
    const Token first = m_tokens.expect(Token::Kind::Name, "a type");
    std::size_t length = first.text.size();
    while (m_tokens.isSymbol(".") && m_tokens.ahead().kind == Token::Kind::Name
           && m_tokens.ahead().offset == first.offset + length + 1) {
        m_tokens.take();
        length += 1 + m_tokens.take().text.size();
    }
    return {first.text.data(), length};
}

} // namespace cutaway::formats::torchscript
