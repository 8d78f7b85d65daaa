// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/read/parser.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/fx/read/lexer.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::fx {

namespace {

/// Statements and expressions that make code more than a list of calls.
constexpr std::array<std::string_view, 22> foreignKeywords{
    "import", "from",  "if",  "for",    "while",  "with",     "try",   "class", "lambda", "yield", "del",
    "global", "raise", "def", "assert", "except", "nonlocal", "async", "await", "elif",   "else",  "finally"};

/// How tightly binary operators bind; those of a row are computed from the left.
constexpr std::pair<std::string_view, int> precedences[] = {
    {"or", 1}, {"and", 2}, {"==", 4},  {"!=", 4}, {"<", 4},   {">", 4},  {"<=", 4}, {">=", 4},
    {"is", 4}, {"in", 4},  {"not", 4}, {"|", 5},  {"^", 6},   {"&", 7},  {"<<", 8}, {">>", 8},
    {"+", 9},  {"-", 9},   {"*", 10},  {"/", 10}, {"//", 10}, {"%", 10}, {"@", 10},
};
constexpr int negationPrecedence = 3;
constexpr int signPrecedence = 11;

class CodeParser {
public:
    explicit CodeParser(std::string_view source) : m_lexer(source)
    {
        m_program.source = source;
        m_now = m_lexer.next();
        m_ahead = m_lexer.next();
    }

    Program parse()
    {
        while (m_now.kind != Token::Kind::End) {
            if (m_now.is("def"))
                function();
            else
                topLevelCall();
        }
        return std::move(m_program);
    }

private:
    Token take()
    {
        m_end = m_now.offset + static_cast<std::uint32_t>(m_now.text.size());
        return std::exchange(m_now,
                             std::exchange(m_ahead, m_ahead.kind == Token::Kind::End ? m_ahead : m_lexer.next()));
    }
    bool accept(std::string_view text)
    {
        const bool is = m_now.is(text);
        if (is)
            take();
        return is;
    }
    void expect(std::string_view text)
    {
        if (!accept(text))
            failWanted("'" + std::string(text) + "'");
    }
    std::string_view name(std::string_view wanted)
    {
        if (m_now.kind != Token::Kind::Name)
            failWanted(wanted);
        return take().text;
    }
    [[noreturn]] void fail(std::string message, std::size_t offset) const
    {
        unusable(std::move(message), lineAndColumn(m_program.source, offset));
    }
    [[noreturn]] void failWanted(std::string_view wanted) const
    {
        const std::string found = m_now.kind == Token::Kind::End ? "the end of the code"
            : m_now.kind == Token::Kind::Newline                 ? "the end of the line"
                                                                 : "'" + sanitized(m_now.text.substr(0, 40)) + "'";
        fail(formatted("found {}, expected {}", found, wanted), m_now.offset);
    }
    void endOfLine()
    {
        if (m_now.kind != Token::Kind::Newline)
            failWanted("the end of the line");
        take();
    }

    void topLevelCall();
    void function();
    Parameter parameter();
    void statement(std::vector<Statement> &body);
    Statement::Kind statementKind();
    Statement::Kind assignment(ExpressionId first);
    std::string_view targetName(ExpressionId id) const;

    ExpressionId expression();
    ExpressionId binary(int weakest);
    ExpressionId unary();
    ExpressionId power();
    ExpressionId chain();
    ExpressionId call(std::uint32_t start, ExpressionId callee);
    ExpressionId atom();
    ExpressionId literalName();
    ExpressionId number(bool isNegative);
    ExpressionId text();
    ExpressionId parenthesized();
    ExpressionId list();
    ExpressionId dict();
    ExpressionId subscriptIndex();
    ExpressionId subscriptItem();
    std::string_view binaryOperator() const;

    ExpressionId add(std::uint32_t start, Expression::Kind kind, std::initializer_list<ExpressionId> below = {});
    ExpressionId add(std::uint32_t start, Expression::Kind kind, const std::vector<ExpressionId> &below);
    ExpressionId addAtDepth(std::uint32_t start, Expression::Kind kind, unsigned depth);

    Program m_program;
    Lexer m_lexer;
    Token m_now, m_ahead;
    std::uint32_t m_end = 0;             ///< of the last token taken
    std::vector<std::uint16_t> m_depths; ///< per expression, itself counted
    int m_open = 0;
    std::size_t m_countedTo = 0;
    std::uint32_t m_line = 1;
};

ExpressionId CodeParser::addAtDepth(std::uint32_t start, Expression::Kind kind, unsigned depth)
{
    if (depth > static_cast<unsigned>(limits::maxNesting))
        fail(formatted("nested deeper than {}", limits::maxNesting), start);
    if (m_program.expressions.size() >= limits::maxSyntaxNodes)
        fail(formatted("more than {} expressions", limits::maxSyntaxNodes), start);
    m_program.expressions.push_back({std::move(kind), start, m_end - start});
    m_depths.push_back(static_cast<std::uint16_t>(depth));
    return {static_cast<std::uint32_t>(m_program.expressions.size() - 1)};
}

ExpressionId CodeParser::add(std::uint32_t start, Expression::Kind kind, std::initializer_list<ExpressionId> below)
{
    unsigned depth = 0;
    for (const ExpressionId id : below)
        depth = std::max<unsigned>(depth, m_depths[id.index]);
    return addAtDepth(start, std::move(kind), depth + 1);
}

ExpressionId CodeParser::add(std::uint32_t start, Expression::Kind kind, const std::vector<ExpressionId> &below)
{
    unsigned depth = 0;
    for (const ExpressionId id : below)
        depth = std::max<unsigned>(depth, m_depths[id.index]);
    return addAtDepth(start, std::move(kind), depth + 1);
}

/// `wrap("f")` tells torch's tracer what not to look into; nothing follows from it here.
void CodeParser::topLevelCall()
{
    if (m_now.kind != Token::Kind::Name || std::ranges::contains(foreignKeywords, m_now.text))
        failWanted("a function");
    take();
    while (accept("."))
        name("a name");
    expect("(");
    if (m_now.kind != Token::Kind::String)
        failWanted("a function's name in quotes");
    take();
    expect(")");
    endOfLine();
}

void CodeParser::function()
{
    Function function;
    take();
    function.names.emplace_back(name("the function's name"));
    while (accept("."))
        function.names[0].append(".").append(name("a name"));
    const std::string folder = function.names[0].substr(0, function.names[0].rfind('.') + 1);
    while (accept("|"))
        function.names.push_back(folder + std::string(name("a name")));
    expect("(");
    while (!m_now.is(")")) {
        function.parameters.push_back(parameter());
        if (!accept(","))
            break;
    }
    expect(")");
    if (accept("->"))
        expression();
    expect(":");
    endOfLine();
    while (m_now.isIndented && m_now.kind != Token::Kind::End)
        statement(function.body);
    m_program.functions.push_back(std::move(function));
}

Parameter CodeParser::parameter()
{
    Parameter parameter;
    while (m_now.is("*") || m_now.is("**"))
        parameter.stars += static_cast<int>(take().text.size());
    parameter.name = name("a parameter's name");
    if (accept(":"))
        parameter.annotation = expression();
    if (accept("="))
        parameter.value = expression();
    return parameter;
}

void CodeParser::statement(std::vector<Statement> &body)
{
    const std::string_view between = m_program.source.substr(m_countedTo, m_now.offset - m_countedTo);
    m_line += static_cast<std::uint32_t>(std::ranges::count(between, '\n'));
    m_countedTo = m_now.offset;
    const std::uint32_t line = m_line;
    if (accept("pass"))
        return endOfLine();
    if (m_now.kind == Token::Kind::Newline) { // `a;;`
        take();
        return;
    }
    Statement::Kind kind = statementKind();
    endOfLine();
    body.push_back({std::move(kind), line});
}

Statement::Kind CodeParser::statementKind()
{
    if (accept("return")) {
        if (m_now.kind == Token::Kind::Newline)
            return Return{};
        return Return{expression()};
    }
    if (m_now.kind == Token::Kind::Name && std::ranges::contains(foreignKeywords, m_now.text))
        failWanted("straight-line code, as torch.fx writes it");
    const ExpressionId first = expression();
    if (m_now.kind == Token::Kind::Symbol && m_now.text.size() >= 2 && m_now.text.back() == '='
        && std::string_view("=!<>").find(m_now.text[m_now.text.size() - 2]) == std::string_view::npos) {
        const std::string_view op = take().text;
        return Augment{first, op.substr(0, op.size() - 1), expression()};
    }
    if (m_now.is("<<=") || m_now.is(">>=")) {
        const std::string_view op = take().text;
        return Augment{first, op.substr(0, 2), expression()};
    }
    if (m_now.kind == Token::Kind::Newline)
        return Evaluate{first};
    return assignment(first);
}

std::string_view CodeParser::targetName(ExpressionId id) const
{
    const auto *name = std::get_if<Name>(&m_program.at(id).kind);
    if (!name)
        fail("found a value on the left of '=', expected a name", m_program.at(id).offset);
    return name->text;
}

/// `a = e`, `a : T = e`, `a, b, = e`, `a = b = None`
Statement::Kind CodeParser::assignment(ExpressionId first)
{
    Assign assign{{targetName(first)}, false, {}};
    while (accept(",")) {
        assign.isUnpacked = true;
        if (!m_now.is("="))
            assign.targets.push_back(targetName(expression()));
    }
    if (!assign.isUnpacked && accept(":")) {
        expression();
        if (m_now.kind == Token::Kind::Newline) // `a : T` computes nothing
            return Evaluate{first};
    }
    expect("=");
    assign.value = expression();
    while (!assign.isUnpacked && accept("=")) {
        assign.targets.push_back(targetName(assign.value));
        assign.value = expression();
    }
    const auto *literal = std::get_if<Literal>(&m_program.at(assign.value).kind);
    if (literal && std::holds_alternative<NoneLiteral>(*literal))
        return Forget{std::move(assign.targets)};
    if (!assign.isUnpacked && assign.targets.size() > 1)
        fail("found a value for several names", m_program.at(assign.value).offset);
    return assign;
}

ExpressionId CodeParser::expression()
{
    if (++m_open > static_cast<int>(limits::maxNesting))
        fail(formatted("nested deeper than {}", limits::maxNesting), m_now.offset);
    const std::uint32_t start = m_now.offset;
    ExpressionId id = binary(1);
    if (accept("if")) {
        const ExpressionId condition = binary(1);
        expect("else");
        const ExpressionId orElse = expression();
        id = add(start, Choice{condition, id, orElse}, {condition, id, orElse});
    }
    --m_open;
    return id;
}

std::string_view CodeParser::binaryOperator() const
{
    if (m_now.kind != Token::Kind::Symbol && m_now.kind != Token::Kind::Name)
        return {};
    if (m_now.is("not"))
        return m_ahead.is("in") ? m_now.text : std::string_view();
    return m_now.text;
}

ExpressionId CodeParser::binary(int weakest)
{
    const std::uint32_t start = m_now.offset;
    ExpressionId left = unary();
    while (true) {
        const std::string_view text = binaryOperator();
        const auto *const row = std::ranges::find(precedences, text, &std::pair<std::string_view, int>::first);
        if (text.empty() || row == std::end(precedences) || row->second < weakest)
            return left;
        std::string_view op = row->first;
        take();
        if (op == "is" && accept("not"))
            op = "is not";
        else if (op == "not") {
            expect("in");
            op = "not in";
        }
        const ExpressionId right = binary(row->second + 1);
        left = add(start, Binary{op, left, right}, {left, right});
    }
}

ExpressionId CodeParser::unary()
{
    const std::uint32_t start = m_now.offset;
    if (!m_now.is("-") && !m_now.is("+") && !m_now.is("~") && !m_now.is("not"))
        return power();
    if (++m_open > static_cast<int>(limits::maxNesting))
        fail(formatted("nested deeper than {}", limits::maxNesting), m_now.offset);
    const std::string_view op = take().text;
    const bool isNumber =
        m_now.kind == Token::Kind::Integer || m_now.kind == Token::Kind::Float || m_now.kind == Token::Kind::Imaginary;
    ExpressionId id;
    if (op == "-" && isNumber && !m_ahead.is("**")) {
        id = number(true);
        m_program.expressions[id.index].offset = start;
        m_program.expressions[id.index].length = m_end - start;
    } else {
        const ExpressionId operand = binary(op == "not" ? negationPrecedence : signPrecedence);
        id = add(start, Unary{op, operand}, {operand});
    }
    --m_open;
    return id;
}

ExpressionId CodeParser::power()
{
    const std::uint32_t start = m_now.offset;
    const ExpressionId base = chain();
    if (!m_now.is("**"))
        return base;
    const std::string_view op = take().text;
    if (++m_open > static_cast<int>(limits::maxNesting))
        fail(formatted("nested deeper than {}", limits::maxNesting), m_now.offset);
    const ExpressionId exponent = unary();
    --m_open;
    return add(start, Binary{op, base, exponent}, {base, exponent});
}

ExpressionId CodeParser::chain()
{
    const std::uint32_t start = m_now.offset;
    ExpressionId id = atom();
    while (true) {
        if (accept(".")) {
            const std::string_view attribute = name("an attribute's name");
            id = add(start, Attribute{id, attribute}, {id});
        } else if (accept("[")) {
            const ExpressionId index = subscriptIndex();
            expect("]");
            id = add(start, Subscript{id, index}, {id, index});
        } else if (accept("(")) {
            id = call(start, id);
        } else {
            return id;
        }
    }
}

ExpressionId CodeParser::call(std::uint32_t start, ExpressionId callee)
{
    Call call{callee, {}};
    std::vector<ExpressionId> below{callee};
    while (!m_now.is(")")) {
        Argument &argument = call.arguments.emplace_back();
        if (m_now.kind == Token::Kind::Name && m_ahead.is("=")) {
            argument.keyword = take().text;
            take();
        }
        argument.value = expression();
        below.push_back(argument.value);
        if (!accept(","))
            break;
    }
    expect(")");
    return add(start, std::move(call), below);
}

ExpressionId CodeParser::subscriptItem()
{
    const std::uint32_t start = m_now.offset;
    Slice slice;
    std::vector<ExpressionId> below;
    std::optional<ExpressionId> *const parts[] = {&slice.start, &slice.stop, &slice.step};
    std::size_t colons = 0;
    for (; colons < 3; ++colons) {
        if (!m_now.is(":") && !m_now.is("]") && !m_now.is(","))
            below.emplace_back(*(*parts[colons] = expression()));
        if (colons == 2 || !accept(":"))
            break;
    }
    if (colons > 0)
        return add(start, slice, below);
    return below.empty() ? expression() : below.front();
}

ExpressionId CodeParser::subscriptIndex()
{
    const std::uint32_t start = m_now.offset;
    std::vector<ExpressionId> items{subscriptItem()};
    if (!m_now.is(","))
        return items.front();
    while (accept(","))
        if (!m_now.is("]"))
            items.push_back(subscriptItem());
    const auto below = items;
    return add(start, Items{std::move(items), true}, below);
}

ExpressionId CodeParser::atom()
{
    using enum Token::Kind;
    if (m_now.kind == Integer || m_now.kind == Float || m_now.kind == Imaginary)
        return number(false);
    if (m_now.kind == Name)
        return literalName();
    if (m_now.kind == String)
        return text();
    if (m_now.is("..."))
        return add(take().offset, Literal(EllipsisLiteral{}));
    if (m_now.is("("))
        return parenthesized();
    if (m_now.is("["))
        return list();
    if (m_now.is("{"))
        return dict();
    failWanted("an expression");
}

ExpressionId CodeParser::literalName()
{
    if (std::ranges::contains(foreignKeywords, m_now.text))
        failWanted("an expression, as torch.fx writes it");
    const Token token = take();
    if (token.text == "None")
        return add(token.offset, Literal(NoneLiteral{}));
    if (token.text == "Ellipsis")
        return add(token.offset, Literal(EllipsisLiteral{}));
    if (token.text == "True" || token.text == "False")
        return add(token.offset, Literal(token.text == "True"));
    return add(token.offset, Name{token.text});
}

ExpressionId CodeParser::text()
{
    const std::uint32_t start = m_now.offset;
    std::string all;
    while (m_now.kind == Token::Kind::String)
        all += unquoted(take().text);
    return add(start, Literal(std::move(all)));
}

ExpressionId CodeParser::number(bool isNegative)
{
    const Token token = take();
    const char *const end = token.text.data() + token.text.size();
    if (token.kind == Token::Kind::Integer) {
        const std::string digits = (isNegative ? "-" : "") + std::string(token.text);
        std::int64_t n = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), n).ec != std::errc{})
            fail(formatted("found an integer of {} digits, expected one of 64 bits", token.text.size()), token.offset);
        return add(token.offset, Literal(n));
    }
    double value = 0;
    if (std::from_chars(token.text.data(), end, value).ec != std::errc{})
        fail("found a number beyond what a double can hold", token.offset);
    value = isNegative ? -value : value;
    if (token.kind == Token::Kind::Imaginary)
        return add(token.offset, Literal(std::complex<double>(0, value)));
    return add(token.offset, Literal(value));
}

/// `()`, `(a,)`, `(a, b)`; `(a)` is a.
ExpressionId CodeParser::parenthesized()
{
    const std::uint32_t start = take().offset;
    std::vector<ExpressionId> items;
    bool hasComma = false;
    while (!m_now.is(")")) {
        items.push_back(expression());
        if (!accept(","))
            break;
        hasComma = true;
    }
    expect(")");
    if (items.size() == 1 && !hasComma)
        return items.front();
    const auto below = items;
    return add(start, Items{std::move(items), true}, below);
}

ExpressionId CodeParser::list()
{
    const std::uint32_t start = take().offset;
    std::vector<ExpressionId> items;
    while (!m_now.is("]")) {
        items.push_back(expression());
        if (!accept(","))
            break;
    }
    expect("]");
    const auto below = items;
    return add(start, Items{std::move(items), false}, below);
}

ExpressionId CodeParser::dict()
{
    const std::uint32_t start = take().offset;
    Dict dict;
    std::vector<ExpressionId> below;
    while (!m_now.is("}")) {
        const ExpressionId key = expression();
        expect(":");
        const ExpressionId value = expression();
        dict.entries.emplace_back(key, value);
        below.insert(below.end(), {key, value});
        if (!accept(","))
            break;
    }
    expect("}");
    return add(start, std::move(dict), below);
}

} // namespace

Result<Program> parse(std::string_view source)
{
    return resultOf([&] { return CodeParser(source).parse(); });
}

} // namespace cutaway::formats::fx
