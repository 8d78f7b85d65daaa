// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/expression_parser.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"

#include <algorithm>
#include <charconv>

namespace cutaway::formats::python {

namespace {

/// The precedences of binary operators; operators of the same precedence are left-associative.
constexpr std::pair<std::string_view, int> precedences[] = {
    {"or", 1}, {"and", 2}, {"==", 4},  {"!=", 4}, {"<", 4},   {">", 4},  {"<=", 4}, {">=", 4},
    {"is", 4}, {"in", 4},  {"not", 4}, {"|", 5},  {"^", 6},   {"&", 7},  {"<<", 8}, {">>", 8},
    {"+", 9},  {"-", 9},   {"*", 10},  {"/", 10}, {"//", 10}, {"%", 10}, {"@", 10},
};
constexpr int negationPrecedence = 3;
constexpr int signPrecedence = 11;

} // namespace

void ExpressionParser::enter()
{
    if (++m_open > static_cast<int>(limits::maxNesting))
        m_tokens.fail(formatted("nested deeper than {}", limits::maxNesting), m_tokens.position());
}

ExpressionId ExpressionParser::add(Position position, Expression::Kind kind, unsigned below)
{
    if (below >= limits::maxNesting)
        m_tokens.fail(formatted("nested deeper than {}", limits::maxNesting), position);
    if (m_tree.expressions.size() >= limits::maxSyntaxNodes)
        m_tokens.fail(formatted("more than {} expressions", limits::maxSyntaxNodes), position);
    m_tree.expressions.push_back({std::move(kind), position, m_tokens.end() - position.offset});
    m_depths.push_back(static_cast<std::uint16_t>(below + 1));
    return {static_cast<std::uint32_t>(m_tree.expressions.size() - 1)};
}

unsigned ExpressionParser::deepest(const std::vector<ExpressionId> &ids) const
{
    unsigned most = 0;
    for (const ExpressionId id : ids)
        most = std::max(most, depth(id));
    return most;
}

ExpressionId ExpressionParser::expression()
{
    enter();
    const ExpressionId id = withOperators();
    leave();
    return id;
}

ExpressionId ExpressionParser::withOperators()
{
    const Position position = m_tokens.position();
    const ExpressionId then = binary(1);
    if (!m_tokens.accept("if"))
        return then;
    const ExpressionId condition = binary(1);
    m_tokens.expect("else");
    const ExpressionId orElse = expression();
    return add(position, Choice{condition, then, orElse}, std::max({depth(condition), depth(then), depth(orElse)}));
}

std::string_view ExpressionParser::binaryOperator() const
{
    const Token &token = m_tokens.now();
    if ((token.kind != Token::Kind::Symbol && token.kind != Token::Kind::Name)
        || (token.is("not") && !m_tokens.ahead().is("in")))
        return {};
    return token.text;
}

ExpressionId ExpressionParser::binary(int weakest)
{
    const Position position = m_tokens.position();
    ExpressionId left = unary();
    while (true) {
        const std::string_view text = binaryOperator();
        const auto *const row = std::ranges::find(precedences, text, &std::pair<std::string_view, int>::first);
        if (text.empty() || row == std::end(precedences) || row->second < weakest)
            return left;
        std::string_view op = row->first;
        m_tokens.take();
        if (op == "is" && m_tokens.accept("not")) {
            op = "is not";
        } else if (op == "not") {
            m_tokens.expect("in");
            op = "not in";
        }
        const ExpressionId right = binary(row->second + 1);
        left = add(position, Binary{op, left, right}, std::max(depth(left), depth(right)));
    }
}

ExpressionId ExpressionParser::unary()
{
    const Position position = m_tokens.position();
    if (!m_tokens.is("-") && !m_tokens.is("+") && !m_tokens.is("~") && !m_tokens.is("not"))
        return power();
    enter();
    const std::string_view op = m_tokens.take().text;
    ExpressionId id;
    if (op == "-" && m_tokens.now().isNumber() && !m_tokens.ahead().is("**")) {
        id = number(position, true);
    } else {
        const ExpressionId operand = binary(op == "not" ? negationPrecedence : signPrecedence);
        id = add(position, Unary{op, operand}, depth(operand));
    }
    leave();
    return id;
}

ExpressionId ExpressionParser::power()
{
    const Position position = m_tokens.position();
    const ExpressionId base = chain();
    if (!m_tokens.is("**"))
        return base;
    const std::string_view op = m_tokens.take().text;
    enter();
    const ExpressionId exponent = unary();
    leave();
    return add(position, Binary{op, base, exponent}, std::max(depth(base), depth(exponent)));
}

ExpressionId ExpressionParser::chain()
{
    const Position position = m_tokens.position();
    ExpressionId id = atom();
    while (true) {
        if (m_tokens.accept(".")) {
            const Token name = m_tokens.expect(Token::Kind::Name, "an attribute's name");
            id = add(position, Attribute{id, name.text}, depth(id));
        } else if (m_tokens.accept("[")) {
            const ExpressionId index = subscriptIndex();
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
    m_tokens.untilClosed(")", [&] {
        Argument &argument = call.arguments.emplace_back();
        if (m_tokens.is(Token::Kind::Name) && m_tokens.ahead().is("=")) {
            argument.keyword = m_tokens.take().text;
            m_tokens.take();
        }
        argument.value = expression();
        below = std::max(below, depth(argument.value));
    });
    const auto *function = std::get_if<Name>(&m_tree.at(callee).kind);
    if (function && function->text == "getattr" && call.arguments.size() == 2) {
        const auto *literal = std::get_if<Literal>(&m_tree.at(call.arguments[1].value).kind);
        if (const auto *attribute = literal ? std::get_if<StringLiteral>(literal) : nullptr)
            return add(position, Attribute{call.arguments[0].value, attribute->bytes}, below);
    }
    const ExpressionId id = add(position, std::move(call), below);
    checkCall(id);
    return id;
}

ExpressionId ExpressionParser::subscriptItem()
{
    const Position position = m_tokens.position();
    Slice slice;
    unsigned below = 0;
    std::optional<ExpressionId> *const parts[] = {&slice.start, &slice.stop, &slice.step};
    std::size_t colons = 0;
    for (; colons < 3; ++colons) {
        if (!m_tokens.is(":") && !m_tokens.is("]") && !m_tokens.is(",")) {
            *parts[colons] = expression();
            below = std::max(below, depth(**parts[colons]));
        }
        if (colons == 2 || !m_tokens.accept(":"))
            break;
    }
    if (colons > 0)
        return add(position, slice, below);
    return slice.start ? *slice.start : expression();
}

ExpressionId ExpressionParser::subscriptIndex()
{
    const Position position = m_tokens.position();
    const ExpressionId first = subscriptItem();
    if (!m_tokens.is(","))
        return first;
    Tuple tuple{{first}};
    while (m_tokens.accept(","))
        if (!m_tokens.is("]"))
            tuple.items.push_back(subscriptItem());
    const unsigned below = deepest(tuple.items);
    return add(position, std::move(tuple), below);
}

ExpressionId ExpressionParser::atom()
{
    if (m_tokens.is(Token::Kind::Name))
        return name();
    if (m_tokens.now().isNumber())
        return number(m_tokens.position(), false);
    if (m_tokens.is(Token::Kind::String))
        return text();
    if (m_tokens.is("("))
        return parenthesized();
    if (m_tokens.is("["))
        return list();
    if (m_tokens.is("{"))
        return dict();
    const Position position = m_tokens.position();
    if (m_tokens.accept("..."))
        return add(position, Literal(EllipsisLiteral{}));
    m_tokens.failWanted("an expression");
}

ExpressionId ExpressionParser::name()
{
    static constexpr std::pair<std::string_view, Literal> literals[] = {
        {"None", NoneLiteral{}}, {"True", true}, {"False", false}, {"Ellipsis", EllipsisLiteral{}}};
    const Position position = m_tokens.position();
    for (const auto &[text, literal] : literals)
        if (m_tokens.accept(text))
            return add(position, literal);
    if (isKeyword(m_tokens.now().text))
        m_tokens.failWanted("an expression");
    const std::string_view text = m_tokens.take().text;
    return add(position, Name{text});
}

ExpressionId ExpressionParser::number(Position position, bool isNegative)
{
    const Token token = m_tokens.now();
    if (token.kind == Token::Kind::Integer) {
        const std::string digits = (isNegative ? "-" : "") + std::string(m_tokens.take().text);
        std::int64_t n = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), n).ec != std::errc{})
            m_tokens.fail(formatted("found an integer of {} digits, expected one of 64 bits", token.text.size()),
                          position);
        return add(position, Literal(n));
    }
    const double value = isNegative ? -magnitude() : magnitude();
    if (token.kind == Token::Kind::Imaginary)
        return add(position, Literal(std::complex<double>(isNegative ? -0. : 0., value)));
    return add(position, Literal(value));
}

double ExpressionParser::magnitude()
{
    const Token token = m_tokens.take();
    double value = 0;
    if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc{})
        m_tokens.fail("found a number beyond what a double can hold", {token.offset});
    return value;
}

std::string_view ExpressionParser::string()
{
    const Token token = m_tokens.expect(Token::Kind::String, "a string");
    if (!token.text.contains('\\'))
        return token.text.substr(1, token.text.size() - 2);
    return m_tree.decoded.emplace_back(decoded(token).bytes);
}

/// Reads adjacent strings as one.
ExpressionId ExpressionParser::text()
{
    const Position position = m_tokens.position();
    std::string_view text = string();
    if (m_tokens.is(Token::Kind::String)) {
        std::string &joined = m_tree.decoded.emplace_back(text);
        while (m_tokens.is(Token::Kind::String))
            joined += string();
        text = joined;
    }
    return add(position, Literal(StringLiteral{text}));
}

/// Reads `()`, `(a,)` or `(a, b)`; `(a)` is a.
ExpressionId ExpressionParser::parenthesized()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    Tuple tuple;
    bool hasComma = false;
    while (!m_tokens.is(")")) {
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
    m_tokens.untilClosed("]", [&] { list.items.push_back(expression()); });
    const unsigned below = deepest(list.items);
    return add(position, std::move(list), below);
}

ExpressionId ExpressionParser::dict()
{
    const Position position = m_tokens.position();
    m_tokens.take();
    Dict dict;
    unsigned below = 0;
    m_tokens.untilClosed("}", [&] {
        const ExpressionId key = expression();
        m_tokens.expect(":");
        const ExpressionId value = expression();
        dict.entries.emplace_back(key, value);
        below = std::max({below, depth(key), depth(value)});
    });
    return add(position, std::move(dict), below);
}

} // namespace cutaway::formats::python
